/**
 * Friction cones: (n, t1, t2) with |t| <= mu n (elliptic) or |t1|, |t2| <= mu n (pyramidal); projections, their derivatives, and the
 * correction that makes Coulomb's law a complementarity over the cone.
 *
 * Method: the elliptic projection in closed form; the pyramid's by the breakpoints of its distance in n. Coulomb: f in K, w + (G, 0, 0)
 * in K*, at right angles, with G = mu |w_t| (pyramid: mu (|w_1| + |w_2|)).
 * Source: De Saxce, Feng 1998, "The bipotential method: a constructive approach to design the complete contact law with friction",
 * doi:10.1016/S0895-7177(98)00119-8; Parikh, Boyd 2014, "Proximal algorithms", section 6.3.2, doi:10.1561/2400000003.
 * Tested by contact-solvers.test.ts.
 */

/** out[at..] = the nearest point of the cone to (n, x, y). */
export function projectCone(
  out: Float64Array,
  at: number,
  n: number,
  x: number,
  y: number,
  mu: number,
  pyramidal: boolean,
): void {
  if (pyramidal) {
    projectPyramid(out, at, n, x, y, mu);
    return;
  }
  const t = Math.sqrt(x * x + y * y);
  if (t <= mu * n) {
    out[at] = n;
    out[at + 1] = x;
    out[at + 2] = y;
    return;
  }
  const alpha = (n + mu * t) / (1 + mu * mu);
  if (!(alpha > 0)) {
    out[at] = 0;
    out[at + 1] = 0;
    out[at + 2] = 0;
    return;
  }
  out[at] = alpha;
  out[at + 1] = (mu * alpha * x) / t;
  out[at + 2] = (mu * alpha * y) / t;
}

function projectPyramid(out: Float64Array, at: number, n: number, x: number, y: number, mu: number): void {
  const p = Math.abs(x);
  const q = Math.abs(y);
  const larger = Math.max(p, q);
  const smaller = Math.min(p, q);
  // The slope of the distance in z is z - n + mu (mu z - p)+... ; it grows from piece to piece.
  let z = n;
  if (mu * z < larger) {
    z = (n + mu * larger) / (1 + mu * mu);
    if (mu * z < smaller) z = (n + mu * (larger + smaller)) / (1 + 2 * mu * mu);
  }
  if (!(z > 0)) z = 0;
  const limit = mu * z;
  out[at] = z;
  out[at + 1] = x > limit ? limit : Math.max(x, -limit);
  out[at + 2] = y > limit ? limit : Math.max(y, -limit);
}

/** Derivative of the projection at (n, x, y), row-major 3 x 3. */
export function differentiateProjection(
  out: Float64Array,
  n: number,
  x: number,
  y: number,
  mu: number,
  pyramidal: boolean,
): void {
  out.fill(0);
  if (pyramidal) {
    differentiatePyramid(out, n, x, y, mu);
    return;
  }
  const t = Math.sqrt(x * x + y * y);
  if (t <= mu * n) {
    out[0] = 1;
    out[4] = 1;
    out[8] = 1;
    return;
  }
  const alpha = (n + mu * t) / (1 + mu * mu);
  if (!(alpha > 0)) return;
  const cx = x / t;
  const cy = y / t;
  const s = 1 / (1 + mu * mu);
  out[0] = s;
  out[1] = s * mu * cx;
  out[2] = s * mu * cy;
  const ratio = (mu * alpha) / t;
  out[3] = mu * cx * s;
  out[6] = mu * cy * s;
  out[4] = mu * cx * out[1] + ratio * (1 - cx * cx);
  out[5] = mu * cx * out[2] - ratio * cx * cy;
  out[7] = mu * cy * out[1] - ratio * cx * cy;
  out[8] = mu * cy * out[2] + ratio * (1 - cy * cy);
}

const projected = new Float64Array(3);

function differentiatePyramid(out: Float64Array, n: number, x: number, y: number, mu: number): void {
  projectPyramid(projected, 0, n, x, y, mu);
  const z = projected[0];
  if (!(z > 0)) return;
  const holdsX = Math.abs(x) > mu * z;
  const holdsY = Math.abs(y) > mu * z;
  const sx = x > 0 ? 1 : -1;
  const sy = y > 0 ? 1 : -1;
  const s = 1 / (1 + mu * mu * ((holdsX ? 1 : 0) + (holdsY ? 1 : 0)));
  out[0] = s;
  out[1] = holdsX ? s * mu * sx : 0;
  out[2] = holdsY ? s * mu * sy : 0;
  if (holdsX) for (let k = 0; k < 3; k++) out[3 + k] = mu * sx * out[k];
  else out[4] = 1;
  if (holdsY) for (let k = 0; k < 3; k++) out[6 + k] = mu * sy * out[k];
  else out[8] = 1;
}

/** What is added to the normal velocity. */
export function coulombCorrection(x: number, y: number, mu: number, pyramidal: boolean): number {
  return pyramidal ? mu * (Math.abs(x) + Math.abs(y)) : mu * Math.sqrt(x * x + y * y);
}

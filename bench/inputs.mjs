/** Procedural meshes and seeded poses that the suites share. Vertices are rounded to float32, so that libraries that
 * store floats and libraries that store doubles see the same surface. */
import { createTransform, poseToTransform } from '../dist/esm/math.js';

/** Closed grid over two periodic parameters; `place` writes the point of (u, v) in [0, 1)^2. */
function createTorusGrid(columns, rows, place) {
  const vertices = new Float64Array(3 * columns * rows);
  const triangles = new Uint32Array(6 * columns * rows);
  const point = [0, 0, 0];
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      place(point, i / columns, j / rows);
      vertices.set(point.map(Math.fround), 3 * (i * rows + j));
      const a = i * rows + j;
      const b = ((i + 1) % columns) * rows + j;
      const c = ((i + 1) % columns) * rows + ((j + 1) % rows);
      const d = i * rows + ((j + 1) % rows);
      triangles.set([a, b, c, a, c, d], 6 * a);
    }
  }
  return { vertices, triangles };
}

/** A (2, 3) torus knot of radius about 1.5 with a round tube; 2 x columns x rows triangles. */
export function createKnot(columns, rows, tube = 0.25) {
  const curve = (t) => {
    const r = 1 + 0.5 * Math.cos(3 * t);
    return [r * Math.cos(2 * t), r * Math.sin(2 * t), 0.5 * Math.sin(3 * t)];
  };
  return createTorusGrid(columns, rows, (out, u, v) => {
    const t = 2 * Math.PI * u;
    const p = curve(t);
    const q = curve(t + 1e-4);
    const tangent = normalize(q.map((x, k) => x - p[k]));
    const side = normalize(cross(tangent, [0, 0, 1]));
    const up = cross(side, tangent);
    const [c, s] = [tube * Math.cos(2 * Math.PI * v), tube * Math.sin(2 * Math.PI * v)];
    for (let k = 0; k < 3; k++) out[k] = p[k] + c * side[k] + s * up[k];
  });
}

/** A sphere of radius 1 with waves on it; 2 x columns x (rows - 1) triangles, poles closed by fans. */
export function createBumpySphere(columns, rows, height = 0.15) {
  const vertices = new Float64Array(3 * (columns * (rows - 1) + 2));
  const triangles = [];
  const radius = (theta, phi) => 1 + height * Math.sin(5 * theta) * Math.sin(7 * phi);
  for (let j = 1; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const theta = (Math.PI * j) / rows;
      const phi = (2 * Math.PI * i) / columns;
      const r = radius(theta, phi);
      const xyz = [r * Math.sin(theta) * Math.cos(phi), r * Math.sin(theta) * Math.sin(phi), r * Math.cos(theta)];
      vertices.set(xyz.map(Math.fround), 3 * ((j - 1) * columns + i));
    }
  }
  const north = columns * (rows - 1);
  const south = north + 1;
  vertices.set([0, 0, 1], 3 * north);
  vertices.set([0, 0, -1], 3 * south);
  for (let i = 0; i < columns; i++) {
    const next = (i + 1) % columns;
    triangles.push(north, i, next);
    for (let j = 0; j < rows - 2; j++) {
      const [a, b] = [j * columns + i, j * columns + next];
      triangles.push(a, a + columns, b, b, a + columns, b + columns);
    }
    const last = (rows - 2) * columns;
    triangles.push(last + i, south, last + next);
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}

function normalize(v) {
  const n = Math.hypot(...v);
  return v.map((x) => x / n);
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Uniform rotations (Shoemake), positions at a distance in [nearest, farthest) in a uniform direction; float32. */
export function createPoses(random, count, nearest, farthest) {
  return Array.from({ length: count }, () => {
    const [u, a, b] = [random.next(), 2 * Math.PI * random.next(), 2 * Math.PI * random.next()];
    const [s, c] = [Math.sqrt(1 - u), Math.sqrt(u)];
    const direction = normalize([random.normal(), random.normal(), random.normal()]);
    const radius = random.uniform(nearest, farthest);
    return [
      ...direction.map((x) => x * radius),
      s * Math.sin(a),
      s * Math.cos(a),
      c * Math.sin(b),
      c * Math.cos(b),
    ].map(Math.fround);
  });
}

export const toTransforms = (poses) => poses.map((pose) => poseToTransform(createTransform(), pose));

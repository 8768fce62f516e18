/**
 * The first rounds of GJK, without square roots and quotients: to where verdicts are decided, and distances are left to
 * `runGjk` (convex-gjk.ts), which has few rounds left to do.
 *
 * Method: as there, but directions are kept at any length. 1. A support plane that keeps more than the bound ends the search; products
 * are compared instead of quotients. 2. A tetrahedron that holds the origin clearly, all four volumes above their rounding, means
 * overlap. 3. Everything else is handed over as a simplex of C to start from: when the planes' bound is near the simplex' distance,
 * when a vertex comes again, when something is flat, after MAX_ROUNDS. Nothing here is approximate that an answer depends on: the
 * part of a simplex that is kept may not be the nearest one, which only costs rounds.
 * Source: as convex-gjk.ts; the order of regions is Ericson's, 2005, "Real-time collision detection", section 9.5.
 * Frames: A's frame. Writes the state's simplex and v. Cost: 3-6 rounds of 50 ns.
 * Checked by test/contract/shape-pairs.test.ts and gjk.test.ts.
 */
import { GJK_BEYOND, GJK_OVERLAP } from './convex-codes';
import { F64, s, supportDifference } from './convex-state';

/** To go on with in `runGjk`, from the state's `count` vertices. */
export const APPROACH_NEAR = 5;
/** The cores come within the bound: their nearest points may be nearer still. */
export const APPROACH_WITHIN = 6;

const MAX_ROUNDS = 12;
/** Part of the simplex' distance that the planes' bound may lack where `runGjk` takes over. */
const NEAR_GAP = 0.05;
/** Squared volume, per unit of scale^6, below which a sign is rounding. */
const FLAT = 1e-22;
/** Part of scale by which a point that counts as within the bound must be inside it. */
const CLEARLY = 1e-13;

/** The direction from the origin to the simplex, any length. */
let nx: f64 = 0;
let ny: f64 = 0;
let nz: f64 = 0;
/** Where an edge is kept, its squared length. */
let edgeSquared: f64 = 0;

@inline
function copyVertex(w: F64, to: i32, from: i32): void {
  const pointsA = s.pointsA;
  const pointsB = s.pointsB;
  const i = 3 * to;
  const j = 3 * from;
  w[i] = w[j];
  w[i + 1] = w[j + 1];
  w[i + 2] = w[j + 2];
  pointsA[i] = pointsA[j];
  pointsA[i + 1] = pointsA[j + 1];
  pointsA[i + 2] = pointsA[j + 2];
  pointsB[i] = pointsB[j];
  pointsB[i + 1] = pointsB[j + 1];
  pointsB[i + 2] = pointsB[j + 2];
}

/**
 * Whether the simplex of `count` vertices comes within `bound` for sure. `height` is n.w, `nn` n.n. Of an edge n is its nearest point times
 * its squared length: that n.w is the same up to rounding does not help where it is short. Of a triangle n is a product whose direction,
 * and with it the height and the side of each edge, lose digits as it gets thin.
 */
@inline
function isSurelyWithin(bound: f64, count: i32, height: f64, nn: f64, scaleSquared: f64): bool {
  const slack = CLEARLY * sqrt(scaleSquared);
  if (count == 2) {
    const inside = (bound - slack) * edgeSquared;
    return inside > 0 && nn < inside * inside;
  }
  const thin = count == 3 ? max<f64>(1, (scaleSquared * scaleSquared) / nn) : 1;
  const inside = bound - slack * thin;
  return inside > 0 && height * height < inside * inside * nn;
}

/** Keeps the newest vertex `c` alone, as vertex 0. */
function keepNewest(w: F64, c: i32): void {
  copyVertex(w, 0, c);
  s.count = 1;
  nx = w[0];
  ny = w[1];
  nz = w[2];
}

/** Keeps the edge from the newest vertex `c` to vertex `a`; the origin's projection lies on c's side of a. */
function keepEdge(w: F64, a: i32, c: i32): void {
  const x = w[3 * c];
  const y = w[3 * c + 1];
  const z = w[3 * c + 2];
  const ex = w[3 * a] - x;
  const ey = w[3 * a + 1] - y;
  const ez = w[3 * a + 2] - z;
  const t = -(x * ex + y * ey + z * ez);
  const ee = ex * ex + ey * ey + ez * ez;
  nx = x * ee + t * ex;
  ny = y * ee + t * ey;
  nz = z * ee + t * ez;
  edgeSquared = ee;
  if (a != 0) copyVertex(w, 0, a);
  if (c != 1) copyVertex(w, 1, c);
  s.count = 2;
}

/** Of the triangle of vertices a, b and the newest c: keeps the part nearest the origin, c first in doubt. */
function keepTriangle(w: F64, a: i32, b: i32, c: i32): void {
  const x = w[3 * c];
  const y = w[3 * c + 1];
  const z = w[3 * c + 2];
  const ux = w[3 * a] - x;
  const uy = w[3 * a + 1] - y;
  const uz = w[3 * a + 2] - z;
  const vx = w[3 * b] - x;
  const vy = w[3 * b + 1] - y;
  const vz = w[3 * b + 2] - z;
  const px = uy * vz - uz * vy;
  const py = uz * vx - ux * vz;
  const pz = ux * vy - uy * vx;
  const alongU = -(x * ux + y * uy + z * uz);
  const alongV = -(x * vx + y * vy + z * vz);
  // Beyond the edge to a: the origin is outside along u x p.
  const beyondU = -((uy * pz - uz * py) * x + (uz * px - ux * pz) * y + (ux * py - uy * px) * z);
  const beyondV = -((py * vz - pz * vy) * x + (pz * vx - px * vz) * y + (px * vy - py * vx) * z);
  if (beyondU > 0 && alongU > 0) {
    keepEdge(w, a, c);
    return;
  }
  if (beyondV > 0 && alongV > 0) {
    keepEdge(w, b, c);
    return;
  }
  if (beyondU > 0 || beyondV > 0) {
    keepNewest(w, c);
    return;
  }
  const height = x * px + y * py + z * pz;
  const sign: f64 = height < 0 ? -1 : 1;
  nx = sign * px;
  ny = sign * py;
  nz = sign * pz;
  // In increasing order, so that no vertex is lost.
  if (a != 0) copyVertex(w, 0, a);
  if (b != 1) copyVertex(w, 1, b);
  if (c != 2) copyVertex(w, 2, c);
  s.count = 3;
}

/** Of the tetrahedron of vertices 0-3, 3 the newest: keeps the nearest part. False when it holds the origin, or that is not clear. */
function keepTetrahedron(w: F64, scaleSquared: f64): i32 {
  const dx = w[9];
  const dy = w[10];
  const dz = w[11];
  const px = w[0] - dx;
  const py = w[1] - dy;
  const pz = w[2] - dz;
  const qx = w[3] - dx;
  const qy = w[4] - dy;
  const qz = w[5] - dz;
  const rx = w[6] - dx;
  const ry = w[7] - dy;
  const rz = w[8] - dz;
  const ax = py * qz - pz * qy;
  const ay = pz * qx - px * qz;
  const az = px * qy - py * qx;
  const bx = qy * rz - qz * ry;
  const by = qz * rx - qx * rz;
  const bz = qx * ry - qy * rx;
  const cx = ry * pz - rz * py;
  const cy = rz * px - rx * pz;
  const cz = rx * py - ry * px;
  const volume = ax * rx + ay * ry + az * rz;
  const flat = FLAT * scaleSquared * scaleSquared * scaleSquared;
  if (volume * volume <= flat) return APPROACH_NEAR;
  const turn: f64 = volume < 0 ? -1 : 1;
  // Heights of the origin over the faces 013, 123 and 023, inside when positive.
  const overA = -turn * (ax * dx + ay * dy + az * dz);
  const overB = -turn * (bx * dx + by * dy + bz * dz);
  const overC = -turn * (cx * dx + cy * dy + cz * dz);
  if (overA >= 0 && overB >= 0 && overC >= 0) {
    // The face 012 has the rest of the volume.
    const rest = turn * volume - overA - overB - overC;
    const least = min<f64>(min<f64>(overA, overB), min<f64>(overC, rest));
    return least > 0 && least * least > flat ? GJK_OVERLAP : APPROACH_NEAR;
  }
  // The face that the origin is farthest outside of, by squares over the faces' sizes.
  let best: f64 = 0;
  let face = 0;
  if (overA < 0) best = (overA * overA) / (ax * ax + ay * ay + az * az);
  if (overB < 0) {
    const far = (overB * overB) / (bx * bx + by * by + bz * bz);
    if (far > best) {
      best = far;
      face = 1;
    }
  }
  if (overC < 0) {
    const far = (overC * overC) / (cx * cx + cy * cy + cz * cz);
    if (far > best) face = 2;
  }
  if (face == 0) keepTriangle(w, 0, 1, 3);
  else if (face == 1) keepTriangle(w, 1, 2, 3);
  else keepTriangle(w, 0, 2, 3);
  return -1;
}

/**
 * From the direction of v: GJK_BEYOND with the lower bound set, GJK_OVERLAP with the simplex that holds the origin,
 * APPROACH_NEAR to go on from, and with `isVerdict` APPROACH_WITHIN. `hasFirst`: vertex 0 is the support point along -v.
 */
export function approach(bound: f64, isVerdict: bool, hasFirst: bool): i32 {
  const w = s.w;
  const v = s.v;
  const d = s.d;
  s.lowerBound = 0;
  const boundSquared = bound * bound;
  if (!hasFirst) {
    d[0] = -v[0];
    d[1] = -v[1];
    d[2] = -v[2];
    supportDifference(0);
    const vw = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
    if (vw > 0) {
      const vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      if (vw * vw > boundSquared * vv) return setBeyond(vw, vv);
    }
  }
  s.count = 1;
  nx = w[0];
  ny = w[1];
  nz = w[2];
  let scaleSquared = nx * nx + ny * ny + nz * nz;
  let isNear = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    s.rounds++;
    const nn = nx * nx + ny * ny + nz * nz;
    const height = nx * w[0] + ny * w[1] + nz * w[2];
    if (!(nn > 0) || !(height > 0)) break;
    if (isVerdict && height * height < boundSquared * nn && isSurelyWithin(bound, s.count, height, nn, scaleSquared))
      return APPROACH_WITHIN;
    if (isNear) break;
    const slot = s.count;
    d[0] = -nx;
    d[1] = -ny;
    d[2] = -nz;
    supportDifference(slot);
    const wx = w[3 * slot];
    const wy = w[3 * slot + 1];
    const wz = w[3 * slot + 2];
    const nw = nx * wx + ny * wy + nz * wz;
    if (nw > 0 && nw * nw > boundSquared * nn) {
      v[0] = nx;
      v[1] = ny;
      v[2] = nz;
      return setBeyond(nw, nn);
    }
    // Converged, or as good as: polytopes give the same points again.
    if (nw >= (1 - 1e-12) * height) break;
    isNear = nw > 0 && height - nw <= NEAR_GAP * height;
    scaleSquared = max<f64>(scaleSquared, wx * wx + wy * wy + wz * wz);
    if (slot == 1) {
      const ex = w[0] - wx;
      const ey = w[1] - wy;
      const ez = w[2] - wz;
      if (wx * ex + wy * ey + wz * ez >= 0) keepNewest(w, 1);
      else keepEdge(w, 0, 1);
    } else if (slot == 2) keepTriangle(w, 0, 1, 2);
    else {
      const code = keepTetrahedron(w, scaleSquared);
      if (code == GJK_OVERLAP) {
        s.count = 4;
        s.scale = sqrt(scaleSquared);
        return GJK_OVERLAP;
      }
      // The newest vertex does not count: the triangle is what there is to start from.
      if (code == APPROACH_NEAR) break;
    }
  }
  // The direction for Newton's method; the simplex gives the length.
  if (nx != 0 || ny != 0 || nz != 0) {
    v[0] = nx;
    v[1] = ny;
    v[2] = nz;
  }
  return APPROACH_NEAR;
}

function setBeyond(vw: f64, vv: f64): i32 {
  s.lowerBound = vw / sqrt(vv);
  for (let k = 0; k < 3; k++) s.lowerV[k] = s.v[k];
  return GJK_BEYOND;
}

/**
 * Contacts of two boxes that touch with a face: the other box's facing face, cut to it.
 *
 * Method: 1. the face that parts them most, by separating axes; 2. the other box's face that faces it, cut by the four planes through
 * the first one's sides; 3. of the corners left, those within the margin, at most four: the deepest, then always the one farthest
 * from those chosen. A contact's feature is both faces and the two edges that meet in the corner, so it is known again while the
 * boxes slide. Frames: that of the box with the first face, then world.
 * Source: Gottschalk, Lin, Manocha 1996, "OBBTree", section 5, doi:10.1145/237170.237244; Sutherland, Hodgman 1974,
 * doi:10.1145/360767.360802; Gregorius 2013, "The separating axis test between convex polyhedra", GDC.
 * Cost: about a microsecond. Returns false, and adds nothing, where edges touch or no corner left is as deep as the boxes are (to 1e-4 of
 * their sizes): computeContacts knows those. Points are where the surfaces are: none penetrates that does not. Tested by contacts.test.ts.
 */
import { relativeTransform } from '../math/transform.js';
import { EDGES_TOUCH, findTouchingFace, NO_TOUCH } from '../narrowphase/box-box.js';
import type { Collider } from '../narrowphase/collider.js';
import type { ContactSet } from './contact-set.js';

/** x y z in the reference box, edge before, edge after. */
const STRIDE = 5;
let polygon = new Float64Array(STRIDE * 12);
let cut = new Float64Array(STRIDE * 12);
const X_AB = new Float64Array(12);
const X_BA = new Float64Array(12);
const gap = new Float64Array(1);
const point = new Float64Array(3);
const normal = new Float64Array(3);
const halfR = new Float64Array(3);
const halfI = new Float64Array(3);
const depths = new Float64Array(12);
const nearest = new Float64Array(12);
const taken = new Uint8Array(12);
const chosen = new Int32Array(4);
/**
 * Part of the sizes by which an edge axis has to beat the face, and by which the deepest corner left may be less deep than the boxes
 * are along the face's normal: boxes that stand on each other turn by less, and keep their face.
 */
const SLACK = 1e-4;

export function appendBoxContacts(
  contacts: ContactSet,
  pair: number,
  a: Collider,
  X_A: Float64Array,
  b: Collider,
  X_B: Float64Array,
  margin: number,
): boolean {
  relativeTransform(X_AB, X_A, X_B);
  const { core: p } = a;
  const { core: q } = b;
  const slack = SLACK * (p.x + p.y + p.z + q.x + q.y + q.z);
  const axis = findTouchingFace(gap, a, b, X_AB, margin, slack);
  if (axis === NO_TOUCH) return true;
  if (axis === EDGES_TOUCH) return false;
  const byA = axis < 3;
  if (!byA) relativeTransform(X_BA, X_B, X_A);
  const X = byA ? X_AB : X_BA;
  const f = byA ? axis : axis - 3;
  const reference = byA ? p : q;
  const incident = byA ? q : p;
  halfR[0] = reference.x;
  halfR[1] = reference.y;
  halfR[2] = reference.z;
  halfI[0] = incident.x;
  halfI[1] = incident.y;
  halfI[2] = incident.z;
  const s = X[9 + f] < 0 ? -1 : 1;
  const incidentFace = writeFacingFace(X, f, s);
  const u = f === 2 ? 0 : f + 1;
  const v = u === 2 ? 0 : u + 1;
  let count = cutPolygon(4, u, 1, halfR[u], 4);
  count = cutPolygon(count, u, -1, halfR[u], 5);
  count = cutPolygon(count, v, 1, halfR[v], 6);
  count = cutPolygon(count, v, -1, halfR[v], 7);
  let within = 0;
  let deepest = Infinity;
  for (let i = 0; i < count; i++) {
    const depth = s * polygon[STRIDE * i + f] - halfR[f];
    if (!(depth <= margin)) continue;
    if (within < i) copyCorner(polygon, STRIDE * within, polygon, STRIDE * i);
    depths[within++] = depth;
    if (depth < deepest) deepest = depth;
  }
  if (!(deepest <= gap[0] + slack)) return false;
  const kept = within <= 4 ? within : chooseFour(within);
  const X_R = byA ? X_A : X_B;
  const nx = X_R[f];
  const ny = X_R[3 + f];
  const nz = X_R[6 + f];
  const sign = byA ? s : -s;
  normal[0] = sign * nx;
  normal[1] = sign * ny;
  normal[2] = sign * nz;
  for (let i = 0; i < kept; i++) {
    const at = STRIDE * (within <= 4 ? i : chosen[i]);
    const depth = depths[within <= 4 ? i : chosen[i]];
    const back = 0.5 * s * depth;
    const x = polygon[at];
    const y = polygon[at + 1];
    const z = polygon[at + 2];
    point[0] = X_R[9] + X_R[0] * x + X_R[1] * y + X_R[2] * z - back * nx;
    point[1] = X_R[10] + X_R[3] * x + X_R[4] * y + X_R[5] * z - back * ny;
    point[2] = X_R[11] + X_R[6] * x + X_R[7] * y + X_R[8] * z - back * nz;
    const feature = ((axis * 6 + incidentFace) * 8 + polygon[at + 3]) * 8 + polygon[at + 4];
    contacts.add(pair, feature, depth, point, normal, X_A);
  }
  return true;
}

/** The face of the other box that faces the reference's, to `polygon`; its number 0 to 5. */
function writeFacingFace(X: Float64Array, f: number, s: number): number {
  const n0 = s * X[3 * f];
  const n1 = s * X[3 * f + 1];
  const n2 = s * X[3 * f + 2];
  const a0 = Math.abs(n0);
  const a1 = Math.abs(n1);
  const a2 = Math.abs(n2);
  const k = a0 >= a1 && a0 >= a2 ? 0 : a1 >= a2 ? 1 : 2;
  const along = k === 0 ? n0 : k === 1 ? n1 : n2;
  const side = along > 0 ? -1 : 1;
  const u = k === 2 ? 0 : k + 1;
  const v = u === 2 ? 0 : u + 1;
  for (let i = 0; i < 4; i++) {
    const x = (i === 0 || i === 3 ? -1 : 1) * halfI[u];
    const y = (i < 2 ? -1 : 1) * halfI[v];
    const z = side * halfI[k];
    const p = STRIDE * i;
    polygon[p] = X[9] + X[u] * x + X[v] * y + X[k] * z;
    polygon[p + 1] = X[10] + X[3 + u] * x + X[3 + v] * y + X[3 + k] * z;
    polygon[p + 2] = X[11] + X[6 + u] * x + X[6 + v] * y + X[6 + k] * z;
    polygon[p + 3] = (i + 3) & 3;
    polygon[p + 4] = i;
  }
  return 2 * k + (side > 0 ? 1 : 0);
}

function copyCorner(out: Float64Array, to: number, from: Float64Array, at: number): void {
  out[to] = from[at];
  out[to + 1] = from[at + 1];
  out[to + 2] = from[at + 2];
  out[to + 3] = from[at + 3];
  out[to + 4] = from[at + 4];
}

/** Keeps what of `polygon` has sign * x[axis] <= limit; `edge` is the number of the edge that the cut makes. */
function cutPolygon(count: number, axis: number, sign: number, limit: number, edge: number): number {
  let isInside = true;
  for (let i = 0; isInside && i < count; i++) isInside = sign * polygon[STRIDE * i + axis] <= limit;
  if (isInside) return count;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const p = STRIDE * i;
    const q = STRIDE * (i + 1 === count ? 0 : i + 1);
    const hp = sign * polygon[p + axis] - limit;
    const hq = sign * polygon[q + axis] - limit;
    if (hp <= 0) {
      const to = STRIDE * kept++;
      copyCorner(cut, to, polygon, p);
      // The edge that follows lies outside: what comes next is the cut.
      if (hp === 0 && hq > 0) cut[to + 4] = edge;
    }
    if (hp * hq < 0) {
      const to = STRIDE * kept++;
      const t = hp / (hp - hq);
      cut[to] = polygon[p] + t * (polygon[q] - polygon[p]);
      cut[to + 1] = polygon[p + 1] + t * (polygon[q + 1] - polygon[p + 1]);
      cut[to + 2] = polygon[p + 2] + t * (polygon[q + 2] - polygon[p + 2]);
      cut[to + 3] = hp < 0 ? polygon[p + 4] : edge;
      cut[to + 4] = hp < 0 ? edge : polygon[p + 4];
    }
  }
  const swap = polygon;
  polygon = cut;
  cut = swap;
  return kept;
}

/** The deepest, then always the one farthest from those chosen, to `chosen` in the polygon's order. */
function chooseFour(count: number): number {
  let next = 0;
  for (let i = 0; i < count; i++) {
    nearest[i] = Infinity;
    taken[i] = 0;
    if (depths[i] < depths[next]) next = i;
  }
  for (let round = 0; round < 4; round++) {
    taken[next] = 1;
    const p = STRIDE * next;
    let best = -1;
    for (let i = 0; i < count; i++) {
      if (taken[i] === 1) continue;
      const x = polygon[STRIDE * i] - polygon[p];
      const y = polygon[STRIDE * i + 1] - polygon[p + 1];
      const z = polygon[STRIDE * i + 2] - polygon[p + 2];
      const squared = x * x + y * y + z * z;
      if (squared < nearest[i]) nearest[i] = squared;
      if (best < 0 || nearest[i] > nearest[best]) best = i;
    }
    next = best;
  }
  let kept = 0;
  for (let i = 0; i < count; i++) if (taken[i] === 1) chosen[kept++] = i;
  return kept;
}

/**
 * Contacts of balls, boxes and half-spaces by closed forms: what heaps mostly consist of.
 *
 * Features: corner of a box against a plane; 0 for the one contact of a ball. Frames: world. Returns whether the pair is one of these.
 * Tested by contacts.test.ts against computeContacts.
 */
import { BOX, type Collider, HALFSPACE, SPHERE } from '../narrowphase/collider.js';
import type { ContactSet } from './contact-set.js';

const point = new Float64Array(3);
const normal = new Float64Array(3);
const plane = new Float64Array(4);

export function appendPlainContacts(
  contacts: ContactSet,
  pair: number,
  a: Collider,
  X_A: Float64Array,
  b: Collider,
  X_B: Float64Array,
  margin: number,
): boolean {
  if (a.type === HALFSPACE && (b.type === SPHERE || b.type === BOX)) {
    setPlane(a, X_A);
    if (b.type === SPHERE) addBallOnPlane(contacts, pair, b, X_B, margin, 1, X_A);
    else addBoxOnPlane(contacts, pair, b, X_B, margin, 1, X_A);
    return true;
  }
  if (b.type === HALFSPACE && (a.type === SPHERE || a.type === BOX)) {
    setPlane(b, X_B);
    if (a.type === SPHERE) addBallOnPlane(contacts, pair, a, X_A, margin, -1, X_A);
    else addBoxOnPlane(contacts, pair, a, X_A, margin, -1, X_A);
    return true;
  }
  if (a.type !== SPHERE) {
    if (a.type === BOX && b.type === SPHERE) return addBallOnBox(contacts, pair, a, X_A, b, X_B, margin, 1, X_A);
    return false;
  }
  if (b.type === BOX) return addBallOnBox(contacts, pair, b, X_B, a, X_A, margin, -1, X_A);
  if (b.type !== SPHERE) return false;
  const x = X_B[9] - X_A[9];
  const y = X_B[10] - X_A[10];
  const z = X_B[11] - X_A[11];
  const far = Math.sqrt(x * x + y * y + z * z);
  const r = a.core.radius;
  const gap = far - r - b.core.radius;
  if (gap > margin) return true;
  normal[0] = far > 0 ? x / far : 0;
  normal[1] = far > 0 ? y / far : 0;
  normal[2] = far > 0 ? z / far : 1;
  for (let k = 0; k < 3; k++) point[k] = X_A[9 + k] + (r + 0.5 * gap) * normal[k];
  contacts.add(pair, 0, gap, point, normal, X_A);
  return true;
}

function setPlane(collider: Collider, X: Float64Array): void {
  const { shape } = collider;
  if (shape.type !== 'halfspace') return;
  const [x, y, z] = shape.normal;
  let offset = shape.offset;
  for (let k = 0; k < 3; k++) {
    plane[k] = X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z;
    offset += plane[k] * X[9 + k];
  }
  plane[3] = offset;
}

/** `sign`: 1 where the plane is a, so that the normal points away from it. */
function addBallOnPlane(
  contacts: ContactSet,
  pair: number,
  ball: Collider,
  X: Float64Array,
  margin: number,
  sign: number,
  X_A: Float64Array,
): void {
  const r = ball.core.radius;
  const gap = plane[0] * X[9] + plane[1] * X[10] + plane[2] * X[11] - plane[3] - r;
  if (gap > margin) return;
  for (let k = 0; k < 3; k++) {
    point[k] = X[9 + k] - (r + 0.5 * gap) * plane[k];
    normal[k] = sign * plane[k];
  }
  contacts.add(pair, 0, gap, point, normal, X_A);
}

/** How far each corner is from the plane, and the corners within the margin, the lowest first. */
const heights = new Float64Array(8);
const order = new Int32Array(8);

/** The four lowest corners that are within the margin, in the order of their numbers: more than four carry no more load. */
function addBoxOnPlane(
  contacts: ContactSet,
  pair: number,
  box: Collider,
  X: Float64Array,
  margin: number,
  sign: number,
  X_A: Float64Array,
): void {
  const { x: hx, y: hy, z: hz } = box.core;
  const nx = plane[0];
  const ny = plane[1];
  const nz = plane[2];
  const middle = nx * X[9] + ny * X[10] + nz * X[11] - plane[3];
  const ex = hx * (nx * X[0] + ny * X[3] + nz * X[6]);
  const ey = hy * (nx * X[1] + ny * X[4] + nz * X[7]);
  const ez = hz * (nx * X[2] + ny * X[5] + nz * X[8]);
  if (middle - Math.abs(ex) - Math.abs(ey) - Math.abs(ez) > margin) return;
  let count = 0;
  for (let i = 0; i < 8; i++) {
    const gap = middle + (i & 1 ? ex : -ex) + (i & 2 ? ey : -ey) + (i & 4 ? ez : -ez);
    heights[i] = gap;
    if (gap > margin) continue;
    let at = count++;
    while (at > 0 && heights[order[at - 1]] > gap) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = i;
  }
  const kept = Math.min(count, 4);
  let chosen = 0;
  for (let k = 0; k < kept; k++) chosen |= 1 << order[k];
  normal[0] = sign * nx;
  normal[1] = sign * ny;
  normal[2] = sign * nz;
  for (let i = 0; i < 8; i++) {
    if ((chosen & (1 << i)) === 0) continue;
    const x = i & 1 ? hx : -hx;
    const y = i & 2 ? hy : -hy;
    const z = i & 4 ? hz : -hz;
    const gap = heights[i];
    point[0] = X[9] + X[0] * x + X[1] * y + X[2] * z - 0.5 * gap * nx;
    point[1] = X[10] + X[3] * x + X[4] * y + X[5] * z - 0.5 * gap * ny;
    point[2] = X[11] + X[6] * x + X[7] * y + X[8] * z - 0.5 * gap * nz;
    contacts.add(pair, i, gap, point, normal, X_A);
  }
}

const local = new Float64Array(3);
const nearest = new Float64Array(3);

/** `sign`: 1 where the box is a. */
function addBallOnBox(
  contacts: ContactSet,
  pair: number,
  box: Collider,
  X: Float64Array,
  ball: Collider,
  X_S: Float64Array,
  margin: number,
  sign: number,
  X_A: Float64Array,
): boolean {
  const { core } = box;
  const half0 = core.x;
  const half1 = core.y;
  const half2 = core.z;
  const dx = X_S[9] - X[9];
  const dy = X_S[10] - X[10];
  const dz = X_S[11] - X[11];
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const half = k === 0 ? half0 : k === 1 ? half1 : half2;
    const v = X[k] * dx + X[3 + k] * dy + X[6 + k] * dz;
    local[k] = v;
    nearest[k] = v < -half ? -half : Math.min(v, half);
    squared += (v - nearest[k]) * (v - nearest[k]);
  }
  const r = ball.core.radius;
  if (squared > (r + margin) * (r + margin)) return true;
  let gap: number;
  let nx = 0;
  let ny = 0;
  let nz = 0;
  if (squared > 0) {
    const far = Math.sqrt(squared);
    gap = far - r;
    nx = (local[0] - nearest[0]) / far;
    ny = (local[1] - nearest[1]) / far;
    nz = (local[2] - nearest[2]) / far;
  } else {
    // The centre is inside: out through the nearest face.
    const d0 = half0 - Math.abs(local[0]);
    const d1 = half1 - Math.abs(local[1]);
    const d2 = half2 - Math.abs(local[2]);
    const least = Math.min(d0, d1, d2);
    if (d0 === least) nx = local[0] < 0 ? -1 : 1;
    else if (d1 === least) ny = local[1] < 0 ? -1 : 1;
    else nz = local[2] < 0 ? -1 : 1;
    gap = -least - r;
    for (let k = 0; k < 3; k++) nearest[k] = local[k] + least * (k === 0 ? nx : k === 1 ? ny : nz);
  }
  for (let k = 0; k < 3; k++) {
    const n = X[3 * k] * nx + X[3 * k + 1] * ny + X[3 * k + 2] * nz;
    const p = X[9 + k] + X[3 * k] * nearest[0] + X[3 * k + 1] * nearest[1] + X[3 * k + 2] * nearest[2];
    normal[k] = sign * n;
    point[k] = p + 0.5 * gap * n;
  }
  contacts.add(pair, 0, gap, point, normal, X_A);
  return true;
}

/**
 * Do two cores come within a distance of each other, where GJK ran out of digits? On needles and plates some 1e6 times as long
 * as thick, the direction of the closest point is rounding long before the question is open.
 *
 * Method: whether C = A - B, inflated by a ball, holds the origin is the same question after any linear map. 1. four far points
 * of C give three orthogonal axes and C's extents along them; 2. GJK runs on C scaled to the same extent along all three, with
 * a ball's share in each support point; 3. a tetrahedron around the origin means yes; a support plane that keeps more than
 * the distance, measured unscaled, means no.
 * Source: ours; the axes are a pivoted Gram-Schmidt basis, Golub, Van Loan, "Matrix Computations", section 5.4.
 * Frames: A's frame. Writes the state's simplex; the best bound and its direction stay. Cost: 20 support points and 5-20 rounds
 * of 0.1 us, and only where GJK ended at a limit. Returns DECIDE_OPEN when rounding leaves the question open here too.
 * Checked by needles.test.ts.
 */
import { keepTrial, setTrialVertex, solveSegment, solveTetrahedron, solveTriangle, trial } from './convex-simplex';
import { F64, isKnownVertex, s, supportDifference } from './convex-state';

export const DECIDE_OPEN = 0;
export const DECIDE_WITHIN = 1;
export const DECIDE_BEYOND = 2;

const MAX_ROUNDS = 100;
const MAX_BLIND_ROUNDS = 8;
/** Scaled |v| that is the origin, and height that is none. */
const ZERO = 1e-13;
const FLAT = 1e-15;
const HALF_ROOT = 0.7071067811865476;

/** The axes, row by row, and one over C's extent along each. */
const axes = changetype<F64>(memory.data(72, 16));
const inverse = changetype<F64>(memory.data(24, 16));
/** Vertices of the simplex, inflated and scaled. */
const scaledW = changetype<F64>(memory.data(96, 16));
/** The first far point of C, and unit direction from the origin to the present v, unscaled. */
const start = changetype<F64>(memory.data(24, 16));
const n = changetype<F64>(memory.data(24, 16));
const far = changetype<F64>(memory.data(24, 16));
let farthest: f64 = 0;

/** Support point of C along (x, y, z) less `start`, without its parts along the first `known` axes, to `far` if it is the longest. */
function offerFar(x: f64, y: f64, z: f64, known: i32): void {
  s.d[0] = x;
  s.d[1] = y;
  s.d[2] = z;
  supportDifference(3);
  let px = s.w[9] - start[0];
  let py = s.w[10] - start[1];
  let pz = s.w[11] - start[2];
  for (let i = 0; i < 3 * known; i += 3) {
    const along = axes[i] * px + axes[i + 1] * py + axes[i + 2] * pz;
    px -= along * axes[i];
    py -= along * axes[i + 1];
    pz -= along * axes[i + 2];
  }
  const length = sqrt(px * px + py * py + pz * pz);
  if (!(length > farthest)) return;
  farthest = length;
  far[0] = px;
  far[1] = py;
  far[2] = pz;
}

/** `far` as axis i, orthogonal to the earlier ones to rounding. */
function keepAxis(i: i32): void {
  const at = 3 * i;
  for (let j = 0; j < at; j += 3) {
    const along = far[0] * axes[j] + far[1] * axes[j + 1] + far[2] * axes[j + 2];
    for (let k = 0; k < 3; k++) far[k] -= along * axes[j + k];
  }
  const length = sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
  for (let k = 0; k < 3; k++) axes[at + k] = far[k] / length;
}

/** Step 1. `radius` of the ball. False when C has no extent along an axis. */
function findAxes(radius: f64): bool {
  s.d[0] = 1;
  s.d[1] = 0;
  s.d[2] = 0;
  supportDifference(3);
  for (let k = 0; k < 3; k++) start[k] = s.w[9 + k];
  farthest = 0;
  for (let k = 0; k < 3; k++)
    for (let sign: f64 = -1; sign < 2; sign += 2) offerFar(k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0, 0);
  const scale = farthest + radius;
  if (!(farthest > FLAT * scale)) return false;
  keepAxis(0);
  inverse[0] = 1 / scale;
  // Any two axes across the first, an eighth of a turn at a time.
  const x = axes[0];
  const y = axes[1];
  const z = axes[2];
  const sign: f64 = z < 0 ? -1 : 1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  const px = 1 + sign * x * x * a;
  const py = sign * b;
  const pz = -sign * x;
  const qx = b;
  const qy = sign + y * y * a;
  const qz = -y;
  farthest = 0;
  let c: f64 = 1;
  let t: f64 = 0;
  for (let i = 0; i < 8; i++) {
    offerFar(c * px + t * qx, c * py + t * qy, c * pz + t * qz, 1);
    const turned = (c - t) * HALF_ROOT;
    t = (c + t) * HALF_ROOT;
    c = turned;
  }
  if (!(farthest > FLAT * scale)) return false;
  keepAxis(1);
  inverse[1] = 1 / (farthest + radius);
  const rx = axes[1] * axes[5] - axes[2] * axes[4];
  const ry = axes[2] * axes[3] - axes[0] * axes[5];
  const rz = axes[0] * axes[4] - axes[1] * axes[3];
  farthest = 0;
  offerFar(rx, ry, rz, 2);
  offerFar(-rx, -ry, -rz, 2);
  if (!(farthest + radius > FLAT * scale)) return false;
  axes[6] = rx;
  axes[7] = ry;
  axes[8] = rz;
  inverse[2] = 1 / (farthest + radius);
  return true;
}

/** v, scaled like a point; the simplex starts from its direction. */
function startFromV(): void {
  const x = s.v[0];
  const y = s.v[1];
  const z = s.v[2];
  let squared: f64 = 0;
  for (let i = 0; i < 3; i++) {
    const along = inverse[i] * (axes[3 * i] * x + axes[3 * i + 1] * y + axes[3 * i + 2] * z);
    s.v[i] = along;
    squared += along * along;
  }
  if (!(squared > 0)) s.v[0] = 1;
}

/** The support point opposite the scaled v: vertex `slot`, unscaled and scaled. Returns how far its plane is from the origin. */
function addVertex(slot: i32, radius: f64): f64 {
  let squared: f64 = 0;
  const at = 3 * slot;
  for (let k = 0; k < 3; k++) {
    n[k] = axes[k] * inverse[0] * s.v[0] + axes[3 + k] * inverse[1] * s.v[1] + axes[6 + k] * inverse[2] * s.v[2];
    squared += n[k] * n[k];
  }
  const length = sqrt(squared);
  for (let k = 0; k < 3; k++) {
    n[k] /= length;
    s.d[k] = -n[k];
  }
  supportDifference(slot);
  const x = s.w[at] - radius * n[0];
  const y = s.w[at + 1] - radius * n[1];
  const z = s.w[at + 2] - radius * n[2];
  for (let i = 0; i < 3; i++)
    scaledW[at + i] = inverse[i] * (axes[3 * i] * x + axes[3 * i + 1] * y + axes[3 * i + 2] * z);
  const lower = n[0] * s.w[at] + n[1] * s.w[at + 1] + n[2] * s.w[at + 2];
  if (lower > s.lowerBound) {
    s.lowerBound = lower;
    for (let k = 0; k < 3; k++) s.lowerV[k] = n[k];
  }
  return lower;
}

/** Makes the last answer the simplex, its scaled vertices too, and v. */
function keepScaled(): void {
  keepTrial();
  for (let i = 0; i < trial.count; i++) {
    const from = 3 * trial.index[i];
    const to = 3 * i;
    if (from != to) for (let k = 0; k < 3; k++) scaledW[to + k] = scaledW[from + k];
  }
}

/** Turns v exactly across the simplex: a v of 1e-9 has but seven digits of its direction, and long edges feel the eighth. */
function straightenV(): void {
  const v = s.v;
  const ux = scaledW[3] - scaledW[0];
  const uy = scaledW[4] - scaledW[1];
  const uz = scaledW[5] - scaledW[2];
  if (s.count == 2) {
    const t = (v[0] * ux + v[1] * uy + v[2] * uz) / (ux * ux + uy * uy + uz * uz);
    v[0] -= t * ux;
    v[1] -= t * uy;
    v[2] -= t * uz;
  } else if (s.count == 3) {
    const wx = scaledW[6] - scaledW[0];
    const wy = scaledW[7] - scaledW[1];
    const wz = scaledW[8] - scaledW[2];
    const x = uy * wz - uz * wy;
    const y = uz * wx - ux * wz;
    const z = ux * wy - uy * wx;
    const along = v[0] * x + v[1] * y + v[2] * z;
    if (along == 0) return;
    const t = along / (x * x + y * y + z * z);
    v[0] = t * x;
    v[1] = t * y;
    v[2] = t * z;
  }
}

/**
 * Whether the cores come within `distance`, from the state's v on, then from either end of each axis: where faces are parallel but
 * for rounding, one way ends on a sliver that another never meets. On DECIDE_WITHIN at distance 0 the simplex, unscaled, holds the
 * origin up to rounding; v has no meaning then.
 */
export function decideWithin(distance: f64): i32 {
  if (!findAxes(distance)) return DECIDE_OPEN;
  startFromV();
  let verdict = runScaled(distance);
  for (let i = 0; i < 6 && verdict == DECIDE_OPEN; i++) {
    for (let k = 0; k < 3; k++) s.v[k] = k == i >> 1 ? (i & 1 ? -1 : 1) : 0;
    verdict = runScaled(distance);
  }
  return verdict;
}

/** GJK on the scaled C, from the direction of v. */
function runScaled(distance: f64): i32 {
  let vv: f64 = f64.POSITIVE_INFINITY;
  let blindRounds = 0;
  s.count = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    s.rounds++;
    const slot = s.count;
    if (addVertex(slot, distance) > distance) return DECIDE_BEYOND;
    if (isKnownVertex(scaledW, slot)) return DECIDE_OPEN;
    if (slot == 0) setTrialVertex(scaledW, 0);
    else if (slot == 1) solveSegment(scaledW, 0, 1);
    else if (slot == 2) solveTriangle(scaledW, 0, 1, 2);
    else {
      trial.point[4] = FLAT;
      if (!solveTetrahedron(scaledW)) {
        s.count = 4;
        return DECIDE_WITHIN;
      }
    }
    const next = trial.point[3];
    if (next >= vv && ++blindRounds > MAX_BLIND_ROUNDS) return DECIDE_OPEN;
    vv = next;
    keepScaled();
    straightenV();
    if (vv <= ZERO * ZERO) return DECIDE_WITHIN;
  }
  return DECIDE_OPEN;
}

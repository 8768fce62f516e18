/**
 * Contact points of a touching pair, as many as the caller has room for, each with its own depth; the first has the pair's.
 *
 * Method: 1. the signed distance decides whether there is contact, and gives the normal and one contact; 2. convex pairs
 * that touch along faces or edges get the corners of the features' overlap (manifold.ts), a half-space those of the other
 * shape's feature, or a mesh's outermost vertices; 3. with a mesh, every touching triangle gives its own contacts by the
 * same means; when both shapes are solid the pair's own contact comes first, whose depth separates them whole; with shapes
 * made of parts, every touching pair of parts (group-contacts.ts); 4. where none of these is as deep as the pair, its own
 * contact is added; 5. more than fit are thinned: the deepest, then always the one farthest from those chosen.
 * Frames: world; normal from A to B; point midway between the two surfaces. Cost: a distance query plus a few microseconds,
 * or microseconds per touching triangle. Checked by contacts.test.ts.
 */

import { collideMeshMesh } from '../bvh/collide-mesh.js';
import { CORE_POINTS, SupportCore } from '../geometry/support.js';
import { requireCount, requireList, throwMisuse } from '../math/arguments.js';
import { cos } from '../math/scalar.js';
import { relativeTransform, type Transform } from '../math/transform.js';
import { type Collider, GROUP, HALFSPACE, MESH } from './collider.js';
import { measureCores } from './convex-pairs.js';
import { loadTriangleCore } from './core-pairs.js';
import { distance } from './distance.js';
import { GROUP_CONTACT_STRIDE, gatherGroupContacts } from './group-contacts.js';
import { clipFeatures, limitDepths, MANIFOLD_STRIDE, MAX_MANIFOLD } from './manifold.js';
import { resolveTolerance } from './measure-pair.js';
import { visitNearTriangles } from './near-triangles.js';
import { limitBound } from './pair-arguments.js';
import { SIGNED } from './pair-result.js';
import { type Contact, createDistanceResult, type DistanceResult, type PairOptions } from './query.js';
import { findSupportFeature, MAX_CORNERS } from './support-feature.js';

/** Sine within which faces and edges count as facing each other. */
const FACING = 0.02;
/** Candidates gathered before thinning. */
const MAX_CANDIDATES = 64;
/** x y z of the point, x y z of the normal, depth, triangleA, triangleB, childA, childB. */
const STRIDE = GROUP_CONTACT_STRIDE;

const pair = createDistanceResult();
const single = createDistanceResult();
const candidates = new Float64Array(STRIDE * MAX_CANDIDATES);
const manifold = new Float64Array(MANIFOLD_STRIDE * MAX_MANIFOLD);
const feature = new Float64Array(3 * MAX_CORNERS);
const localNormal = new Float64Array(3);
const X_AB = new Float64Array(12);
const X_SC = new Float64Array(12);
const triangleA = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const triangleB = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const groupRows: number[] = [];
/** Directions along a plane, as cosine and sine, and what lies farthest along each: reach; point and depth. */
const DIRECTIONS = 8;
const turns = Float64Array.from({ length: 2 * DIRECTIONS }, (_, i) =>
  cos((Math.PI / 4) * (i >> 1) - (Math.PI / 2) * (i & 1)),
);
const reach = new Float64Array(DIRECTIONS);
const farthest = new Float64Array(4 * DIRECTIONS);
const across = new Float64Array(6);
let count = 0;
/** The pair's default touching tolerance: depths closer than this are the same. */
let slack = 0;

/** Room for up to `count` contacts, at least one, to be reused by every `computeContacts`. */
export function createContacts(count: number): Contact[] {
  requireCount('createContacts', 'count', count, 1);
  return Array.from({ length: count }, () => ({
    point: new Float64Array(3),
    normal: new Float64Array(3),
    depth: 0,
    triangleA: -1,
    triangleB: -1,
    childA: -1,
    childB: -1,
  }));
}

/** Adds the contact of a result given in frame F, of A and B or, `swapped`, of B and A. */
function addResult(r: DistanceResult, X_WF: Transform | null, swapped: boolean, a: number, b: number): void {
  if (count === MAX_CANDIDATES) return;
  const at = STRIDE * count++;
  const { pointA: p, pointB: q, normal: n } = r;
  for (let k = 0; k < 3; k++) {
    let point = 0.5 * (p[k] + q[k]);
    let normal = n[k];
    if (X_WF) {
      point = X_WF[9 + k];
      normal = 0;
      for (let m = 0; m < 3; m++) {
        point += 0.5 * X_WF[3 * k + m] * (p[m] + q[m]);
        normal += X_WF[3 * k + m] * n[m];
      }
    }
    candidates[at + k] = point;
    candidates[at + 3 + k] = swapped ? -normal : normal;
  }
  candidates[at + 6] = -r.distance;
  candidates[at + 7] = a;
  candidates[at + 8] = b;
  candidates[at + 9] = swapped ? r.childB : r.childA;
  candidates[at + 10] = swapped ? r.childA : r.childB;
}

/** Adds the clipped features of a result in frame F; the result itself where they meet in a point. */
function addFeatures(
  r: DistanceResult,
  cores: readonly [SupportCore, SupportCore, Transform],
  X_WF: Transform,
  swapped: boolean,
  triangles: readonly [number, number],
): void {
  const found = clipFeatures(manifold, cores[0], cores[1], cores[2], r.normal, FACING);
  if (found === 0) {
    addResult(r, X_WF, swapped, triangles[0], triangles[1]);
    return;
  }
  if (limitDepths(manifold, found, -r.distance, slack)) addResult(r, X_WF, swapped, triangles[0], triangles[1]);
  const { distance: whole } = r;
  for (let i = 0; i < found; i++) {
    const at = MANIFOLD_STRIDE * i;
    for (let k = 0; k < 3; k++) {
      r.pointA[k] = manifold[at + k];
      r.pointB[k] = manifold[at + 3 + k];
    }
    r.distance = -manifold[at + 6];
    addResult(r, X_WF, swapped, triangles[0], triangles[1]);
  }
  r.distance = whole;
}

/** Adds a point with the pair's normal and its own depth. */
function addPoint(x: number, y: number, z: number, depth: number): void {
  if (count === MAX_CANDIDATES) return;
  const at = STRIDE * count++;
  candidates[at] = x;
  candidates[at + 1] = y;
  candidates[at + 2] = z;
  for (let k = 0; k < 3; k++) candidates[at + 3 + k] = pair.normal[k];
  candidates[at + 6] = depth;
  for (let k = 7; k < STRIDE; k++) candidates[at + k] = -1;
}

function rotateInto(out: Float64Array, X: Transform, v: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = X[k] * v[0] + X[3 + k] * v[1] + X[6 + k] * v[2];
}

function addConvexManifold(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): void {
  relativeTransform(X_AB, X_WA, X_WB);
  rotateInto(localNormal, X_WA, pair.normal);
  const found = clipFeatures(manifold, a.core, b.core, X_AB, localNormal, FACING);
  if (found > 0 && limitDepths(manifold, found, -pair.distance, slack)) addResult(pair, null, false, -1, -1);
  for (let i = 0; i < found; i++) {
    const at = MANIFOLD_STRIDE * i;
    const x = 0.5 * (manifold[at] + manifold[at + 3]);
    const y = 0.5 * (manifold[at + 1] + manifold[at + 4]);
    const z = 0.5 * (manifold[at + 2] + manifold[at + 5]);
    addPoint(
      X_WA[0] * x + X_WA[1] * y + X_WA[2] * z + X_WA[9],
      X_WA[3] * x + X_WA[4] * y + X_WA[5] * z + X_WA[10],
      X_WA[6] * x + X_WA[7] * y + X_WA[8] * z + X_WA[11],
      manifold[at + 6],
    );
  }
}

/** Corners of the shape's feature over the plane; `sign` turns the pair's normal from the shape into the half-space. */
function addHalfSpaceManifold(shape: Collider, X_WS: Transform, sign: number): void {
  for (let k = 0; k < 3; k++) single.normal[k] = sign * pair.normal[k];
  rotateInto(localNormal, X_WS, single.normal);
  const { normal } = single;
  const found = findSupportFeature(feature, shape.core, localNormal[0], localNormal[1], localNormal[2], FACING);
  if (found < 2) return;
  const plane = sign > 0 ? pair.pointB : pair.pointA;
  for (let i = 0; i < found; i++) {
    const x = feature[3 * i];
    const y = feature[3 * i + 1];
    const z = feature[3 * i + 2];
    let depth = 0;
    for (let k = 0; k < 3; k++) {
      single.pointA[k] = X_WS[3 * k] * x + X_WS[3 * k + 1] * y + X_WS[3 * k + 2] * z + X_WS[9 + k];
      depth += (single.pointA[k] - plane[k]) * normal[k];
    }
    for (let k = 0; k < 3; k++) single.pointA[k] -= 0.5 * depth * normal[k];
    addPoint(single.pointA[0], single.pointA[1], single.pointA[2], depth);
  }
}

/** Vertices of a mesh below the plane that lie farthest out in eight directions along it; `sign` as above. */
function addHalfSpaceVertices(shape: Collider, X_WS: Transform, sign: number, bound: number): void {
  const mesh = shape.bvh?.mesh;
  if (!mesh) return;
  const plane = sign > 0 ? pair.pointB : pair.pointA;
  for (let k = 0; k < 3; k++) single.normal[k] = sign * pair.normal[k];
  const { normal: n, pointA: p } = single;
  setAcross(n);
  reach.fill(-Infinity);
  const { triangles, vertices } = mesh;
  for (let i = 0; i < triangles.length; i++) {
    const v = 3 * triangles[i];
    let depth = 0;
    let u = 0;
    let w = 0;
    for (let k = 0; k < 3; k++) {
      p[k] =
        X_WS[3 * k] * vertices[v] + X_WS[3 * k + 1] * vertices[v + 1] + X_WS[3 * k + 2] * vertices[v + 2] + X_WS[9 + k];
      depth += (p[k] - plane[k]) * n[k];
      u += (p[k] - plane[k]) * across[k];
      w += (p[k] - plane[k]) * across[3 + k];
    }
    if (depth < -bound) continue;
    for (let j = 0; j < DIRECTIONS; j++) {
      const out = u * turns[2 * j] + w * turns[2 * j + 1];
      if (out <= reach[j]) continue;
      reach[j] = out;
      for (let k = 0; k < 3; k++) farthest[4 * j + k] = p[k] - 0.5 * depth * n[k];
      farthest[4 * j + 3] = depth;
    }
  }
  for (let j = 0; j < DIRECTIONS; j++)
    if (reach[j] > -Infinity) addPoint(farthest[4 * j], farthest[4 * j + 1], farthest[4 * j + 2], farthest[4 * j + 3]);
}

/** Two unit vectors across n, into `across`. */
function setAcross(n: Float64Array): void {
  const k =
    Math.abs(n[0]) <= Math.abs(n[1]) && Math.abs(n[0]) <= Math.abs(n[2]) ? 0 : Math.abs(n[1]) <= Math.abs(n[2]) ? 1 : 2;
  let squared = 0;
  for (let m = 0; m < 3; m++) {
    across[m] = (m === k ? 1 : 0) - n[k] * n[m];
    squared += across[m] * across[m];
  }
  for (let m = 0; m < 3; m++) across[m] /= Math.sqrt(squared);
  across[3] = n[1] * across[2] - n[2] * across[1];
  across[4] = n[2] * across[0] - n[0] * across[2];
  across[5] = n[0] * across[1] - n[1] * across[0];
}

/** Contacts of a convex shape with every touching triangle of a mesh. */
function addTriangles(
  shape: Collider,
  X_WS: Transform,
  mesh: Collider,
  X_WM: Transform,
  limit: Readonly<{ bound: number; swapped: boolean }>,
): void {
  if (!mesh.bvh || shape.type >= HALFSPACE) return;
  const { bound, swapped } = limit;
  relativeTransform(X_SC, X_WS, X_WM);
  visitNearTriangles(shape, mesh, X_SC, bound, (triangle) => {
    loadTriangleCore(triangleB, mesh, triangle);
    measureCores(single, shape.core, triangleB, X_SC, bound, SIGNED);
    if (single.status !== 'beyond-bound' && single.distance <= bound)
      addFeatures(single, [shape.core, triangleB, X_SC], X_WS, swapped, swapped ? [triangle, -1] : [-1, triangle]);
    return count < MAX_CANDIDATES;
  });
}

function addTrianglePairs(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform, bound: number): void {
  if (!a.bvh || !b.bvh) return;
  relativeTransform(X_AB, X_WA, X_WB);
  const outPairs: number[] = [];
  collideMeshMesh(a.bvh, b.bvh, X_AB, { tolerance: bound, maxPairs: MAX_CANDIDATES, outPairs });
  for (let i = 0; i < outPairs.length; i += 2) {
    loadTriangleCore(triangleA, a, outPairs[i]);
    loadTriangleCore(triangleB, b, outPairs[i + 1]);
    measureCores(single, triangleA, triangleB, X_AB, Infinity, SIGNED);
    addFeatures(single, [triangleA, triangleB, X_AB], X_WA, false, [outPairs[i], outPairs[i + 1]]);
  }
}

/** Contacts of all touching parts, from A's frame to world. */
function addGroupContacts(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform, bound: number): void {
  relativeTransform(X_AB, X_WA, X_WB);
  rotateInto(single.normal, X_WA, pair.normal);
  const rows = Math.min(gatherGroupContacts(groupRows, a, b, X_AB, bound, single), MAX_CANDIDATES - 1);
  for (let i = 0; i < STRIDE * rows; i++) candidates[i] = groupRows[i];
  for (let i = 0; i < rows; i++) {
    const at = STRIDE * i;
    turnInto(at, X_WA, 1);
    turnInto(at + 3, X_WA, 0);
  }
  count = rows;
}

/** Maps the three numbers at `at` of the candidates by X. */
function turnInto(at: number, X: Transform, w: number): void {
  const x = candidates[at];
  const y = candidates[at + 1];
  const z = candidates[at + 2];
  for (let k = 0; k < 3; k++) candidates[at + k] = X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z + w * X[9 + k];
}

/** No candidate is as deep as the pair. */
function isShallow(): boolean {
  for (let i = 0; i < count; i++) if (candidates[STRIDE * i + 6] >= -pair.distance - slack) return false;
  return true;
}

/** Copies the candidates that span the contact best: `first`, or if -1 the deepest, then always the farthest from those taken. */
function takeContacts(out: readonly Contact[], least: number, first: number): number {
  let taken = 0;
  const nearest = new Float64Array(count).fill(Infinity);
  for (let i = 0; i < count; i++) if (candidates[STRIDE * i + 6] < least) nearest[i] = -1;
  while (taken < out.length) {
    let best = taken === 0 && first >= 0 && nearest[first] > 0 ? first : -1;
    for (let i = 0; i < count; i++) {
      if (nearest[i] <= 0 || (taken === 0 && best === first && first >= 0)) continue;
      if (best < 0) best = i;
      else if (taken === 0 ? candidates[STRIDE * i + 6] > candidates[STRIDE * best + 6] : nearest[i] > nearest[best])
        best = i;
    }
    if (best < 0) break;
    const at = STRIDE * best;
    const contact = out[taken++];
    for (let k = 0; k < 3; k++) {
      contact.point[k] = candidates[at + k];
      contact.normal[k] = candidates[at + 3 + k];
    }
    contact.depth = candidates[at + 6];
    contact.triangleA = candidates[at + 7];
    contact.triangleB = candidates[at + 8];
    contact.childA = candidates[at + 9];
    contact.childB = candidates[at + 10];
    for (let i = 0; i < count; i++) {
      const x = candidates[STRIDE * i] - candidates[at];
      const y = candidates[STRIDE * i + 1] - candidates[at + 1];
      const z = candidates[STRIDE * i + 2] - candidates[at + 2];
      nearest[i] = Math.min(nearest[i], x * x + y * y + z * z);
    }
    nearest[best] = -1;
  }
  return taken;
}

/**
 * Writes at most out.length contacts to out[0 ..] and returns how many; 0 when the pair does not touch (within margin
 * and touching tolerance). Make `out` with `createContacts`. Throws on poses that are not finite.
 */
export function computeContacts(
  out: readonly Contact[],
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  options?: PairOptions,
): number {
  requireList('computeContacts', 'out', out, 'what createContacts returned');
  for (let i = 0; i < out.length; i++)
    if (out[i]?.point?.length !== 3 || out[i].normal?.length !== 3)
      throwMisuse('computeContacts', `out[${i}]`, out[i], 'what createContacts returned');
  distance(pair, a, X_WA, b, X_WB, options);
  if (!pair.collides) return 0;
  const bound = limitBound(resolveTolerance(a, X_WA, b, X_WB, options) + (options?.margin ?? 0));
  slack = resolveTolerance(a, X_WA, b, X_WB, undefined);
  count = 0;
  const isGroup = a.type === GROUP || b.type === GROUP;
  const withMesh = isGroup || a.type === MESH || b.type === MESH;
  const isSolid = a.isSolid && b.isSolid;
  if (isGroup) {
    if (a.type !== HALFSPACE && b.type !== HALFSPACE) addGroupContacts(a, X_WA, b, X_WB, bound);
  } else if (!withMesh) {
    if (a.hasCore && b.hasCore) addConvexManifold(a, X_WA, b, X_WB);
    else if (a.hasCore) addHalfSpaceManifold(a, X_WA, 1);
    else if (b.hasCore) addHalfSpaceManifold(b, X_WB, -1);
  } else if (a.type === HALFSPACE) addHalfSpaceVertices(b, X_WB, -1, bound);
  else if (b.type === HALFSPACE) addHalfSpaceVertices(a, X_WA, 1, bound);
  else if (a.type === MESH && b.type === MESH) addTrianglePairs(a, X_WA, b, X_WB, bound);
  else if (a.type === MESH) addTriangles(b, X_WB, a, X_WA, { bound, swapped: true });
  else addTriangles(a, X_WA, b, X_WB, { bound, swapped: false });
  const isPlane = a.type === HALFSPACE || b.type === HALFSPACE;
  const isWhole = withMesh && isSolid && !isPlane;
  if (isShallow() || isWhole) {
    if (count === MAX_CANDIDATES) count--;
    addResult(pair, null, false, pair.featureA, pair.featureB);
  }
  // A triangle alone may be deeper along its own normal.
  return takeContacts(out, -bound, isWhole ? count - 1 : -1);
}

/**
 * Visits the pairs of parts of two colliders that come near each other; a collider without parts is its own only part.
 *
 * Method: both hierarchies at once, depth first, the nearer pair of children first, the larger node opened. The bound of
 * two boxes is the larger of the right-triangle bounds along the axes of either frame; a node against a half-space is
 * bounded by the plane, and one against a mesh is dropped when no triangle is near it and it lies outside the solid.
 * Parts that have parts themselves are walked in turn, with a stack of their own.
 * Frames: A's frame; the pair that is visited has the frames of its parts. Cost: about 50 ns per pair of nodes.
 * The visitor may not walk parts itself. Checked by test/contract/part-shapes.test.ts.
 */
import { createTransform, invertTransform, multiplyTransform, type Transform } from '../math/transform.js';
import { type Collider, HALFSPACE, MESH } from './collider.js';
import { isInsideMesh } from './containment.js';
import { isTriangleNear } from './near-triangles.js';
import { Part, type PartGroup } from './part-group.js';

/** Two parts, as the visitor sees them; reused. */
export interface PartPair {
  a: Collider;
  b: Collider;
  /** Part b in the frame of part a. */
  X_AB: Transform;
  /** Part a in the frame of the whole A. */
  readonly X_WholeA: Transform;
  /** Features and children as in DistanceResult; -1 where the part is the whole, or answers for itself. */
  featureA: number;
  featureB: number;
  childA: number;
  childB: number;
}

/** Returns the radius to go on with; -Infinity ends the walk. */
export type PartVisitor = (pair: PartPair) => number;

/** Relative rounding of a box bound. */
const ROUNDING = 2e-15;

class Level {
  nodesA = new Int32Array(128);
  nodesB = new Int32Array(128);
  gaps = new Float64Array(128);
  readonly partA = new Part<Collider>(0);
  readonly partB = new Part<Collider>(1);
  readonly X_AB = createTransform();
  readonly X_BA = createTransform();
  readonly X_WholeA = createTransform();
  /** Part pair, and B's part in A's frame. */
  readonly X_Parts = createTransform();
  readonly X_Part = createTransform();
  readonly X_Inverse = createTransform();
  slack = 0;

  reserve(top: number): void {
    if (top + 2 <= this.nodesA.length) return;
    for (const name of ['nodesA', 'nodesB'] as const) {
      const more = new Int32Array(2 * this[name].length);
      more.set(this[name]);
      this[name] = more;
    }
    const more = new Float64Array(2 * this.gaps.length);
    more.set(this.gaps);
    this.gaps = more;
  }
}

const levels: Level[] = [];
let radius = 0;
let boxTests = 0;
const middle = new Float64Array(3);

/** Box pairs tested since the module was loaded; queries report differences. */
export function countBoxTests(): number {
  return boxTests;
}

function leg(gap: number): number {
  return gap > 0 ? gap * gap : 0;
}

/** Lower bound of the distance of box p[pAt..] in frame F and box q[qAt..] in frame G, along the axes of F. */
function gapAlong(p: Float64Array, pAt: number, q: Float64Array, qAt: number, X_FG: Transform): number {
  const cx = 0.5 * (q[qAt] + q[qAt + 3]);
  const cy = 0.5 * (q[qAt + 1] + q[qAt + 4]);
  const cz = 0.5 * (q[qAt + 2] + q[qAt + 5]);
  const hx = 0.5 * (q[qAt + 3] - q[qAt]);
  const hy = 0.5 * (q[qAt + 4] - q[qAt + 1]);
  const hz = 0.5 * (q[qAt + 5] - q[qAt + 2]);
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const x = X_FG[3 * k];
    const y = X_FG[3 * k + 1];
    const z = X_FG[3 * k + 2];
    const center = X_FG[9 + k] + x * cx + y * cy + z * cz - 0.5 * (p[pAt + k] + p[pAt + k + 3]);
    const half = Math.abs(x) * hx + Math.abs(y) * hy + Math.abs(z) * hz + 0.5 * (p[pAt + k + 3] - p[pAt + k]);
    sum += leg(Math.abs(center) - half);
  }
  return Math.sqrt(sum);
}

/** Signed distance of box q[qAt..] in frame G from the half-space's plane in frame F. */
function gapToPlane(plane: Float64Array, q: Float64Array, qAt: number, X_FG: Transform): number {
  let distance = -plane[3];
  for (let k = 0; k < 3; k++) {
    const n = plane[0] * X_FG[k] + plane[1] * X_FG[3 + k] + plane[2] * X_FG[6 + k];
    distance += plane[k] * X_FG[9 + k] + n * (n < 0 ? q[qAt + 3 + k] : q[qAt + k]);
  }
  return distance;
}

function boxesOf(collider: Collider): Float64Array {
  return collider.group ? collider.group.hierarchy.boxes : collider.localBounds;
}

/** False when a box cannot touch the mesh within the radius: no triangle near, and outside where the mesh is solid. */
function isNearMesh(
  mesh: Collider,
  boxes: Float64Array,
  at: number,
  X_MeshBox: Transform,
  X_BoxMesh: Transform,
): boolean {
  const { bvh } = mesh;
  if (!bvh || !(radius >= 0) || radius === Infinity) return true;
  if (isTriangleNear(bvh, boxes, at, X_BoxMesh, radius)) return true;
  if (!mesh.isSolid) return false;
  for (let k = 0; k < 3; k++) {
    middle[k] = X_MeshBox[9 + k];
    for (let m = 0; m < 3; m++) middle[k] += 0.5 * X_MeshBox[3 * k + m] * (boxes[at + m] + boxes[at + 3 + m]);
  }
  return isInsideMesh(bvh, mesh.isOriented, middle[0], middle[1], middle[2]);
}

/** Bound of a pair of nodes; Infinity when it can be dropped. */
function boundNodes(a: Collider, nodeA: number, b: Collider, nodeB: number, level: Level): number {
  boxTests++;
  const boxesA = boxesOf(a);
  const boxesB = boxesOf(b);
  if (a.type === HALFSPACE) return gapToPlane(a.plane, boxesB, 6 * nodeB, level.X_AB) - level.slack;
  let gap = gapAlong(boxesA, 6 * nodeA, boxesB, 6 * nodeB, level.X_AB);
  if (gap - level.slack <= radius) gap = Math.max(gap, gapAlong(boxesB, 6 * nodeB, boxesA, 6 * nodeA, level.X_BA));
  gap -= level.slack;
  if (gap > radius) return gap;
  if (a.type === MESH && b.group && nodeB > 0 && !isNearMesh(a, boxesB, 6 * nodeB, level.X_AB, level.X_BA))
    return Infinity;
  if (b.type === MESH && a.group && nodeA > 0 && !isNearMesh(b, boxesA, 6 * nodeA, level.X_BA, level.X_AB))
    return Infinity;
  return gap;
}

function extentOf(boxes: Float64Array, at: number): number {
  return boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2]);
}

function isLeaf(group: PartGroup<Collider> | null, node: number): boolean {
  return group === null || group.hierarchy.items[node] > 0;
}

const pair: PartPair = {
  a: null as unknown as Collider,
  b: null as unknown as Collider,
  X_AB: createTransform(),
  X_WholeA: createTransform(),
  featureA: -1,
  featureB: -1,
  childA: -1,
  childB: -1,
};

/** Calls `visit` for every pair of parts whose boxes come within the radius; some farther ones may be visited too. */
export function traverseParts(
  a: Collider,
  b: Collider,
  X_AB: Transform,
  startRadius: number,
  visit: PartVisitor,
): void {
  radius = startRadius;
  pair.childA = -1;
  pair.childB = -1;
  pair.featureA = -1;
  pair.featureB = -1;
  const level = takeLevel(0);
  level.X_AB.set(X_AB);
  level.X_WholeA.set(IDENTITY);
  walkLevel(a, b, 0, visit);
}

const IDENTITY = createTransform();

function takeLevel(depth: number): Level {
  if (depth === levels.length) levels.push(new Level());
  return levels[depth];
}

function setSlack(level: Level, a: Collider, b: Collider): void {
  const p = level.X_AB;
  level.slack = ROUNDING * (8 * (a.extent + b.extent) + Math.abs(p[9]) + Math.abs(p[10]) + Math.abs(p[11]));
}

function walkLevel(a: Collider, b: Collider, depth: number, visit: PartVisitor): void {
  const level = levels[depth];
  invertTransform(level.X_BA, level.X_AB);
  setSlack(level, a, b);
  const groupA = a.group;
  const groupB = b.group;
  level.nodesA[0] = 0;
  level.nodesB[0] = 0;
  level.gaps[0] = -Infinity;
  let top = 1;
  while (top > 0) {
    top--;
    if (level.gaps[top] > radius) continue;
    const nodeA = level.nodesA[top];
    const nodeB = level.nodesB[top];
    const leafA = isLeaf(groupA, nodeA);
    const leafB = isLeaf(groupB, nodeB);
    if (leafA && leafB) {
      visitLeaves(a, nodeA, b, nodeB, depth, visit);
      if (radius === -Infinity) return;
      continue;
    }
    const openA =
      !leafA && (leafB || extentOf(boxesOf(a), 6 * nodeA) >= extentOf(boxesOf(b), 6 * nodeB) || a.type === HALFSPACE);
    const right = ((openA ? groupA : groupB) as PartGroup<Collider>).hierarchy.right[openA ? nodeA : nodeB];
    const firstA = openA ? nodeA + 1 : nodeA;
    const firstB = openA ? nodeB : nodeB + 1;
    const secondA = openA ? right : nodeA;
    const secondB = openA ? nodeB : right;
    const first = boundNodes(a, firstA, b, firstB, level);
    const second = boundNodes(a, secondA, b, secondB, level);
    level.reserve(top);
    const nearFirst = first <= second;
    for (let turn = 0; turn < 2; turn++) {
      const takeFirst = (turn === 1) === nearFirst;
      const gap = takeFirst ? first : second;
      if (gap > radius) continue;
      level.nodesA[top] = takeFirst ? firstA : secondA;
      level.nodesB[top] = takeFirst ? firstB : secondB;
      level.gaps[top++] = gap;
    }
  }
}

function visitLeaves(a: Collider, nodeA: number, b: Collider, nodeB: number, depth: number, visit: PartVisitor): void {
  const groupA = a.group;
  const groupB = b.group;
  const firstA = groupA ? ~groupA.hierarchy.right[nodeA] : 0;
  const firstB = groupB ? ~groupB.hierarchy.right[nodeB] : 0;
  const endA = groupA ? firstA + groupA.hierarchy.items[nodeA] : 1;
  const endB = groupB ? firstB + groupB.hierarchy.items[nodeB] : 1;
  for (let i = firstA; i < endA; i++)
    for (let j = firstB; j < endB; j++) {
      visitPair(a, i, b, j, depth, visit);
      if (radius === -Infinity) return;
    }
}

function visitPair(a: Collider, i: number, b: Collider, j: number, depth: number, visit: PartVisitor): void {
  const level = levels[depth];
  const { partA, partB } = level;
  const { childA, childB, featureA, featureB } = pair;
  let X = level.X_AB;
  let partOfA = a;
  let partOfB = b;
  if (b.group) {
    const index = b.group.hierarchy.order[j];
    b.group.load(partB, index);
    partOfB = partB.collider as Collider;
    X = multiplyTransform(level.X_Part, X, partB.X);
    if (!b.group.isCompound) pair.featureB = index;
    else if (pair.childB < 0) pair.childB = index;
  }
  let X_Whole = level.X_WholeA;
  if (a.group) {
    const index = a.group.hierarchy.order[i];
    a.group.load(partA, index);
    partOfA = partA.collider as Collider;
    X = multiplyTransform(level.X_Parts, invertTransform(level.X_Inverse, partA.X), X);
    X_Whole = multiplyTransform(level.X_Inverse, X_Whole, partA.X);
    if (!a.group.isCompound) pair.featureA = index;
    else if (pair.childA < 0) pair.childA = index;
  }
  if (partOfA.group || partOfB.group) {
    const next = takeLevel(depth + 1);
    next.X_AB.set(X);
    next.X_WholeA.set(X_Whole);
    walkLevel(partOfA, partOfB, depth + 1, visit);
  } else {
    pair.a = partOfA;
    pair.b = partOfB;
    pair.X_AB = X;
    pair.X_WholeA.set(X_Whole);
    radius = visit(pair);
  }
  pair.childA = childA;
  pair.childB = childB;
  pair.featureA = featureA;
  pair.featureB = featureB;
}

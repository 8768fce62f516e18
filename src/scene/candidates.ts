/**
 * Which body pairs a query looks at, before any exact test.
 *
 * Method:
 *  1. Moving bodies (links and attached objects) are few: the pairs among them that no matrix allows are listed once
 *     and tested box against box in list order. Past LIST_LIMIT pairs a dynamic tree over the moving bodies takes over.
 *  2. Each moving body asks the tree of free objects.
 *  3. On request, pairs of free objects come from that tree's self traversal.
 * Boxes are compared with the pair's margin added, so no near pair is lost.
 *
 * Cost: O(pairs) box tests of about 2 ns for robots; O((k + n) log n) with trees. No allocation between structure changes.
 */
import type { BroadPhase } from '../broadphase/broad-phase.js';
import { createDynamicTree } from '../broadphase/dynamic-tree.js';
import { boxesOverlap } from './bodies.js';
import { fullName, pairKey, type Scene, type SceneBody } from './scene.js';

/** Return false to stop. `margin` is the pair's margin without the query's own. */
export type CandidateVisitor = (a: SceneBody, b: SceneBody, margin: number) => boolean;

export interface CandidateTable {
  revision: number;
  moving: SceneBody[];
  /** Pairs among moving bodies, parallel arrays; empty when the tree is used. */
  first: SceneBody[];
  second: SceneBody[];
  margins: Float64Array;
  tree: BroadPhase | null;
  /** Largest margin any pair can have, to inflate tree queries. */
  largestMargin: number;
  /** Pairs skipped by a matrix among moving bodies. */
  allowedCount: number;
}

const LIST_LIMIT = 20_000;
const tables = new WeakMap<Scene, CandidateTable>();

/** The scene's current table, rebuilt when bodies, matrices or margins changed. */
export function candidateTable(scene: Scene): CandidateTable {
  let table = tables.get(scene);
  if (!table || table.revision !== scene.revision) {
    table = buildTable(scene);
    tables.set(scene, table);
  }
  return table;
}

/** Margin of a pair: its own if set, else scene margin + both bodies' margins. */
export function pairMargin(scene: Scene, a: SceneBody, b: SceneBody): number {
  if (scene.pairMargins.size > 0) {
    const own = findByNames(scene, a, b, (x, y) => scene.pairMargins.get(pairKey(x, y)));
    if (own !== undefined) return own;
  }
  return scene.margin + a.margin + b.margin;
}

/** True when the two bodies are never checked against each other. */
export function isAllowedPair(scene: Scene, a: SceneBody, b: SceneBody): boolean {
  const attachedA = a.object?.attachment;
  const attachedB = b.object?.attachment;
  if (a.robot && a.robot === b.robot && a.robot.allowed.get(a.name, b.name)) return true;
  if (attachedA && b.robot === attachedA.robot && (attachedA.link === b.name || attachedA.touchLinks.has(b.name)))
    return true;
  if (attachedB && a.robot === attachedB.robot && (attachedB.link === a.name || attachedB.touchLinks.has(a.name)))
    return true;
  if (attachedA && attachedB && attachedA.robot === attachedB.robot && attachedA.frame === attachedB.frame) return true;
  return scene.allowed.size > 0 && findByNames(scene, a, b, (x, y) => scene.allowed.get(x, y)) !== undefined;
}

/** Looks up by full names; then by a link's own, for what was said before the link was in the scene. */
function findByNames<T>(
  scene: Scene,
  a: SceneBody,
  b: SceneBody,
  find: (a: string, b: string) => T | undefined,
): T | undefined {
  const first = fullName(a);
  const second = fullName(b);
  const shortA = scene.objects.has(a.name) ? first : a.name;
  const shortB = scene.objects.has(b.name) ? second : b.name;
  return find(first, second) ?? find(first, shortB) ?? find(shortA, second) ?? find(shortA, shortB);
}

/** Links and attached objects, robots in order of addition, then attached objects by name of addition. */
export function movingBodies(scene: Scene): SceneBody[] {
  const bodies: SceneBody[] = [];
  for (const robot of scene.robots) for (const link of robot.links) bodies.push(link.body);
  for (const object of scene.objects.values()) if (object.attachment) bodies.push(object.body);
  return bodies;
}

function buildTable(scene: Scene): CandidateTable {
  const moving = movingBodies(scene);
  const useTree = (moving.length * (moving.length - 1)) / 2 > LIST_LIMIT;
  const first: SceneBody[] = [];
  const second: SceneBody[] = [];
  const margins: number[] = [];
  let allowedCount = 0;
  let largestMargin = scene.margin;
  for (const margin of scene.pairMargins.values()) largestMargin = Math.max(largestMargin, margin);
  let largestBodyMargin = 0;
  let secondBodyMargin = 0;
  const considerBody = (margin: number): void => {
    if (margin > largestBodyMargin) {
      secondBodyMargin = largestBodyMargin;
      largestBodyMargin = margin;
    } else if (margin > secondBodyMargin) secondBodyMargin = margin;
  };
  for (const body of moving) considerBody(body.margin);
  for (const { body, attachment } of scene.objects.values()) if (!attachment) considerBody(body.margin);
  largestMargin = Math.max(largestMargin, scene.margin + largestBodyMargin + secondBodyMargin);
  if (!useTree) {
    for (let i = 0; i < moving.length; i++) {
      for (let j = i + 1; j < moving.length; j++) {
        if (isAllowedPair(scene, moving[i], moving[j])) {
          allowedCount++;
          continue;
        }
        first.push(moving[i]);
        second.push(moving[j]);
        margins.push(pairMargin(scene, moving[i], moving[j]));
      }
    }
  }
  let tree: BroadPhase | null = null;
  if (useTree) {
    tree = createDynamicTree();
    for (const body of moving) tree.add(body.box);
  }
  return {
    revision: scene.revision,
    moving,
    first,
    second,
    margins: Float64Array.from(margins),
    tree,
    largestMargin,
    allowedCount,
  };
}

export interface CandidateOptions {
  /** Added to every pair's margin. */
  readonly margin: number;
  /** Visit pairs of two free objects too. */
  readonly objectPairs: boolean;
}

/**
 * Visits every pair that is not allowed and whose boxes come within its margin + `margin`. Expects `updateScene`.
 * Returns false when the visitor stopped it.
 */
export function visitCandidates(scene: Scene, options: CandidateOptions, visit: CandidateVisitor): boolean {
  const table = candidateTable(scene);
  const extra = options.margin;
  if (Number.isNaN(extra)) throw new RangeError('scene query: margin, got NaN, expected a number');
  // Negative margins make boxes smaller; the trees need only a bound.
  const reach = Math.max(table.largestMargin + extra, 0);
  const { first, second, margins } = table;
  for (let k = 0; k < first.length; k++) {
    const a = first[k];
    const b = second[k];
    if (boxesOverlap(a.box, b.box, margins[k] + extra) && !visit(a, b, margins[k])) return false;
  }
  if (table.tree && !visitTree(scene, table.tree, table.moving, reach, visit)) return false;
  if (scene.objectTree.size > 0) {
    if (!visitObjects(scene, table, { extra, reach }, visit)) return false;
    if (options.objectPairs && !visitObjectPairs(scene, { extra, reach }, visit)) return false;
  }
  return true;
}

function visitTree(
  scene: Scene,
  tree: BroadPhase,
  moving: SceneBody[],
  reach: number,
  visit: CandidateVisitor,
): boolean {
  // Proxies were added in order to an empty tree, so ids equal positions in `moving`.
  for (let i = 0; i < moving.length; i++) tree.update(i, moving[i].box);
  let going = true;
  tree.pairs((i, j) => {
    const a = moving[i];
    const b = moving[j];
    if (!isAllowedPair(scene, a, b)) going = visit(a, b, pairMargin(scene, a, b));
    return going;
  }, reach);
  return going;
}

const reachBox = new Float64Array(6);

function inflate(box: Float64Array, reach: number): Float64Array {
  for (let i = 0; i < 3; i++) {
    reachBox[i] = box[i] - reach;
    reachBox[i + 3] = box[i + 3] + reach;
  }
  return reachBox;
}

interface Reach {
  /** The query's own margin. */
  readonly extra: number;
  /** At least the largest margin of any pair with `extra`. */
  readonly reach: number;
}

function visitObjects(scene: Scene, table: CandidateTable, { extra, reach }: Reach, visit: CandidateVisitor): boolean {
  let going = true;
  let current: SceneBody;
  const filter = scene.allowed.size > 0;
  const onProxy = (id: number): boolean => {
    const other = scene.bodyOfProxy[id]!;
    const margin = pairMargin(scene, current, other);
    if (boxesOverlap(current.box, other.box, margin + extra) && !(filter && isAllowedPair(scene, current, other)))
      going = visit(current, other, margin);
    return going;
  };
  for (const body of table.moving) {
    current = body;
    scene.objectTree.queryBox(inflate(body.box, reach), onProxy);
    if (!going) return false;
  }
  return true;
}

function visitObjectPairs(scene: Scene, { extra, reach }: Reach, visit: CandidateVisitor): boolean {
  let going = true;
  scene.objectTree.pairs((i, j) => {
    // By body, not by proxy: proxy ids depend on what was added and removed before.
    const [a, b] = orderById(scene.bodyOfProxy[i]!, scene.bodyOfProxy[j]!);
    const margin = pairMargin(scene, a, b);
    if (boxesOverlap(a.box, b.box, margin + extra) && !isAllowedPair(scene, a, b)) going = visit(a, b, margin);
    return going;
  }, reach);
  return going;
}

function orderById(a: SceneBody, b: SceneBody): [SceneBody, SceneBody] {
  return a.id < b.id ? [a, b] : [b, a];
}

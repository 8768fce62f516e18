/**
 * Which body pairs a query looks at, before any exact test.
 *
 * Method:
 *  1. Robots of many links in a row find pairs of their own links by a ChainTree (self-contacts.ts).
 *  2. Moving bodies (links and attached objects) are few otherwise: the other pairs among them that no matrix allows are
 *     listed once and tested box against box in list order. Past LIST_LIMIT pairs a dynamic tree over the moving bodies
 *     takes over.
 *  3. Each moving body asks the tree of free objects.
 *  4. On request, pairs of free objects come from that tree's self traversal.
 * Boxes are compared with the pair's margin added, so no near pair is lost.
 *
 * Cost: O(pairs) box tests of about 2 ns for robots; O((k + n) log n) with trees. No allocation between structure changes.
 * Placements are brought up to date when something needs them: a robot in a row that is alone and free needs none.
 */

import type { BroadPhase } from '../../broadphase/broad-phase.js';
import { createDynamicTree } from '../../broadphase/dynamic-tree.js';
import { LinkPairs } from '../../chain/link-pairs.js';
import { throwMisuse } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { boxesOverlap } from '../bodies.js';
import { fullName, pairKey } from '../body-names.js';
import { requireOpen, requireScene } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';
import { describeSelfCheck, type MarginOf, SelfContacts } from './self-contacts.js';

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
  /** Robots whose pairs of links are neither in the list nor looked for in the tree, and what a pair's margin is there. */
  chains: SelfContacts[];
  marginOf: MarginOf;
}

const LIST_LIMIT = 20_000;
/** Tables of all pairs, and of those that chains do not find. */
const tables = new WeakMap<Scene, CandidateTable>();
const chainTables = new WeakMap<Scene, CandidateTable>();

/**
 * The scene's current table, rebuilt when bodies, matrices or margins changed. `withChains`: without the pairs that chains
 * find; the same table where there is none.
 */
export function candidateTable(scene: Scene, withChains = false): CandidateTable {
  requireScene(scene, 'sceneQuery');
  const kept = withChains ? chainTables : tables;
  let table = kept.get(scene);
  if (!table || table.revision !== scene.revision) {
    const chains: SelfContacts[] = [];
    if (withChains) {
      for (const robot of scene.robots) {
        const contacts = selfContactsOf(robot);
        if (contacts) chains.push(contacts);
      }
    }
    table = withChains && chains.length === 0 ? candidateTable(scene) : buildTable(scene, chains);
    kept.set(scene, table);
  }
  return table;
}

/** Of robots whose own links are searched by a ChainTree; null for the others. */
const selfContacts = new WeakMap<SceneRobot, SelfContacts | null>();

function selfContactsOf(robot: SceneRobot): SelfContacts | null {
  let contacts = selfContacts.get(robot);
  if (contacts === undefined) {
    contacts = describeSelfCheck(robot).method === 'chain tree' ? new SelfContacts(robot) : null;
    selfContacts.set(robot, contacts);
    if (contacts) robot.owned.push(contacts);
  }
  return contacts;
}

/** Margin of a pair: its own if set, else scene margin + both bodies' margins. */
export function pairMargin(scene: Scene, a: SceneBody, b: SceneBody): number {
  requireBodies('pairMargin', scene, a, b);
  if (scene.world.pairMargins.size > 0) {
    const own = findByNames(scene, a, b, (x, y) => scene.world.pairMargins.get(pairKey(x, y)));
    if (own !== undefined) return own;
  }
  return scene.margin + a.margin + b.margin;
}

/** True when the two bodies are never checked against each other. */
export function isAllowedPair(scene: Scene, a: SceneBody, b: SceneBody): boolean {
  requireBodies('isAllowedPair', scene, a, b);
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

function buildTable(scene: Scene, chains: SelfContacts[]): CandidateTable {
  const moving = movingBodies(scene);
  const inChains = new Set(chains.map(({ robot }) => robot));
  let pairCount = (moving.length * (moving.length - 1)) / 2;
  for (const { bodies } of chains) pairCount -= (bodies.length * (bodies.length - 1)) / 2;
  const useTree = pairCount > LIST_LIMIT;
  const first: SceneBody[] = [];
  const second: SceneBody[] = [];
  const margins: number[] = [];
  let allowedCount = 0;
  let largestMargin = scene.margin;
  for (const margin of scene.world.pairMargins.values()) largestMargin = Math.max(largestMargin, margin);
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
      const { robot } = moving[i];
      const inChain = robot !== null && inChains.has(robot);
      for (let j = i + 1; j < moving.length; j++) {
        if (inChain && moving[j].robot === robot) continue;
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
    chains,
    marginOf: (a, b) => (isAllowedPair(scene, a, b) ? null : pairMargin(scene, a, b)),
  };
}

export interface CandidateOptions {
  /** Added to every pair's margin. */
  readonly margin: number;
  /** Visit pairs of two free objects too. */
  readonly objectPairs: boolean;
}

/**
 * Visits every pair that is not allowed and whose boxes come within its margin + `margin`, the scene brought up to date.
 * Returns false when the visitor stopped it. Placements and boxes stay as they were where no candidate is visited.
 */
export function visitCandidates(scene: Scene, options: CandidateOptions, visit: CandidateVisitor): boolean {
  requireOpen(scene, 'sceneQuery');
  if (typeof options.objectPairs !== 'boolean')
    throwMisuse('sceneQuery', 'objectPairs', options.objectPairs, 'true or false');
  const extra = options.margin;
  if (typeof extra !== 'number' || Number.isNaN(extra))
    throw new MisuseError(`sceneQuery: margin, got ${describeValue(extra)}, expected a number`);
  let table = candidateTable(scene, true);
  let useChains = true;
  for (const contacts of table.chains) {
    // Where nearly all pairs are near, or moved, a hierarchy has nothing to skip.
    if (!contacts.isWorthFollowing() || table.largestMargin + extra > contacts.widest) useChains = false;
  }
  if (!useChains) table = candidateTable(scene);
  for (const contacts of table.chains) if (!visitSelfContacts(scene, table, contacts, extra, visit)) return false;
  if (table.first.length === 0 && !table.tree && scene.objectTree.size === 0) return true;
  updateScene(scene);
  // Negative margins make boxes smaller; the trees need only a bound.
  const reach = Math.max(table.largestMargin + extra, 0);
  const { first, second, margins } = table;
  for (let k = 0; k < first.length; k++) {
    const a = first[k];
    const b = second[k];
    if (boxesOverlap(a.box, b.box, margins[k] + extra) && !visit(a, b, margins[k])) return false;
  }
  if (table.tree && !visitTree(scene, table, table.tree, reach, visit)) return false;
  if (scene.objectTree.size > 0) {
    if (!visitObjects(scene, table, { extra, reach }, visit)) return false;
    if (options.objectPairs && !visitObjectPairs(scene, { extra, reach }, visit)) return false;
  }
  return true;
}

const touching = new LinkPairs();

/** Pairs of one robot's links; the first that is found comes first. */
function visitSelfContacts(
  scene: Scene,
  { largestMargin, revision, marginOf }: CandidateTable,
  contacts: SelfContacts,
  extra: number,
  visit: CandidateVisitor,
): boolean {
  contacts.prepare(extra, largestMargin, revision, marginOf);
  if (!contacts.hasContact()) return true;
  updateScene(scene);
  const { contactA, contactB } = contacts;
  const offer = (i: number, j: number): boolean => {
    const [a, b] = orderById(contacts.bodies[i], contacts.bodies[j]);
    const margin = marginOf(a, b)!;
    return !boxesOverlap(a.box, b.box, margin + extra) || visit(a, b, margin);
  };
  if (!offer(contactA, contactB)) return false;
  contacts.collectContacts(touching);
  for (let k = 0; k < touching.count; k++) {
    const i = touching.linkA(k);
    const j = touching.linkB(k);
    if ((i !== contactA || j !== contactB) && !offer(i, j)) return false;
  }
  return true;
}

function visitTree(
  scene: Scene,
  { moving, chains }: CandidateTable,
  tree: BroadPhase,
  reach: number,
  visit: CandidateVisitor,
): boolean {
  // Proxies were added in order to an empty tree, so ids equal positions in `moving`.
  for (let i = 0; i < moving.length; i++) tree.update(i, moving[i].box);
  let going = true;
  tree.pairs((i, j) => {
    const a = moving[i];
    const b = moving[j];
    if (a.robot !== null && a.robot === b.robot && chains.some(({ robot }) => robot === a.robot)) return true;
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

function requireBodies(call: string, scene: Scene, a: SceneBody, b: SceneBody): void {
  requireScene(scene, call);
  if (typeof a?.name !== 'string' || !a.parts) throwMisuse(call, 'a', a, 'a body of the scene');
  if (typeof b?.name !== 'string' || !b.parts) throwMisuse(call, 'b', b, 'a body of the scene');
}

/**
 * Which body pairs a query looks at, before any exact test.
 *
 * Method: the sources of pairs (pair-source.ts), one after the other:
 *  1. Robots of many links in a row find pairs of their own links by a ChainTree (chain-pairs.ts).
 *  2. Moving bodies (links and attached objects) are few otherwise: the other pairs among them that no matrix allows are
 *     listed once (pair-list.ts). Past LIST_LIMIT pairs a dynamic tree over the moving bodies takes over (pair-tree.ts).
 *  3. Each moving body asks the tree of free objects, and on request these meet each other (object-pairs.ts).
 * Boxes are compared with the pair's margin added, so no near pair is lost.
 *
 * The way from joint values to the narrow phase: check.ts -> here -> updateScene -> a source -> body-pairs.ts -> narrowphase/.
 * Cost: O(pairs) box tests of about 2 ns for robots; O((k + n) log n) with trees. No allocation between structure changes.
 * Placements are brought up to date when something needs them: a robot in a row that is alone and free needs none.
 */
import { throwMisuse } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { requireOpen, requireScene } from '../scene-door.js';
import type { Scene } from '../types.js';
import { updateScene } from '../update.js';
import { type ChainPairs, listChains } from './chain-pairs.js';
import { ObjectPairs, ObjectsNearby } from './object-pairs.js';
import { PairList } from './pair-list.js';
import { largestMargin, movingBodies } from './pair-rules.js';
import type { MovingPairs, PairSource, PairVisitor } from './pair-source.js';
import { PairTree } from './pair-tree.js';

export interface PairSources {
  readonly revision: number;
  /** Robots whose pairs of links are not among those of `moving`. */
  readonly chains: readonly ChainPairs[];
  readonly moving: MovingPairs;
  readonly nearby: PairSource;
  readonly objects: PairSource;
  /** Largest margin any pair can have, to inflate tree queries. */
  readonly largestMargin: number;
}

const LIST_LIMIT = 20_000;
/** With all pairs of moving bodies in one source, and without those that chains find. */
const plain = new WeakMap<Scene, PairSources>();
const chained = new WeakMap<Scene, PairSources>();

/**
 * The scene's current sources, made anew when bodies, matrices or margins changed. `withChains`: robots in rows look for their own
 * pairs; the same sources where there is none.
 */
export function pairSources(scene: Scene, withChains = false): PairSources {
  requireScene(scene, 'sceneQuery');
  const kept = withChains ? chained : plain;
  let sources = kept.get(scene);
  if (!sources || sources.revision !== scene.revision) {
    sources = createSources(scene, withChains);
    kept.set(scene, sources);
  }
  return sources;
}

function createSources(scene: Scene, withChains: boolean): PairSources {
  const bodies = movingBodies(scene);
  const largest = largestMargin(scene, bodies);
  const chains = withChains ? listChains(scene, largest) : [];
  if (withChains && chains.length === 0) return pairSources(scene);
  const elsewhere = new Set(chains.map(({ robot }) => robot));
  let pairCount = (bodies.length * (bodies.length - 1)) / 2;
  for (const { size } of chains) pairCount -= (size * (size - 1)) / 2;
  return {
    revision: scene.revision,
    chains,
    moving: pairCount > LIST_LIMIT ? new PairTree(scene, bodies, elsewhere) : new PairList(scene, bodies, elsewhere),
    nearby: new ObjectsNearby(scene, bodies),
    objects: new ObjectPairs(scene),
    largestMargin: largest,
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
export function visitCandidates(scene: Scene, options: CandidateOptions, visit: PairVisitor): boolean {
  requireOptions(scene, options);
  const { margin, objectPairs } = options;
  const { chains, moving, nearby, objects, largestMargin: largest } = chooseSources(scene, margin);
  // Negative margins make boxes smaller; the trees need only a bound.
  const reach = Math.max(largest + margin, 0);
  for (const chain of chains) if (!chain.visit(margin, reach, visit)) return false;
  if (moving.isEmpty && nearby.isEmpty) return true;
  updateScene(scene);
  return (
    moving.visit(margin, reach, visit) &&
    (nearby.isEmpty || nearby.visit(margin, reach, visit)) &&
    (!objectPairs || objects.isEmpty || objects.visit(margin, reach, visit))
  );
}

/** The sources that a query has to ask, the scene brought up to date for `visitNear`. */
export function listNearSources(scene: Scene, options: CandidateOptions): PairSource[] {
  requireOptions(scene, options);
  const { chains, moving, nearby, objects } = chooseSources(scene, options.margin);
  const sources = [moving, nearby, ...(options.objectPairs ? [objects] : [])].filter(({ isEmpty }) => !isEmpty);
  if (sources.length > 0) updateScene(scene);
  return [...chains, ...sources];
}

function requireOptions(scene: Scene, { margin, objectPairs }: CandidateOptions): void {
  requireOpen(scene, 'sceneQuery');
  if (typeof objectPairs !== 'boolean') throwMisuse('sceneQuery', 'objectPairs', objectPairs, 'true or false');
  if (typeof margin !== 'number' || Number.isNaN(margin))
    throw new MisuseError(`sceneQuery: margin, got ${describeValue(margin)}, expected a number`);
}

function chooseSources(scene: Scene, margin: number): PairSources {
  const sources = pairSources(scene, true);
  let areWorthIt = true;
  // All are asked, since each notes what it was asked about.
  for (const chain of sources.chains) if (!chain.isWorthFollowing(margin)) areWorthIt = false;
  return areWorthIt ? sources : pairSources(scene);
}

/**
 * What the page asks the scene, in order of cost: which pairs touch (at every change), the nearest pair (at every frame),
 * how deep contacts are and how long the answers take (when nothing has moved for a while).
 */
import {
  checkScene,
  isSceneFree,
  nearestPair,
  type Scene,
  type SceneContact,
  type ScenePair,
  type TouchingPair,
  touchingPairs,
} from 'clearance/scene';

/** Hulls of larger meshes take longer than a step may. Triangles. */
const LARGEST_HULL = 20_000;

/**
 * Finds, one mesh at a step, what its first contact and its first distance would else find under the user's hand.
 */
export function* prepareFirstContacts(scene: Scene): Generator<void> {
  const bodies = [...scene.objects.values()].map(({ body }) => body);
  for (const { links } of scene.robots) for (const { body } of links) bodies.push(body);
  const colliders = new Set(bodies.flatMap(({ parts }) => parts.map(({ collider }) => collider)));
  for (const collider of colliders) {
    if (collider.shape.type !== 'mesh') continue;
    yield;
    if (collider.isDisposed) return;
    collider.representatives;
    if (bodies.length === 1 || collider.shape.mesh.triangles.length > 3 * LARGEST_HULL) continue;
    yield;
    if (collider.isDisposed) return;
    collider.outerCore;
  }
}

/** A pair in contact, its depth once that has been asked for. */
export type Touching = TouchingPair & Partial<Pick<SceneContact, 'depth' | 'status'>>;

/**
 * Objects are checked against each other only in a scene of their own: furniture around a robot stands on the floor and
 * touches.
 */
export function listContacts(scene: Scene, objectPairs: boolean): readonly TouchingPair[] {
  return touchingPairs(scene, { objectPairs });
}

export function measureContacts(scene: Scene, objectPairs: boolean): readonly SceneContact[] {
  return checkScene(scene, { all: true, objectPairs }).contacts;
}

export function findNearest(scene: Scene, objectPairs: boolean): ScenePair | null {
  return nearestPair(scene, { objectPairs });
}

export interface QueryTimes {
  /** Yes-or-no check of the whole scene. Microseconds. */
  readonly check: number;
  readonly nearest: number;
}

/** Browsers round their clock to 0.1 ms and more, so one batch of calls must last longer than that. */
const BATCH_MILLISECONDS = 0.8;
const BATCHES = 5;
/** Batches end here too, so that slow scenes do not hold up the page. */
const BUDGET_MILLISECONDS = 6;
/** The first calls run code that the engine has not compiled: times count once two rounds agree this closely. */
const AGREEMENT = 0.15;
const MAXIMUM_ROUNDS = 8;

/** Measures one of the two at a time; `advance` returns the times once they are those of compiled code, null before. */
export interface Measurement {
  advance(): QueryTimes | null;
}

export function createMeasurement(scene: Scene, objectPairs: boolean): Measurement {
  return settle({
    check: () => measure(() => isSceneFree(scene, 0, objectPairs)),
    nearest: () => measure(() => nearestPair(scene, { objectPairs })),
  });
}

/** Rounds until two in a row agree, or there were enough of them: then the last one. Half a round at a time. */
export function settle(times: Readonly<Record<keyof QueryTimes, () => number>>): Measurement {
  let check: number | null = null;
  let last: QueryTimes | null = null;
  let rounds = 0;
  return {
    advance() {
      if (check === null) {
        check = times.check();
        return null;
      }
      const before = last;
      last = { check, nearest: times.nearest() };
      check = null;
      rounds++;
      const isSettled = before && agrees(last.check, before.check) && agrees(last.nearest, before.nearest);
      return isSettled || rounds >= MAXIMUM_ROUNDS ? last : null;
    },
  };
}

function agrees(a: number, b: number): boolean {
  return Math.abs(a - b) <= AGREEMENT * Math.max(a, b);
}

/** Microseconds per call: the median of a few batches, which a busy machine disturbs least. */
function measure(call: () => unknown): number {
  const end = performance.now() + BUDGET_MILLISECONDS;
  let samples: number[] = [];
  let calls = 1;
  do {
    const elapsed = timeCalls(call, calls);
    // Shorter batches were below the clock, and warmed the code up.
    const short = elapsed < BATCH_MILLISECONDS;
    if (short) samples = [];
    samples.push((1000 * elapsed) / calls);
    if (short) calls *= 2;
  } while (samples.length < BATCHES && performance.now() < end);
  return samples.sort((a, b) => a - b)[samples.length >> 1];
}

function timeCalls(call: () => unknown, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) call();
  return performance.now() - start;
}

/** What the page asks the scene at every change, and how long the answers take. */
import { checkScene, isSceneFree, nearestPair, type Scene, type SceneContact, type ScenePair } from 'clearance/scene';

export interface Answers {
  readonly contacts: readonly SceneContact[];
  readonly nearest: ScenePair | null;
}

/** Objects are checked against each other only where there is no robot: furniture stands on the floor and touches. */
export function answerQueries(scene: Scene): Answers {
  return { contacts: checkScene(scene, { all: true }).contacts, nearest: nearestPair(scene) };
}

export interface QueryTimes {
  /** Yes-or-no check of the whole scene. Microseconds. */
  readonly check: number;
  readonly nearest: number;
}

/** Browsers round their clock to 0.1 ms and more, so one batch of calls must last longer than that. */
const BATCH_MILLISECONDS = 0.8;
const BATCHES = 7;
/** Batches end here too, so that slow scenes do not hold up the page. */
const BUDGET_MILLISECONDS = 25;

export function measureQueries(scene: Scene): QueryTimes {
  return { check: measure(() => isSceneFree(scene)), nearest: measure(() => nearestPair(scene)) };
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

/** What the page asks the scene at every change, and how long the answers take. */
import { checkScene, isSceneFree, nearestPair, type Scene, type SceneContact, type ScenePair } from 'clearance/scene';

export interface Answers {
  readonly contacts: readonly SceneContact[];
  readonly nearest: ScenePair | null;
}

export function answerQueries(scene: Scene): Answers {
  const objectPairs = true;
  return {
    contacts: checkScene(scene, { all: true, objectPairs }).contacts,
    nearest: nearestPair(scene, { objectPairs }),
  };
}

export interface QueryTimes {
  /** Yes-or-no check of the whole scene. Microseconds. */
  readonly check: number;
  readonly nearest: number;
}

/** Long enough to average over a clock that browsers round to 0.1 ms and more. */
const MEASURED_MILLISECONDS = 4;

export function measureQueries(scene: Scene): QueryTimes {
  return {
    check: measure(() => isSceneFree(scene, 0, true)),
    nearest: measure(() => nearestPair(scene, { objectPairs: true })),
  };
}

/** Microseconds per call, over as many calls as fit. */
function measure(call: () => unknown): number {
  const start = performance.now();
  let calls = 0;
  let elapsed = 0;
  for (let batch = 1; elapsed < MEASURED_MILLISECONDS; batch *= 2) {
    for (let i = 0; i < batch; i++) call();
    calls += batch;
    elapsed = performance.now() - start;
  }
  return (1000 * elapsed) / calls;
}

/** What a leg is asked besides a path: to keep something of the tool, to say why there is none, to show the roadmap that it was sought along. */
import { createTransform } from 'clearance/math';
import type { Roadmap } from 'clearance/planning';
import { robotFramePlacement, type Scene, type SceneRobot, setConfiguration } from 'clearance/scene';
import { createGroupSearch, type GroupRequest, type GroupSearch, planGroup } from 'clearance/tasks';
import type { Hold, PlanSettings } from './plan-answer.js';

export interface HeldEnds {
  readonly start: Float64Array;
  readonly goal: Float64Array;
  readonly group: string | undefined;
}

/** A worker does not hear that it shall stop before this is over. */
const MOST_SECONDS = 10;
const EXPLAIN_ITERATIONS = 200;

/** Searches a path on which `settings.hold` of `settings.tool` stays as it is at the start, certified. */
export function searchHolding(
  scene: Scene,
  robot: SceneRobot,
  { start, goal, group }: HeldEnds,
  { hold, tool, seed, iterations, explain }: PlanSettings,
  clock: () => number,
): GroupSearch {
  return createGroupSearch(scene, robot, {
    ...{ group, start, goal, seed, explain, clock, maxIterations: iterations },
    constraints: toConstraints(robot, hold, tool ?? '', start, goal),
  });
}

/** Sentences; empty where nothing was found out. */
export function explainLeg(
  scene: Scene,
  robot: SceneRobot,
  { start, goal, group }: HeldEnds,
  clock: () => number,
): readonly string[] {
  const limits = { maxIterations: EXPLAIN_ITERATIONS, timeoutMs: 1000 * MOST_SECONDS, clock };
  return planGroup(scene, robot, { group, start, goal, explain: true, ...limits }).reasons?.text ?? [];
}

function toConstraints(
  robot: SceneRobot,
  hold: Hold,
  frame: string,
  start: Float64Array,
  goal: Float64Array,
): NonNullable<GroupRequest['constraints']> {
  const X = placeOf(robot, frame, start);
  if (hold === 'axis') return [{ type: 'axis', frame, direction: [X[2], X[5], X[8]] }];
  if (hold === 'orientation') return [{ type: 'orientation', frame }];
  if (hold === 'height') return [{ type: 'plane', frame, normal: [0, 0, 1] }];
  const Y = placeOf(robot, frame, goal);
  return [{ type: 'line', frame, direction: [Y[9] - X[9], Y[10] - X[10], Y[11] - X[11]] }];
}

function placeOf(robot: SceneRobot, frame: string, q: Float64Array): Float64Array {
  const before = robot.q.slice();
  setConfiguration(robot, q);
  const X = robotFramePlacement(createTransform(), robot, frame).slice();
  setConfiguration(robot, before);
  return X;
}

/** The tool's places at both ends of every motion that is known to be free. */
export function roadmapLines(
  roadmap: Roadmap,
  robot: SceneRobot,
  tool: string,
  widen: (state: Float64Array) => Float64Array,
): Float32Array {
  const { dimension, states, edges, known } = roadmap.save();
  const places: Float64Array[] = [];
  for (let i = 0; i < states.length; i += dimension)
    places.push(placeOf(robot, tool, widen(states.slice(i, i + dimension))));
  const points: number[] = [];
  known.forEach((state, e) => {
    if (state !== 1) return;
    for (const node of [edges[2 * e], edges[2 * e + 1]]) points.push(...places[node].subarray(9));
  });
  return Float32Array.from(points);
}

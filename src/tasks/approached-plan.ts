/**
 * Plans whose last part is a straight approach to a pose, or whose first part a straight way off: grasps, holes, shelves.
 *
 * Method: 1. from postures that reach the pose (plan-goals.ts), as many as are needed, the line is gone backwards to before the pose (plan-line.ts), so that
 * an approach that cannot be is no goal; 2. from the start the line off is gone; 3. the way between is planned to any of the postures before the
 * pose; 4. the parts are one path, certified as a whole since each part is, and timed as a whole.
 * Units: metres, radians, seconds. Ends: the planner's statuses; `invalid-goal` where no approach was found, `invalid-start` without a way off.
 * Tested by test/contract/group-plans.test.ts.
 */
import { throwMisuse } from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { createTransform, multiplyTransform, type Transform } from '../math/transform.js';
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { pathLength } from '../planning/path.js';
import { robotFramePlacement, setConfiguration } from '../scene/robot.js';
import { readPlacement } from '../scene/scene-door.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates, type GroupCoordinates } from '../semantics/group-coordinates.js';
import { finishSearch } from './finish-search.js';
import type { GroupPlan, GroupRequest, GroupSearch } from './group-plan.js';
import { clampState, listGoals, readGroupState } from './group-states.js';
import { findChecker } from './kept-checker.js';
import { createPoseGoals, findGoalFrame, isPoseGoal, type PoseGoal } from './plan-goals.js';
import { type LinePlan, planLine } from './plan-line.js';
import { timePath } from './time-path.js';

type PlanFree = (scene: Scene, robot: SceneRobot, request: GroupRequest) => GroupPlan;
type Timing = Parameters<typeof timePath>[2];

/** Postures of one pose whose approach is tried. */
const MOST_POSTURES = 40;
/** Approaches that are enough. */
const MOST_APPROACHES = 4;
const DEFAULT_DEVIATION = 1e-3;

export const hasStraightEnd = ({ goal, retreat }: GroupRequest): boolean =>
  retreat !== undefined || listGoals(goal).some((entry) => isPoseGoal(entry) && entry.approach !== undefined);

/** `timing`: of the whole path, read already; undefined without. */
export function planApproached(
  scene: Scene,
  robot: SceneRobot,
  request: GroupRequest,
  timing: Timing | undefined,
  planFree: PlanFree,
): GroupPlan {
  const task = prepareApproached('planGroup', scene, robot, request, timing);
  return task.finish(planFree(scene, robot, task.request));
}

/** The same a little at a time. */
export function createApproachedSearch(
  scene: Scene,
  robot: SceneRobot,
  request: GroupRequest,
  timing: Timing | undefined,
  searchFree: (scene: Scene, robot: SceneRobot, request: GroupRequest) => GroupSearch,
): GroupSearch {
  const task = prepareApproached('createGroupSearch', scene, robot, request, timing);
  const search = searchFree(scene, robot, task.request);
  return finishSearch(search, { describe: task.finish, finish: task.finish });
}

/** What is left to plan once the straight parts are found, and what becomes of that plan. */
function prepareApproached(
  call: string,
  scene: Scene,
  robot: SceneRobot,
  request: GroupRequest,
  timing: Timing | undefined,
): { readonly request: GroupRequest; finish(plan: GroupPlan): GroupPlan } {
  const { model, semantic, description } = robot;
  const group = findGroupCoordinates(model, semantic, description, request.group);
  const { seed = 1, deviation = DEFAULT_DEVIATION, timed: _, retreat, goal, ...plain } = request;
  const said: string[] = [];
  const read = request.start === undefined ? robot.q : readGroupState(robot, group, request.start, robot.q, 'start');
  const start = clampState(robot, 'start', read, said);
  const line = (frame: string, from: Float64Array, pose: Transform): LinePlan =>
    planLine(scene, robot, { group: request.group, frame, from, pose, deviation, seed });
  // A plan of nothing has what plans have besides.
  const refused = (status: 'invalid-start' | 'invalid-goal', reason: string) => ({
    request: { ...plain, seed, start, goal: start, simplify: false },
    finish: (plan: GroupPlan): GroupPlan => ({
      ...{ ...plan, status, reason, path: [], length: 0, cost: 0, certified: false },
    }),
  });
  let first: LinePlan | null = null;
  let from = start;
  if (retreat !== undefined) {
    const frame = findGoalFrame(robot, retreat, request.group);
    if (frame === null) throwMisuse(call, 'retreat.frame', retreat.frame, 'a link of the robot');
    const off = placeOf(robot, frame!, start).slice();
    for (let k = 0; k < 3; k++) off[9 + k] += retreat.by[k];
    first = line(frame!, start, off);
    if (first.status !== 'solved')
      return refused('invalid-start', `no straight way off from the start: ${first.reason}`);
    from = first.path[first.path.length - 1];
  }
  const { goals, lines, fault } = findApproaches(scene, robot, group, request, from, line);
  if (goals.length === 0) return refused('invalid-goal', fault);
  return { request: { ...plain, seed, start: from, goal: goals }, finish };

  function finish(plan: GroupPlan): GroupPlan {
    if (plan.status !== 'solved') return { ...plan, assumed: [...said, ...plan.assumed] };
    const end = plan.path[plan.path.length - 1];
    const last = lines.find(({ path }) => path[0].every((x, i) => x === end[i])) ?? null;
    const parts = [first?.path ?? [], plan.path, last?.path ?? []];
    const path = parts.flatMap((part, i) => (i > 0 && parts[i - 1].length > 0 ? part.slice(1) : part));
    const space = createConfigurationSpace(model, { indices: group.indices });
    const pick = (q: Float64Array): Float64Array => Float64Array.from(group.indices, (i) => q[i]);
    const lengthOf = (part: LinePlan | null): number => (part ? pathLength(space, part.path.map(pick)) : 0);
    const length = plan.length + lengthOf(first) + lengthOf(last);
    const motion = timing
      ? timePath(model, path, { ...timing, deviation: timing.deviation ?? deviation }, { scene, robot })
      : null;
    const grounds = [first, last].filter((part) => part !== null);
    return {
      ...{ ...plan, start, path, length, cost: request.optimise ? plan.cost : length, motion },
      certified: plan.certified && grounds.every(({ certified }) => certified),
      complete: plan.complete && grounds.every(({ complete }) => complete),
      assumed: [
        ...new Set([
          ...said,
          ...plan.assumed,
          ...grounds.flatMap(({ assumed }) => [...assumed]),
          ...(motion?.assumed ?? []),
        ]),
      ],
    };
  }
}

/** Goals of the way between, and for those that an approach begins at its line. */
function findApproaches(
  scene: Scene,
  robot: SceneRobot,
  group: GroupCoordinates,
  request: GroupRequest,
  start: Float64Array,
  line: (frame: string, from: Float64Array, pose: Transform) => LinePlan,
) {
  const { indices } = group;
  const checker = findChecker(scene, robot, indices, start, request.spheres);
  const isFree = (state: Float64Array): boolean => checker.isValid(state);
  const random = createRandom((request.seed ?? 1) + 77);
  const lines: LinePlan[] = [];
  let fault = 'no goal';
  const goals: (typeof start | ReturnType<typeof listGoals>[number])[] = [];
  for (const goal of listGoals(request.goal)) {
    if (!isPoseGoal(goal) || goal.approach === undefined) {
      goals.push(goal);
      continue;
    }
    const { approach, ...pose } = goal;
    const context = { group: request.group, seed: request.seed ?? 1, start, isFree };
    const found = createPoseGoals(robot, group, [pose as PoseGoal], context);
    if (found.fault !== null) {
      fault = found.fault;
      continue;
    }
    const frame = findGoalFrame(robot, goal, request.group)!;
    const state = new Float64Array(indices.length);
    let most = MOST_APPROACHES;
    for (let n = 0; n < MOST_POSTURES && most > 0; n++) {
      const at =
        n < found.first.length ? found.first[n] : drawPosture(found.region, state, random, isFree, start, indices);
      if (!at) continue;
      const X = placeOf(robot, frame, at);
      const back = createTransform();
      for (let k = 0; k < 3; k++) back[9 + k] = -approach[k];
      // Along the axes of the pose that is asked for.
      const axes = readAxes(X, goal);
      const before = multiplyTransform(createTransform(), axes, back);
      const target = X.slice();
      target.set(before.subarray(9), 9);
      const off = line(frame, at, target);
      if (off.status !== 'solved') {
        fault = `no straight approach to the pose: ${off.reason}`;
        continue;
      }
      const path = [...off.path].reverse();
      lines.push({ ...off, path });
      goals.push(path[0]);
      most--;
    }
  }
  return { goals, lines, fault };
}

/** The frame's place with the axes of the goal's pose. */
function readAxes(X_WF: Transform, { pose }: PoseGoal): Transform {
  const out = createTransform();
  readPlacement(out, 'planGroup', pose);
  out.set(X_WF.subarray(9), 9);
  return out;
}

function drawPosture(
  region: { draw(out: Float64Array, random: ReturnType<typeof createRandom>): boolean },
  state: Float64Array,
  random: ReturnType<typeof createRandom>,
  isFree: (state: Float64Array) => boolean,
  start: Float64Array,
  indices: ArrayLike<number>,
): Float64Array | null {
  if (!region.draw(state, random) || !isFree(state)) return null;
  const q = start.slice();
  for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
  return q;
}

function placeOf(robot: SceneRobot, frame: string, q: Float64Array): Transform {
  const before = robot.q.slice();
  setConfiguration(robot, q);
  const X = robotFramePlacement(createTransform(), robot, frame);
  setConfiguration(robot, before);
  return X;
}

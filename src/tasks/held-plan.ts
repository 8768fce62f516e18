/**
 * A group planned while constraints hold, with all that a plan of a group has besides: goals by poses, a start that is repaired, reasons, times.
 *
 * Method: 1. the start is repaired where that is asked for (start-repair.ts); 2. poses become states: postures are drawn that reach them, and are
 * moved onto the constraints; of a goal whose orientation is free the point and the constraints are solved for together; what leaves its goal by that is
 * dropped; 3. constrained-plan.ts plans; 4. corners of the timed motion stay within `deviation` of the path, in joint values;
 * 5. reasons are those of planning without the constraints, which also says whether it is these that close the way.
 * Units: radians, metres, seconds. Ends: the planner's statuses. Tested by test/contract/group-plans.test.ts.
 */
import { throwMisuse } from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { createConstrainedSpace } from '../planning/constraints/constrained-space.js';
import { joinConstraints } from '../planning/constraints/constraint.js';
import { createRobotConstraint } from '../planning/constraints/robot-constraint.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates, type GroupCoordinates } from '../semantics/group-coordinates.js';
import { type ConstrainedPlan, createConstrainedSearch, planConstrained } from './constrained-plan.js';
import { explainPlan, type PlanReasons } from './explain-plan.js';
import { finishSearch } from './finish-search.js';
import type { GroupPlan, GroupRequest, GroupSearch } from './group-plan.js';
import { clampState, listGoals, readGroupState } from './group-states.js';
import { findChecker } from './kept-checker.js';
import { isLookGoal, type LookGoal } from './look-at.js';
import { createPoseGoals, findGoalFrame, isPoseGoal, type PoseGoal } from './plan-goals.js';
import { repairStart } from './start-repair.js';
import { StateProbe } from './state-probe.js';
import { timePath } from './time-path.js';

type PlanFree = (scene: Scene, robot: SceneRobot, request: GroupRequest) => GroupPlan;
type Timing = Parameters<typeof timePath>[2];

/** What does not go with constraints. */
const REFUSED = ['planner', 'optimise', 'roadmap', 'moving', 'edges', 'resolution', 'spheres', 'retreat'] as const;
const DEFAULT_DEVIATION = 1e-4;
/** Metres of contact that are repaired where no number is given. */
const REPAIRED_DEPTH = 0.005;
const EXPLAIN_RESOLUTION = 0.05;
const EXPLAIN_ITERATIONS = 20_000;
/** Of one pose. */
const POSTURES = 8;
const DRAWS = 200;

/** `timing`: read already; undefined without. */
export function planHeld(
  scene: Scene,
  robot: SceneRobot,
  request: GroupRequest,
  timing: Timing | undefined,
  planFree: PlanFree,
): GroupPlan {
  const task = prepareHeld('planGroup', scene, robot, request, timing, planFree);
  const { timeoutMs, onProgress } = request;
  const limits = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs) };
  return task.finish(planConstrained(scene, robot, { ...task.request, ...limits, onProgress }));
}

/** The same a little at a time. */
export function createHeldSearch(
  scene: Scene,
  robot: SceneRobot,
  request: GroupRequest,
  timing: Timing | undefined,
  planFree: PlanFree,
): GroupSearch {
  const task = prepareHeld('createGroupSearch', scene, robot, request, timing, planFree);
  const search = createConstrainedSearch(scene, robot, task.request);
  return finishSearch(search, task);
}

function prepareHeld(
  call: string,
  scene: Scene,
  robot: SceneRobot,
  request: GroupRequest,
  timing: Timing | undefined,
  planFree: PlanFree,
) {
  for (const key of REFUSED)
    if (request[key] !== undefined && request[key] !== 'auto' && request[key] !== 'certified')
      throwMisuse(call, key, request[key], 'none beside constraints');
  const { model, semantic, description } = robot;
  const { seed = 1, clock, deviation = DEFAULT_DEVIATION, group: name, maxIterations } = request;
  const constraints = request.constraints!;
  const group = findGroupCoordinates(model, semantic, description, name);
  const { indices } = group;
  const now = (): number => clock?.() ?? 0;
  const begin = now();
  const said: string[] = [];
  const read = request.start === undefined ? robot.q : readGroupState(robot, group, request.start, robot.q, 'start');
  const given = clampState(robot, 'start', read, said);
  const checker = findChecker(scene, robot, indices, given, undefined);
  const isFree = (state: Float64Array): boolean => checker.isValid(state);
  const bounds = findMotionBounds(scene, robot, [given]);
  const space = createConfigurationSpace(model, { indices, bounds });
  const probe = new StateProbe(scene, robot, space, indices, given, isFree);
  const wanted = request.repairStart;
  const depth = wanted === true ? REPAIRED_DEPTH : wanted || null;
  const repaired = depth === null ? { repair: null, fault: '' } : repairStart(probe, given, { depth, seed });
  const { repair } = repaired;
  const start = repair ? repair.leg[1] : given;
  const found = readHeldGoals(scene, robot, group, request, start, isFree);
  const prepared = now();
  const hasGoals = found.goals.length > 0;
  const own = {
    ...{ group: name, start, goal: hasGoals ? found.goals : [start], constraints, deviation, seed, clock },
    ...{ projectEnds: true, maxIterations: hasGoals ? maxIterations : 1, simplify: request.simplify },
  };
  return { request: own, describe: (plan: ConstrainedPlan) => answer(plan, null, null), finish };

  /** With times and reasons, as far as they are asked for. */
  function finish(plan: ConstrainedPlan): GroupPlan {
    const isSolved = plan.status === 'solved' && hasGoals;
    const asked = timing && { ...timing, deviation: timing.deviation ?? deviation };
    const motion = asked && isSolved ? timePath(model, plan.path, asked, { scene, robot }) : null;
    return answer(plan, motion, request.explain && !isSolved ? explain() : null);
  }

  function answer(plan: ConstrainedPlan, motion: GroupPlan['motion'], reasons: PlanReasons | null): GroupPlan {
    const isSolved = plan.status === 'solved' && hasGoals;
    const status = hasGoals ? plan.status : 'invalid-goal';
    let reason = hasGoals ? plan.reason : found.fault;
    if (status === 'invalid-start' && repaired.fault !== '') reason = `${reason}; not repaired: ${repaired.fault}`;
    const path = isSolved ? plan.path : [];
    return {
      ...plan,
      ...{ status, reason, path, start: given, motion, repair, reasons, costs: [], repairs: 0 },
      ...{
        length: isSolved ? plan.length : 0,
        cost: isSolved ? plan.length : 0,
        certified: isSolved && plan.certified,
      },
      deviation: isSolved ? plan.deviation : Number.POSITIVE_INFINITY,
      plannerReason: 'its trees walk along constraints',
      assumed: [...new Set([...said, ...found.said, ...plan.assumed, ...(motion?.assumed ?? [])])],
      prepareMs: prepared - begin,
    };
  }

  function explain(): PlanReasons {
    const states = hasGoals ? found.goals : found.touching;
    const free = { group: name, seed, start, goal: states, maxIterations: EXPLAIN_ITERATIONS };
    const reasons = explainPlan({
      ...{ scene, robot, probe, start: probe.pick(start), goals: states.map((q) => probe.pick(q)) },
      ...{ seed, resolution: EXPLAIN_RESOLUTION, planIn: (other, mover) => planFree(other, mover, free) },
    });
    const isOpen = reasons.search !== null && (reasons.search.met || reasons.search.longer !== null);
    const closes = 'without the constraints there is a path: it is with them that none was found';
    return isOpen ? { ...reasons, text: [closes, ...reasons.text] } : reasons;
  }
}

/** Full configurations; those of poses are on the constraints. */
function readHeldGoals(
  scene: Scene,
  robot: SceneRobot,
  group: GroupCoordinates,
  request: GroupRequest,
  start: Float64Array,
  isFree: (state: Float64Array) => boolean,
) {
  const { model, placement } = robot;
  const { indices } = group;
  const { seed = 1, group: name } = request;
  const said: string[] = [];
  const goals: Float64Array[] = [];
  const touching: Float64Array[] = [];
  let fault = 'no goal';
  const held = createRobotConstraint(model, request.constraints!, { indices, rest: start, placement });
  const bounds = findMotionBounds(scene, robot, [start]);
  const plain = createConfigurationSpace(model, { indices, bounds });
  const onto = createConstrainedSpace(plain, held, {});
  const random = createRandom(seed + 31);
  const widen = (state: Float64Array): Float64Array => {
    const q = start.slice();
    for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
    return q;
  };
  const addPostures = (goal: PoseGoal | LookGoal): void => {
    const context = { group: name, seed, start, isFree };
    const { first, region, fault: none, touching: met } = createPoseGoals(robot, group, [goal], context);
    touching.push(...met);
    if (none !== null) {
      fault = none;
      return;
    }
    const frame = findGoalFrame(robot, goal, name)!;
    const isPoint = isPoseGoal(goal) && goal.rotation === 'any';
    const state = new Float64Array(indices.length);
    let found = 0;
    for (let n = 0; n < DRAWS && found < POSTURES; n++) {
      if (n < first.length) for (let k = 0; k < indices.length; k++) state[k] = first[n][indices[k]];
      else if (!region.draw(state, random)) continue;
      const point = isPoint
        ? createRobotConstraint(model, { type: 'point', frame }, { indices, rest: widen(state), placement })
        : null;
      const target = point ? createConstrainedSpace(plain, joinConstraints([held, point]), {}) : onto;
      if (!target.project(state) || !region.contains(state) || !isFree(state)) continue;
      goals.push(widen(state));
      found++;
    }
    if (found === 0)
      fault = 'no configuration free of collisions was found that reaches the goal and keeps to the constraints';
  };
  for (const goal of listGoals(request.goal)) {
    if (isPoseGoal(goal) && goal.approach !== undefined)
      throwMisuse('planGroup', 'goal.approach', goal.approach, 'none beside constraints');
    if (isPoseGoal(goal) || isLookGoal(goal)) addPostures(goal);
    else goals.push(clampState(robot, 'goal', readGroupState(robot, group, goal, start, 'goal'), said));
  }
  return { goals, fault, touching, said };
}

/**
 * Why there is no path: of the ends, of the search, and what would change it.
 *
 * Method: 1. ends that are not valid: what touches there and how deep, which limit, the nearest valid state; 2. with valid ends two trees grow
 * with a record of what stops them (reasons/explore.ts), the clearance along the last motions towards each other is measured, and joints that stand
 * on a limit where the trees came nearest are named; 3. the group is planned again for longer, and without each of the objects that stopped them most, in a context of its own: of those without which there is a path about as short
 * as the shortest, the smallest closes the way; 4. from a goal certified balls are flooded
 * (reasons/flood.ts), which says whether its neighbourhood is shut in.
 * Nothing of this proves that there is no path. Units: radians, metres. Tested by explain-plan.test.ts.
 */

import { type Exploration, exploreEnds } from '../planning/reasons/explore.js';
import { type Flood, floodFrom } from '../planning/reasons/flood.js';
import type { PlanResult } from '../planning/types.js';
import { createContext, disposeScene, moveObject, objectIn, robotIn } from '../scene/scene.js';
import type { Scene, SceneObject, SceneRobot } from '../scene/types.js';
import { boundMotionRate } from './joint-reach.js';
import { FAR } from './put-away.js';
import type { StateProbe, TouchingDepth } from './state-probe.js';

/** An end that is not valid. */
export interface EndReason {
  readonly end: 'start' | 'goal';
  /** Of a list of goals. */
  readonly index: number;
  readonly state: Float64Array;
  /** What is beyond a limit, empty where nothing is. */
  readonly limits: string;
  /** Deepest first. */
  readonly contacts: readonly TouchingDepth[];
  /** Full configuration, and its distance in the metric of the space; null where none was found. */
  readonly nearest: { readonly q: Float64Array; readonly distance: number } | null;
}

/** Extensions of trees that a body stopped. */
export interface StopCount {
  readonly a: string;
  readonly b: string;
  readonly count: number;
}

/** What came of planning without a body. */
export interface RemovalReason {
  readonly body: string;
  readonly status: PlanResult['status'];
  /** Of the path, 0 where there is none. */
  readonly length: number;
  /** Of the body's box, m^3. */
  readonly volume: number;
}

export interface SearchReason {
  /** Iterations of the recorded search, which may have met after all. */
  readonly iterations: number;
  readonly met: boolean;
  /** Full configurations where each tree came nearest to the other. */
  readonly startTree: {
    readonly states: number;
    readonly reached: number;
    readonly left: number;
    readonly nearest: Float64Array;
  };
  readonly goalTree: {
    readonly states: number;
    readonly reached: number;
    readonly left: number;
    readonly nearest: Float64Array;
  };
  /** Most often first. */
  readonly stopped: readonly StopCount[];
  /** The narrowest place where the trees came nearest: two bodies and the gap between them, metres. */
  readonly narrowest: { readonly a: string; readonly b: string; readonly gap: number } | null;
  /** Joints that stand on a limit where a tree came nearest. */
  readonly limits: readonly {
    readonly joint: string;
    readonly side: 'lower' | 'upper';
    readonly tree: 'start' | 'goal';
  }[];
  /** Length of the path that a longer search found with everything in place, null where it found none: then nothing closes the way. */
  readonly longer: number | null;
  readonly removals: readonly RemovalReason[];
  /** Of the bodies without which there is a path that is about as short as the shortest, the smallest; null where there is none. */
  readonly closedBy: string | null;
  /** Balls around the first goal, and around the start; null where clearances give no balls. */
  readonly goalFlood: Flood | null;
  readonly startFlood: Flood | null;
}

export interface PlanReasons {
  readonly ends: readonly EndReason[];
  readonly search: SearchReason | null;
  /** The same in sentences. */
  readonly text: readonly string[];
}

export interface ExplainProblem {
  readonly scene: Scene;
  readonly robot: SceneRobot;
  readonly probe: StateProbe;
  /** Of the space. */
  readonly start: Float64Array;
  readonly goals: readonly Float64Array[];
  readonly seed: number;
  readonly resolution: number;
  /** Iterations of the recorded search; default 1500. */
  readonly iterations?: number;
  readonly shouldStop?: () => boolean;
  /** The same request in another context. */
  readonly planIn: (scene: Scene, robot: SceneRobot) => PlanResult;
}

const ITERATIONS = 1500;
const RANGE = 1;
/** Objects that are moved away, one at a time. */
const MOST_REMOVALS = 8;
const MOST_STOPPED = 8;
const MOST_GOALS = 8;
/** Paths that are longer by no more than this factor are alike: through a door, or where the wall beside it was. */
const ALIKE = 2;

/** A joint within so much of its range stands on its limit. */
const AT_LIMIT = 0.02;
const MOST_CLEARANCE = 0.5;
const BALLS = 60;

export function explainPlan(problem: ExplainProblem): PlanReasons {
  const { probe, start, goals, seed, shouldStop } = problem;
  const ends: EndReason[] = [];
  const judge = (state: Float64Array, end: EndReason['end'], index: number): boolean => {
    if (probe.isValid(state)) return true;
    const limits = probe.space.explainBounds?.(state) ?? '';
    const contacts = probe.touching(state).sort((x, y) => y.depth - x.depth);
    const near = shouldStop?.() ? null : probe.nearestValid(state, seed);
    const nearest = near && { q: probe.widen(near.state), distance: near.distance };
    ends.push({ end, index, state: probe.widen(state), limits, contacts, nearest });
    return false;
  };
  const isStartValid = judge(start, 'start', 0);
  const valid = goals.slice(0, MOST_GOALS).filter((goal, i) => judge(goal, 'goal', i));
  const search = isStartValid && valid.length > 0 ? explainSearch(problem, valid) : null;
  return { ends, search, text: [...ends.map(describeEnd), ...(search ? describeSearch(search) : [])] };
}

function explainSearch(problem: ExplainProblem, goals: readonly Float64Array[]): SearchReason {
  const { probe, start, seed, resolution, shouldStop } = problem;
  const found = exploreEnds({
    space: probe.space,
    isValid: (q) => probe.isValid(q),
    blame: (q) => probe.blame(q),
    ...{ start, goals, seed, resolution, range: RANGE, shouldStop, iterations: problem.iterations ?? ITERATIONS },
  });
  const stopped = found.blocked
    .slice(0, MOST_STOPPED)
    .map((pair) => ({ a: pair.a, b: pair.b, count: pair.start + pair.goal }));
  const { longer, removals } = planWithout(problem, found);
  const opening = removals.filter(({ status }) => status === 'solved');
  const shortest = Math.min(...opening.map(({ length }) => length));
  const near = opening.filter(({ length }) => length <= ALIKE * shortest).sort((x, y) => x.volume - y.volume);
  const tree = (side: 'start' | 'goal') => {
    const { states, reached, left, nearest } = found[side];
    return { states, reached, left, nearest: probe.widen(nearest) };
  };
  const flood = (state: Float64Array): Flood | null => floodAt(problem, state);
  return {
    iterations: found.iterations,
    met: found.met,
    startTree: tree('start'),
    goalTree: tree('goal'),
    stopped,
    narrowest: narrowestOf(problem, found),
    limits: [...limitsOf(problem, found, 'start'), ...limitsOf(problem, found, 'goal')],
    longer,
    removals,
    closedBy: near[0]?.body ?? null,
    goalFlood: flood(goals[0]),
    startFlood: flood(start),
  };
}

/** The least clearance of the states where the trees came nearest. */
function narrowestOf({ probe }: ExplainProblem, { start, goal }: Exploration): SearchReason['narrowest'] {
  let best: SearchReason['narrowest'] = null;
  for (const { nearest } of [start, goal]) {
    const pair = probe.clearance(nearest, MOST_CLEARANCE);
    if (pair && (!best || pair.distance < best.gap)) best = { a: pair.a, b: pair.b, gap: pair.distance };
  }
  return best;
}

function limitsOf(
  { probe, robot }: ExplainProblem,
  found: Exploration,
  tree: 'start' | 'goal',
): SearchReason['limits'] {
  const { model } = robot;
  const { nearest } = found[tree];
  const limits: { joint: string; side: 'lower' | 'upper'; tree: 'start' | 'goal' }[] = [];
  for (let k = 0; k < nearest.length; k++) {
    const i = probe.indices[k];
    const [lower, upper] = [model.lower[i], model.upper[i]];
    const near = AT_LIMIT * (upper - lower);
    if (!(near < Infinity) || near === 0) continue;
    const joint = model.jointNames[model.idxQ.findIndex((first, j) => j > 0 && i >= first && i < first + model.nqs[j])];
    if (nearest[k] - lower < near) limits.push({ joint, side: 'lower', tree });
    else if (upper - nearest[k] < near) limits.push({ joint, side: 'upper', tree });
  }
  return limits;
}

function floodAt({ probe, robot, seed, shouldStop }: ExplainProblem, state: Float64Array): Flood | null {
  const rate = boundMotionRate(robot, probe.space, probe.indices);
  if (!(rate < Infinity) || rate === 0) return null;
  const ballAt = (q: Float64Array): number => {
    const pair = probe.clearance(q, MOST_CLEARANCE);
    return Math.max(0, (pair?.distance ?? MOST_CLEARANCE) / rate);
  };
  const flood = floodFrom({ space: probe.space, ballAt, seed, most: BALLS, shouldStop }, state);
  return flood.balls > 0 ? flood : null;
}

/** Plans again without each of the free objects that stopped the trees most, in a context that is nobody else's. */
function planWithout(
  { scene, robot, planIn, shouldStop }: ExplainProblem,
  found: Exploration,
): Pick<SearchReason, 'longer' | 'removals'> {
  const objects: SceneObject[] = [];
  for (const { a, b } of found.blocked)
    for (const name of [a, b]) {
      const object = scene.objects.get(name);
      if (object && !object.attachment && !objects.includes(object)) objects.push(object);
    }
  const context = createContext(scene);
  const own = robotIn(context, robot);
  const removals: RemovalReason[] = [];
  const whole = planIn(context, own);
  const longer = whole.status === 'solved' ? whole.length : null;
  for (const object of longer === null ? objects.slice(0, MOST_REMOVALS) : []) {
    if (shouldStop?.()) break;
    const moved = objectIn(context, object);
    const { box } = object.body;
    const volume = (box[3] - box[0]) * (box[4] - box[1]) * (box[5] - box[2]);
    const place = Float64Array.from(moved.body.worldPlacement);
    const away = place.slice();
    away[11] -= FAR;
    moveObject(context, moved, away);
    const { status, length } = planIn(context, own);
    moveObject(context, moved, place);
    removals.push({ body: object.name, status, length, volume });
  }
  disposeScene(context);
  return { longer, removals };
}

// In sentences.

const millimetres = (x: number): string => `${(1e3 * x).toFixed(1)} mm`;

function describeEnd({ end, index, limits, contacts, nearest }: EndReason): string {
  const what = end === 'start' ? 'the start' : `goal ${index + 1}`;
  const touching = contacts.map(({ a, b, depth }) => `${a} is ${millimetres(depth)} deep in ${b}`).join(', ');
  const near = nearest
    ? `the nearest valid state is ${nearest.distance.toFixed(4)} away`
    : 'no valid state was found near it';
  return `${what}: ${[limits, touching].filter(Boolean).join('; ') || 'not valid'}; ${near}`;
}

function describeSearch(search: SearchReason): string[] {
  const { startTree, goalTree, stopped, narrowest, limits, removals, closedBy, goalFlood, startFlood } = search;
  const { longer } = search;
  const lines = [
    `from the start ${startTree.states} states up to ${startTree.reached.toFixed(2)} away, from the goal ${goalTree.states} up to ${goalTree.reached.toFixed(2)}; ${search.met ? 'they met: a longer search finds a path' : `${startTree.left.toFixed(2)} stayed between them`}`,
  ];
  if (longer !== null) lines.push(`a longer search finds a path of length ${longer.toFixed(2)}`);
  if (stopped.length > 0)
    lines.push(`stopped most by ${stopped.map(({ a, b, count }) => `${a} at ${b} (${count})`).join(', ')}`);
  if (narrowest)
    lines.push(
      `narrowest where they came nearest: ${millimetres(narrowest.gap)} between ${narrowest.a} and ${narrowest.b}`,
    );
  for (const { joint, side, tree } of limits)
    lines.push(`joint ${joint} stands on its ${side} limit where the ${tree}'s tree came nearest`);
  for (const { body, status, length } of removals)
    lines.push(
      status === 'solved'
        ? `without ${body} there is a path of length ${length.toFixed(2)}`
        : `without ${body}: ${status}`,
    );
  if (closedBy !== null) lines.push(`${closedBy} closes the way`);
  for (const [name, flood] of [
    ['goal', goalFlood],
    ['start', startFlood],
  ] as const)
    if (flood?.closed)
      lines.push(
        `the ${name} seems shut in: ${flood.balls} balls, and nothing leads on beyond ${flood.radius.toFixed(3)}`,
      );
  return lines;
}

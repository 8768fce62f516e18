// RRT-Connect, the loop of src/planning/planners/rrt-connect.ts (its comment says how it works and where from) in the kernel:
// states, trees, nearest neighbours and draws are here, motions are asked of what the module is linked with. Both give the same
// path, bit by bit, where they are given the same verdicts. Tested by test/contract/planner-kernel.test.ts.
import {
  A_NEAR,
  A_PREVIOUS,
  A_REACHED,
  A_SAMPLE,
  FLAG_BALANCE,
  FLAG_DOMAIN,
  FLAG_GIVEN,
  FLAG_LAST_CHECK,
  S_FLAGS,
  S_GIVEN_COUNT,
  S_GIVEN_NEXT,
  S_GOAL_TREE,
  S_GROWS_START,
  S_ITERATIONS,
  S_JOIN_GOAL,
  S_JOIN_START,
  S_LAST_STEP,
  S_LEAST_RADIUS,
  S_MOST_ITERATIONS,
  S_NEAREST,
  S_RADIUS,
  S_RANGE,
  S_RATE,
  S_START_TREE,
  S_STATUS,
  S_STEP,
  S_STOPPED,
  STATUS_JOINED,
  STATUS_LIMIT,
  STATUS_RUNNING,
} from '../../src/planning/kernel/layout';
import { addNode, countOf, isRemoved, nodeOf, parentOf, radiusOf, removeNode, setRadius } from './box-tree';
import { isMotionFree } from './checks';
import { drawState } from './draws';
import { findNearest, findNearestInDomain, OUTSIDE } from './nearest';
import { array, copyState, interpolate, search } from './search';

/** Goes on for at most `count` iterations; returns the status. */
export function grow(count: i32): i32 {
  for (let i = 0; i < count; i++) {
    const status = load<i32>(search, S_STATUS);
    if (status !== STATUS_RUNNING || load<i32>(search, S_STOPPED) !== 0) return status;
    if (load<i32>(search, S_ITERATIONS) >= load<i32>(search, S_MOST_ITERATIONS))
      store<i32>(search, STATUS_LIMIT, S_STATUS);
    else if (isDrawn()) iterate();
    else return STATUS_RUNNING;
  }
  return load<i32>(search, S_STATUS);
}

/** False where the host has to draw more states before the next iteration. */
@inline
function isDrawn(): bool {
  if ((load<i32>(search, S_FLAGS) & FLAG_GIVEN) === 0) return true;
  return load<i32>(search, S_GIVEN_NEXT) < load<i32>(search, S_GIVEN_COUNT);
}

/** Tries the straight line from the start to each goal: number of the goal's root that it reaches, -1 for none. */
export function tryStraight(): i32 {
  const goals = search + S_GOAL_TREE;
  const start = array(A_NEAR);
  const goal = array(A_REACHED);
  for (let root = 0, count = countOf(goals); root < count; root++) {
    copyState(start, nodeOf(search + S_START_TREE, 0));
    copyState(goal, nodeOf(goals, root));
    if (isFree(start, goal) && (!isCheckedLast() || isFreeAtLast(start, goal))) return root;
  }
  return -1;
}

@inline
function isFree(a: usize, b: usize): bool {
  return isMotionFree(a, b, load<f64>(search, S_STEP));
}

@inline
function isFreeAtLast(a: usize, b: usize): bool {
  return isMotionFree(a, b, load<f64>(search, S_LAST_STEP));
}

@inline
function isCheckedLast(): bool {
  return (load<i32>(search, S_FLAGS) & FLAG_LAST_CHECK) !== 0;
}

function iterate(): void {
  store<i32>(search, load<i32>(search, S_ITERATIONS) + 1, S_ITERATIONS);
  const flags = load<i32>(search, S_FLAGS);
  const growsStart = chooseTree(flags);
  const tree = search + <usize>(growsStart ? S_START_TREE : S_GOAL_TREE);
  const other = search + <usize>(growsStart ? S_GOAL_TREE : S_START_TREE);
  const sample = array(A_SAMPLE);
  const near = array(A_NEAR);
  const reached = array(A_REACHED);
  const range = load<f64>(search, S_RANGE);
  if (!drawState(sample)) return;
  const hasDomain = (flags & FLAG_DOMAIN) !== 0;
  const from = hasDomain ? findNearestInDomain(tree, sample) : findNearest(tree, sample);
  if (from === OUTSIDE) return;
  const distance = load<f64>(search, S_NEAREST);
  const radius = radiusOf(tree, from);
  if (hasDomain && radius < distance) return;
  copyState(near, nodeOf(tree, from));
  if (distance < range) copyState(reached, sample);
  else interpolate(reached, near, sample, range / distance);
  if (!isFree(near, reached)) {
    if (hasDomain && load<i32>(search, S_STOPPED) === 0) shrink(tree, from, radius);
    return;
  }
  let last = addNode(tree, reached, from);
  if (hasDomain && radius !== Infinity) setRadius(tree, from, radius * (1 + load<f64>(search, S_RATE)));

  const to = findNearest(other, reached);
  const target = array(A_SAMPLE);
  const previous = array(A_PREVIOUS);
  copyState(target, nodeOf(other, to));
  const steps = max(1, ceil(load<f64>(search, S_NEAREST) / range));
  copyState(near, reached);
  for (let i: f64 = 1; i <= steps; i++) {
    copyState(previous, nodeOf(tree, last));
    interpolate(reached, near, target, i / steps);
    if (!isFree(previous, reached)) return;
    if (i < steps) last = addNode(tree, reached, last);
  }
  join(growsStart ? last : to, growsStart ? to : last);
}

function shrink(tree: usize, node: i32, radius: f64): void {
  const next =
    radius === Infinity
      ? load<f64>(search, S_RADIUS)
      : max(radius * (1 - load<f64>(search, S_RATE)), load<f64>(search, S_LEAST_RADIUS));
  setRadius(tree, node, next);
}

function chooseTree(flags: i32): bool {
  let growsStart = load<i32>(search, S_GROWS_START) !== 0;
  const own = countOf(search + <usize>(growsStart ? S_START_TREE : S_GOAL_TREE));
  const other = countOf(search + <usize>(growsStart ? S_GOAL_TREE : S_START_TREE));
  if ((flags & FLAG_BALANCE) === 0 || abs<i32>(own - other) < own) growsStart = !growsStart;
  store<i32>(search, growsStart ? 1 : 0, S_GROWS_START);
  return growsStart;
}

/** The trees meet between these nodes: done, unless the last check finds a fault. */
function join(startNode: i32, goalNode: i32): void {
  if (isCheckedLast()) {
    const startFree = pruneBlocked(search + S_START_TREE, startNode);
    const goalFree = pruneBlocked(search + S_GOAL_TREE, goalNode);
    const near = array(A_NEAR);
    const reached = array(A_REACHED);
    copyState(near, nodeOf(search + S_START_TREE, startNode));
    copyState(reached, nodeOf(search + S_GOAL_TREE, goalNode));
    const joint = isFreeAtLast(near, reached);
    if (!startFree || !goalFree || !joint) return;
  }
  store<i32>(search, startNode, S_JOIN_START);
  store<i32>(search, goalNode, S_JOIN_GOAL);
  store<i32>(search, STATUS_JOINED, S_STATUS);
}

/** Checks the motions between a node and its root; cuts off what hangs behind the blocked ones. */
function pruneBlocked(tree: usize, node: i32): bool {
  const near = array(A_NEAR);
  const reached = array(A_REACHED);
  let blocked = -1;
  let child = node;
  for (let parent = parentOf(tree, child); parent !== child; parent = parentOf(tree, child)) {
    copyState(near, nodeOf(tree, parent));
    copyState(reached, nodeOf(tree, child));
    if (!isFreeAtLast(near, reached)) {
      if (load<i32>(search, S_STOPPED) !== 0) return false;
      blocked = child;
    }
    child = parent;
  }
  if (blocked < 0) return true;
  // Parents come before their children.
  removeNode(tree, blocked);
  for (let i = blocked + 1, count = countOf(tree); i < count; i++)
    if (isRemoved(tree, parentOf(tree, i))) removeNode(tree, i);
  return false;
}

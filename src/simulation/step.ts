/**
 * One step of a simulation.
 *
 * Method, per substep of h: 1. velocities at its end without contacts (free-bodies.ts, robot-state.ts); 2. contacts (find-contacts.ts);
 * 3. blocks of contacts, limits, friction, joins (build-constraints.ts); 4. islands, each solved by Gauss-Seidel or the proximal
 * method (solve-islands.ts); 5. rigid contacts that penetrate get velocities for the place alone (shift-rows.ts), fast bodies under other models stop before they are through (limit-motion.ts); 6. all
 * move with the velocities at the end (semi-implicit). Without any row and if asked for, 2 to 6 are a step of Runge and Kutta.
 * Order: bodies, pairs and blocks stand in the order of names, so the result depends on nothing else.
 * Fails: a state that is no longer finite, or beyond 1e15, is put back to what it was, and the report says so.
 * Tested by physics.test.ts.
 */
import { LONGEST } from '../geometry/shape-range.js';
import { requireCount } from '../math/arguments.js';
import { addContactBlocks, addJointRows, writeInverseInertias } from './build-constraints.js';
import { findContacts } from './find-contacts.js';
import { accelerateBodies, moveBody } from './free-bodies.js';
import { Islands } from './islands.js';
import { addJoinRows, createJoins, type Join } from './join-rows.js';
import { limitMotion } from './limit-motion.js';
import { stepRungeKutta } from './runge-kutta.js';
import { addShifts } from './shift-rows.js';
import {
  BODY_STRIDE,
  createSimulation,
  FIRST_BODY,
  refreshPlacements,
  requireSimulation,
  type Simulation,
} from './simulation.js';
import { IslandSolver } from './solve-islands.js';
import type { StepReport } from './step-report.js';

const SLEEP_TIME = 0.5;

interface Scratch {
  readonly inverseInertias: Float64Array;
  readonly start: Float64Array;
  readonly shift: Float64Array;
  /** Of h, for which each body and robot moves. */
  readonly shares: Float64Array;
  readonly before: Float64Array;
  readonly islands: Islands;
  readonly solver: IslandSolver;
  readonly asleep: Uint8Array;
  awake: Uint8Array;
  readonly joins: readonly Join[];
}

const scratches = new WeakMap<Simulation, Scratch>();
function scratchOf(simulation: Simulation): Scratch {
  let found = scratches.get(simulation);
  if (!found) {
    const { world, state } = simulation;
    found = {
      inverseInertias: new Float64Array(6 * world.bodies.length),
      start: new Float64Array(world.velocityCount),
      shift: new Float64Array(world.velocityCount),
      shares: new Float64Array(world.bodies.length + world.robots.length),
      before: new Float64Array(state.length),
      islands: new Islands(),
      solver: new IslandSolver(world.bodies.length, world.velocityCount),
      awake: new Uint8Array(0),
      asleep: new Uint8Array(world.bodies.length + world.robots.length),
      // Of the world's start, wherever this simulation stands by now.
      joins: world.joins.length > 0 ? createJoins(createSimulation(world)) : [],
    };
    scratches.set(simulation, found);
  }
  return found;
}

/** Joins with where they acted in the last step; their impulses are those of their blocks. */
export function joinsOf(simulation: Simulation): readonly Join[] {
  return scratchOf(simulation).joins;
}

/** Makes `count` steps; the report of the last is in `simulation.report`. */
export function stepSimulation(simulation: Simulation, count = 1): StepReport {
  requireSimulation('stepSimulation', simulation);
  requireCount('stepSimulation', 'count', count, 1);
  for (let i = 0; i < count; i++) stepOnce(simulation);
  return simulation.report;
}

function stepOnce(simulation: Simulation): void {
  const { world, state, report, controllers } = simulation;
  const { step, substeps } = world.step;
  const scratch = scratchOf(simulation);
  report.contacts = 0;
  report.islands = 0;
  report.sleeping = 0;
  report.penetration = 0;
  report.residual = 0;
  report.iterations = 0;
  report.status = 'ok';
  scratch.before.set(state);
  const t = state[0];
  for (const controller of controllers) controller(simulation, t);
  const h = step / substeps;
  for (let i = 0; i < substeps; i++) {
    stepPart(simulation, scratch, h, t + i * h);
    if (!hasNumbers(state)) {
      state.set(scratch.before);
      // Impulses that may be no numbers either: the next step begins without any.
      simulation.contacts.clear();
      report.status = 'not finite';
      refreshPlacements(simulation);
      return;
    }
    refreshPlacements(simulation);
  }
  // Counted, not summed: no drift.
  state[1] += 1;
  state[0] = state[1] * step;
}

function hasNumbers(state: Float64Array): boolean {
  for (let i = 0; i < state.length; i++) if (!(Math.abs(state[i]) <= LONGEST)) return false;
  return true;
}

function stepPart(simulation: Simulation, scratch: Scratch, h: number, t: number): void {
  const { world, constraints: set, velocity: V, report, robots, contacts } = simulation;
  const { inverseInertias, start, shift, shares, islands, solver, asleep } = scratch;
  const { step } = world;
  readVelocities(simulation, start);
  writeInverseInertias(inverseInertias, simulation);
  accelerateBodies(simulation, V, h, inverseInertias);
  for (const robot of robots) robot.prepare(V, h, t);
  findContacts(simulation, h);
  set.clear();
  addContactBlocks(simulation);
  addJointRows(simulation, V, h);
  if (scratch.joins.length > 0) addJoinRows(simulation, scratch.joins, h, inverseInertias);
  report.contacts = Math.max(report.contacts, contacts.count);
  if (set.blockCount === 0 && step.integrator === 'rk4' && stepRungeKutta(simulation, h, t)) return;
  islands.find(set, world.bodies.length + robots.length);
  report.islands = Math.max(report.islands, islands.count);
  markSleeping(simulation, scratch);
  report.penetration = Math.max(report.penetration, deepestOf(contacts));
  solver.solve(simulation, islands, asleep, inverseInertias, start, h);
  shift.fill(0);
  shares.fill(1);
  if (step.contact === 'rigid') addShifts(simulation, shift, islands, solver, asleep, h);
  else limitMotion(simulation, shares, h);
  finish(simulation, scratch, h);
}

function deepestOf({ count, gaps }: Simulation['contacts']): number {
  let deepest = 0;
  for (let c = 0; c < count; c++) if (-gaps[c] > deepest) deepest = -gaps[c];
  return deepest;
}

function readVelocities({ world, state, robots }: Simulation, out: Float64Array): void {
  for (let i = 0; i < world.bodies.length; i++) {
    const s = FIRST_BODY + BODY_STRIDE * i + 7;
    for (let k = 0; k < 6; k++) out[6 * i + k] = state[s + k];
  }
  for (const { v, firstV } of robots) out.set(v, firstV);
}

/** Islands all of whose bodies have been slow for long, and that hold no robot. */
function markSleeping(simulation: Simulation, scratch: Scratch): void {
  const { islands, asleep, start } = scratch;
  const { world, state, velocity: V, report, forces } = simulation;
  asleep.fill(0);
  if (!(world.step.sleepSpeed > 0)) return;
  const bodies = world.bodies.length;
  if (scratch.awake.length < islands.count) scratch.awake = new Uint8Array(2 * islands.count);
  const { awake } = scratch;
  awake.fill(0, 0, islands.count);
  for (let m = 0; m < asleep.length; m++) {
    const island = islands.islandOf[m];
    if (island < 0) continue;
    let rests = m < bodies && state[FIRST_BODY + BODY_STRIDE * m + 13] >= SLEEP_TIME;
    for (let k = 0; rests && k < 6; k++) rests = forces[6 * m + k] === 0;
    if (!rests) awake[island] = 1;
  }
  let count = 0;
  for (let m = 0; m < bodies; m++) {
    const island = islands.islandOf[m];
    if (island < 0 || awake[island] === 1) continue;
    asleep[m] = 1;
    count++;
    for (let k = 0; k < 6; k++) {
      V[6 * m + k] = 0;
      start[6 * m + k] = 0;
    }
  }
  report.sleeping = Math.max(report.sleeping, count);
}

function finish(simulation: Simulation, { shift, shares, asleep }: Scratch, h: number): void {
  const { world, state, velocity: V, robots } = simulation;
  const limit = world.step.sleepSpeed;
  for (let i = 0; i < world.bodies.length; i++) {
    const s = FIRST_BODY + BODY_STRIDE * i;
    if (asleep[i] === 1) {
      for (let k = 0; k < 6; k++) state[s + 7 + k] = 0;
      continue;
    }
    moveBody(simulation, i, V, shift, h * shares[i]);
    if (!(limit > 0)) continue;
    let squared = 0;
    for (let k = 0; k < 3; k++) squared += V[6 * i + k] * V[6 * i + k];
    let turning = 0;
    for (let k = 3; k < 6; k++) turning += V[6 * i + k] * V[6 * i + k];
    // As fast as the gyration radius turns.
    const { moments, mass } = world.bodies[i];
    squared += (turning * (moments[0] + moments[1] + moments[2])) / (3 * mass);
    state[s + 13] = squared < limit * limit ? state[s + 13] + h : 0;
  }
  for (const [r, robot] of robots.entries()) {
    const taken = 1 - shares[world.bodies.length + r];
    if (taken > 0) for (let k = robot.firstV; k < robot.firstV + robot.v.length; k++) shift[k] -= taken * V[k];
    robot.advance(V, shift, h);
  }
}

/**
 * One step of a simulation.
 *
 * Method, per substep of h: 1. velocities at its end without contacts (free-bodies.ts, robot-state.ts); 2. contacts (find-contacts.ts);
 * 3. rows of contacts, limits, friction, joins (build-constraints.ts), their model (contact-models.ts); 4. islands, each solved by
 * Gauss-Seidel or the proximal method; 5. rigid contacts that penetrate get velocities for the place alone (shift-rows.ts); 6. all
 * move with the velocities at the end (semi-implicit). Without any row and if asked for, 2 to 6 are a step of Runge and Kutta.
 * Order: bodies, pairs and blocks stand in the order of names, so the result depends on nothing else.
 * Fails: a state that is no longer finite is put back to what it was, and the report says so.
 * Tested by physics.test.ts.
 */
import { requireCount } from '../math/arguments.js';
import {
  addContactRows,
  addJoinRows,
  addJointRows,
  createJoins,
  type Join,
  writeInverseInertias,
} from './build-constraints.js';
import { SIDE } from './constraint-set.js';
import { applyContactModel } from './contact-models.js';
import { findContacts } from './find-contacts.js';
import { accelerateBodies, moveBody } from './free-bodies.js';
import { createGatheredProblem, gatherProblem, returnImpulses } from './gather-problem.js';
import { Islands } from './islands.js';
import { stepRungeKutta } from './runge-kutta.js';
import { addShifts } from './shift-rows.js';
import { BODY_STRIDE, FIRST_BODY, refreshPlacements, requireSimulation, type Simulation } from './simulation.js';
import {
  applyImpulses,
  type GaussSeidelResult,
  measureResidual,
  prepareGaussSeidel,
  solveGaussSeidel,
} from './solve-gauss-seidel.js';
import { type ProximalResult, solveProximal } from './solve-proximal.js';
import type { StepReport } from './step-report.js';

/** Rows of an island up to which `auto` takes the proximal solver: beyond, its n^3 costs more than its few steps save. */
const MOST_PROXIMAL = 120;
const SLEEP_TIME = 0.5;

interface Scratch {
  readonly inverseInertias: Float64Array;
  readonly start: Float64Array;
  readonly shift: Float64Array;
  readonly before: Float64Array;
  readonly islands: Islands;
  readonly asleep: Uint8Array;
  readonly joins: readonly Join[];
}

const scratches = new WeakMap<Simulation, Scratch>();
const problem = createGatheredProblem();
const relaxed: GaussSeidelResult = { iterations: 0, residual: 0, status: 'solved' };
const proximal: ProximalResult = { status: 'solved', iterations: 0, newtonSteps: 0, factorizations: 0, residual: 0 };

function scratchOf(simulation: Simulation): Scratch {
  let found = scratches.get(simulation);
  if (!found) {
    const { world, state } = simulation;
    found = {
      inverseInertias: new Float64Array(6 * world.bodies.length),
      start: new Float64Array(world.velocityCount),
      shift: new Float64Array(world.velocityCount),
      before: new Float64Array(state.length),
      islands: new Islands(),
      asleep: new Uint8Array(world.bodies.length + world.robots.length),
      joins: createJoins(simulation),
    };
    scratches.set(simulation, found);
  }
  return found;
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
  for (let i = 0; i < substeps; i++) stepPart(simulation, scratch, h, t + i * h);
  // Counted, not summed: no drift.
  state[1] += 1;
  state[0] = state[1] * step;
  let sum = 0;
  for (let i = 0; i < state.length; i++) sum += state[i] * 0;
  if (sum !== 0) {
    state.set(scratch.before);
    report.status = 'not finite';
  }
  refreshPlacements(simulation);
}

function stepPart(simulation: Simulation, scratch: Scratch, h: number, t: number): void {
  const { world, constraints: set, velocity: V, report, robots, contacts } = simulation;
  const { inverseInertias, start, shift, islands } = scratch;
  const { step } = world;
  readVelocities(simulation, start);
  writeInverseInertias(inverseInertias, simulation);
  accelerateBodies(simulation, V, h, inverseInertias);
  for (const robot of robots) robot.prepare(V, h, t);
  findContacts(simulation, h);
  set.clear();
  addContactRows(simulation, inverseInertias, 1);
  addJointRows(simulation, V, h);
  if (scratch.joins.length > 0) addJoinRows(simulation, scratch.joins, h, inverseInertias);
  report.contacts = Math.max(report.contacts, contacts.count);
  if (set.blockCount === 0 && step.integrator === 'rk4' && stepRungeKutta(simulation, h, t)) {
    refreshPlacements(simulation);
    return;
  }
  applyContactModel(simulation, start, V, h);
  islands.find(set, world.bodies.length + robots.length);
  report.islands = Math.max(report.islands, islands.count);
  markSleeping(simulation, scratch);
  for (let c = 0; c < contacts.count; c++) report.penetration = Math.max(report.penetration, -contacts.gaps[c]);
  solveIslands(simulation, scratch);
  keepImpulses(simulation);
  shift.fill(0);
  if (step.contact === 'rigid') addShifts(simulation, shift, islands, scratch.asleep, h);
  finish(simulation, scratch, h);
  refreshPlacements(simulation);
}

function readVelocities({ world, state, robots }: Simulation, out: Float64Array): void {
  for (let i = 0; i < world.bodies.length; i++) {
    const s = FIRST_BODY + BODY_STRIDE * i + 7;
    for (let k = 0; k < 6; k++) out[6 * i + k] = state[s + k];
  }
  for (const { v, firstV } of robots) out.set(v, firstV);
}

/** Islands all of whose bodies have been slow for long, and that hold no robot. */
function markSleeping(simulation: Simulation, { islands, asleep, start }: Scratch): void {
  const { world, state, velocity: V, report, forces } = simulation;
  asleep.fill(0);
  if (!(world.step.sleepSpeed > 0)) return;
  const bodies = world.bodies.length;
  const awake = new Uint8Array(islands.count);
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

function solveIslands(simulation: Simulation, { islands, asleep }: Scratch): void {
  const { constraints: set, velocity: V, world, report } = simulation;
  const { step } = world;
  const { starts, blocks } = islands;
  const law = step.contact === 'relaxed' ? 'convex' : 'coulomb';
  const pyramidal = step.cone === 'pyramidal';
  prepareGaussSeidel(set);
  for (let i = 0; i < islands.count; i++) {
    const from = starts[i];
    const end = starts[i + 1];
    if (sleeps(simulation, asleep, blocks[from])) continue;
    let status: 'solved' | 'limit';
    if (usesProximal(simulation, islands, i)) {
      gatherProblem(problem, set, V, blocks, from, end);
      problem.law = law;
      problem.pyramidal = pyramidal;
      solveProximal(problem.f, problem, step.iterations.proximal, step.tolerance.proximal, proximal);
      returnImpulses(problem, set, blocks, from, end);
      applyImpulses(set, V, blocks, from, end);
      report.iterations += proximal.iterations + proximal.newtonSteps;
      report.residual = Math.max(report.residual, proximal.residual);
      status = proximal.status === 'solved' || proximal.residual <= step.tolerance.proximal ? 'solved' : 'limit';
    } else {
      applyImpulses(set, V, blocks, from, end);
      const { gaussSeidel: iterations } = step.iterations;
      const tolerance = step.tolerance.gaussSeidel;
      solveGaussSeidel(set, V, blocks, from, end, { iterations, tolerance, pyramidal }, relaxed);
      report.iterations += relaxed.iterations;
      report.residual = Math.max(report.residual, measureResidual(set, V, blocks, from, end, law, pyramidal));
      status = relaxed.status;
    }
    if (status === 'limit' && report.status === 'ok') report.status = 'limit';
  }
}

function sleeps({ constraints: { sides } }: Simulation, asleep: Uint8Array, block: number): boolean {
  const m = Math.max(sides[2 * SIDE * block + 3], sides[2 * SIDE * block + SIDE + 3]);
  return asleep[m] === 1;
}

function usesProximal({ world, constraints: set }: Simulation, { starts, blocks }: Islands, i: number): boolean {
  const { solver } = world.step;
  if (solver !== 'auto') return solver === 'proximal';
  let rows = 0;
  for (let k = starts[i]; k < starts[i + 1]; k++) rows += set.kinds[blocks[k]] === 1 ? 3 : 1;
  return rows <= MOST_PROXIMAL;
}

/** Impulses of the blocks, in world axes, to the contacts that they came from. */
function keepImpulses({ constraints: set, contacts }: Simulation): void {
  const { kinds, sources, rows, bases, impulses } = set;
  for (let b = 0; b < set.blockCount; b++) {
    if (kinds[b] !== 1) continue;
    const c = 3 * sources[b];
    const row = rows[b];
    for (let k = 0; k < 3; k++)
      contacts.impulses[c + k] =
        bases[9 * b + k] * impulses[row] +
        bases[9 * b + 3 + k] * impulses[row + 1] +
        bases[9 * b + 6 + k] * impulses[row + 2];
  }
}

function finish(simulation: Simulation, { shift, asleep }: Scratch, h: number): void {
  const { world, state, velocity: V, robots } = simulation;
  const limit = world.step.sleepSpeed;
  for (let i = 0; i < world.bodies.length; i++) {
    const s = FIRST_BODY + BODY_STRIDE * i;
    if (asleep[i] === 1) {
      for (let k = 0; k < 6; k++) state[s + 7 + k] = 0;
      continue;
    }
    moveBody(simulation, i, V, shift, h);
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
  for (const robot of robots) robot.advance(V, shift, h);
}

/**
 * The islands of one step, each solved by what suits it; what they leave in V, in the contacts and in the report.
 *
 * Method: islands of rigid contacts between free bodies have no rows (body-contacts.ts): Gauss-Seidel sweeps them, at most QUICK
 * times where it is not asked for, from the impulses of the step before; then Newton's method in their velocities
 * (solve-body-velocities.ts) where they are not too many. Everything else, and small islands that are not solved by then, get rows of J and M^-1 J^T, and Gauss-Seidel over these or the
 * proximal solver (solve-proximal.ts).
 * Tested by physics.test.ts.
 */
import { runImpulses, runPreparation, runResidual, runSweeps } from './body-contact-loops.js';
import {
  addRestitution,
  BodyContacts,
  CONTACT_STRIDE,
  loadVelocities,
  writeBodyContact,
  writeMasses,
} from './body-contacts.js';
import { addContactRows } from './build-constraints.js';
import { CONTACT, SIDE } from './constraint-set.js';
import { applyContactModel, impactThreshold } from './contact-models.js';
import { createGatheredProblem, gatherProblem, returnImpulses } from './gather-problem.js';
import { countContacts, countRows, isOfBodies, onlyRobot, sleeps, usesProximal } from './island-blocks.js';
import type { Islands } from './islands.js';
import {
  isOfRobotAlone,
  openIsland,
  type RobotBlock,
  type RobotSolve,
  solveByKernel,
  writeRowsByKernel,
} from './robot-kernel.js';
import type { Simulation } from './simulation.js';
import { prepareBodyVelocities, solveBodyVelocities } from './solve-body-velocities.js';
import {
  applyImpulses,
  type GaussSeidelResult,
  measureResidual,
  prepareGaussSeidel,
  solveGaussSeidel,
} from './solve-gauss-seidel.js';
import { parentsOf, solveInVelocities } from './solve-in-velocities.js';
import { type ProximalResult, solveProximal } from './solve-proximal.js';

/** Sweeps before Newton's method: each costs far less than a step of it. */
const QUICK = 4;
/** Rows of robots beyond which sweeps come first, SOME at a time and MOST_SWEEPS at most: Newton's steps cost more than all of them. */
const LARGE = 45;
const SOME = 10;
const MOST_SWEEPS = 200;
/**
 * Part of the tolerance that free bodies are solved to, down to rounding in m/s: Newton's last step gives it for nothing, and what is left of
 * one step is what the impulses of the next begin with wrong.
 */
const CLOSER = 1e-3;
const ROUNDING = 1e-12;
/** Newton's steps in a robot's velocities before other ways are tried. */
const MOST_STEPS = 10;
/** Rounds of these, whole steps in every other one, with sweeps between; they end where one does not bring the residual to GAIN. */
const GAIN = 0.95;
const MOST_ROUNDS = 12;
/** Of robots with more rows than LARGE, where each costs most; then SOME sweeps and no more, since contacts that are stuck stay so. */
const LARGE_ROUNDS = 3;

const problem = createGatheredProblem();
const swept: GaussSeidelResult = { iterations: 0, residual: 0, status: 'solved' };
const proximal: ProximalResult = { status: 'solved', iterations: 0, newtonSteps: 0, factorizations: 0, residual: 0 };
const quick = { iterations: 2, tolerance: 0, pyramidal: false };
const solve: RobotSolve = {
  rounds: 0,
  steps: MOST_STEPS,
  sweeps: 2 * SOME,
  gain: GAIN,
  goal: 0,
  enough: 0,
  residual: 0,
  iterations: 0,
};

/** What the solving of islands keeps from step to step. */
export class IslandSolver {
  readonly bodies: BodyContacts;
  /** Per island: 1 where its contacts are in `bodies`. */
  isFlat = new Uint8Array(0);
  /** Per island: the residual that its solve ended with, m/s. */
  residuals = new Float64Array(0);

  /** The residual that the last island's solve ended with. */
  private left = 0;
  private readonly before: Float64Array;
  /** Where the kernel wrote the rows of the present island. */
  private loaded: RobotBlock | null = null;
  /** Impulses of the set before an attempt. */
  private begin = new Float64Array(0);

  constructor(bodyCount: number, velocityCount: number) {
    this.bodies = new BodyContacts(bodyCount);
    this.before = new Float64Array(velocityCount);
  }

  /** Solves the islands of blocks that are not asleep; V0: velocities that the step begins with. */
  solve(
    simulation: Simulation,
    islands: Islands,
    asleep: Uint8Array,
    inverseInertias: Float64Array,
    V0: Float64Array,
    h: number,
  ): void {
    const { constraints: set, velocity: V, world, report } = simulation;
    const { step } = world;
    const { starts, blocks, count } = islands;
    if (this.isFlat.length < count) {
      this.isFlat = new Uint8Array(2 * count);
      this.residuals = new Float64Array(2 * count);
    }
    this.isFlat.fill(0, 0, count);
    this.residuals.fill(0, 0, count);
    const { bodies } = this;
    bodies.reserve(set.blockCount);
    for (let k = 0; k < starts[count]; k++) bodies.order[k] = blocks[k];
    writeMasses(bodies, simulation, inverseInertias);
    loadVelocities(bodies, V);
    this.scaleRobots(simulation, V0);
    for (let i = 0; i < count; i++) {
      const from = starts[i];
      const end = starts[i + 1];
      if (sleeps(simulation, asleep, blocks[from])) continue;
      const isFlat = step.contact === 'rigid' && isOfBodies(simulation, blocks, from, end);
      if (isFlat) this.isFlat[i] = 1;
      const isSolved =
        (isFlat && this.solveFlat(simulation, blocks, from, end, V0, h)) ||
        this.solveRows(simulation, blocks, from, end, inverseInertias, V0, h, isFlat);
      this.residuals[i] = this.left;
      report.residual = Math.max(report.residual, this.left);
      if (!isSolved && report.status === 'ok') report.status = 'limit';
    }
    for (const { branches, firstV } of simulation.robots) if (branches.isInUse) branches.fromScaled(V, firstV);
  }

  /** Velocities of robots that have rows, as these have them. */
  private scaleRobots(simulation: Simulation, V0: Float64Array): void {
    const {
      robots,
      velocity: V,
      constraints: { sides, blockCount },
      world: { bodies },
    } = simulation;
    if (robots.length === 0) return;
    for (let s = 0; s < 2 * SIDE * blockCount; s += SIDE)
      if (sides[s + 3] >= bodies.length) robots[sides[s + 3] - bodies.length].branches.isInUse = true;
    for (const { branches, firstV } of robots) {
      if (!branches.isInUse) continue;
      branches.toScaled(V, firstV);
      branches.toScaled(V0, firstV);
    }
  }

  /** Whether the island is done. */
  private solveFlat(
    simulation: Simulation,
    blocks: Int32Array,
    from: number,
    end: number,
    V0: Float64Array,
    h: number,
  ): boolean {
    const { bodies } = this;
    const { constraints: set, contacts, world, report } = simulation;
    const { step } = world;
    const threshold = impactThreshold(h, world.gravity);
    const isProximal = usesProximal(simulation, blocks, from, end);
    for (let k = from; k < end; k++) {
      const b = blocks[k];
      const c = set.sources[b];
      writeBodyContact(bodies, simulation, b, c, h);
      const { restitution } = contacts.materials[c];
      if (restitution > 0) addRestitution(bodies, b, restitution, contacts.gaps[c], V0, threshold, h);
    }
    runPreparation(bodies, from, end);
    runImpulses(bodies, from, end);
    const pyramidal = step.cone === 'pyramidal';
    quick.pyramidal = pyramidal;
    const goal = isProximal ? step.tolerance.proximal : step.tolerance.gaussSeidel;
    let residual = Infinity;
    if (step.solver !== 'gauss-seidel') {
      residual = this.solveBodies(simulation, blocks, from, end, goal);
      if (residual > goal && isProximal) {
        keepFlatImpulses(bodies, simulation, blocks, from, end);
        return false;
      }
    }
    if (residual > goal) {
      const { gaussSeidel: iterations } = step.iterations;
      runSweeps(bodies, from, end, { iterations, tolerance: goal, pyramidal }, swept);
      report.iterations += swept.iterations;
      if (swept.status === 'limit' && report.status === 'ok') report.status = 'limit';
      residual = runResidual(bodies, from, end, pyramidal);
    }
    this.left = residual;
    keepFlatImpulses(bodies, simulation, blocks, from, end);
    const { movers, velocities, bodyCount } = bodies;
    const { velocity: V } = simulation;
    for (let k = from; k < end; k++)
      for (let side = 0; side < 2; side++) {
        const body = movers[2 * blocks[k] + side];
        if (body < bodyCount) for (let r = 6 * body; r < 6 * body + 6; r++) V[r] = velocities[r];
      }
    return true;
  }

  /** A few sweeps, then Newton's method in the velocities of bodies with sweeps between; the residual that it ends with. */
  private solveBodies(simulation: Simulation, blocks: Int32Array, from: number, end: number, goal: number): number {
    const { bodies } = this;
    const { velocity: V, report } = simulation;
    const { pyramidal } = quick;
    const enough = Math.max(ROUNDING, CLOSER * goal);
    let residual = runResidual(bodies, from, end, pyramidal);
    for (let k = 0; k < QUICK && residual > enough; k += quick.iterations) {
      runSweeps(bodies, from, end, quick, swept);
      report.iterations += swept.iterations;
      residual = runResidual(bodies, from, end, pyramidal);
    }
    if (residual <= enough || !prepareBodyVelocities(bodies, V, blocks, from, end)) return residual;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const options = { isWhole: (round & 1) === 1, iterations: MOST_STEPS, tolerance: goal, goal: enough };
      solveBodyVelocities(bodies, blocks, from, end, options, pyramidal, proximal);
      report.iterations += proximal.newtonSteps;
      resetBodies(bodies, V, blocks, from, end);
      runImpulses(bodies, from, end);
      const last = residual;
      residual = runResidual(bodies, from, end, pyramidal);
      if (residual <= goal) break;
      for (let k = 0; k < 2 * SOME; k += quick.iterations) runSweeps(bodies, from, end, quick, swept);
      report.iterations += 2 * SOME;
      residual = runResidual(bodies, from, end, pyramidal);
      if (residual <= goal || (round > 0 && residual > GAIN * last)) break;
    }
    return residual;
  }

  /** Gauss-Seidel over rows, for as long as it gets on; where that is not enough V is as it was, and the impulses are a start. */
  private tryRows(simulation: Simulation, blocks: Int32Array, from: number, end: number): boolean {
    const { constraints: set, velocity: V, world, report } = simulation;
    // Of islands that are nearly too large for the proximal solver, what is asked of those that are.
    const { solver, tolerance } = world.step;
    const goal = solver === 'auto' ? tolerance.gaussSeidel : tolerance.proximal;
    this.before.set(V);
    applyImpulses(set, V, blocks, from, end);
    quick.pyramidal = world.step.cone === 'pyramidal';
    let residual = measureResidual(set, V, blocks, from, end, 'coulomb', quick.pyramidal);
    for (let k = 0; k < MOST_SWEEPS && residual > goal; k += SOME) {
      const last = residual;
      for (let i = 0; i < SOME; i += quick.iterations) {
        solveGaussSeidel(set, V, blocks, from, end, quick, swept);
        report.iterations += swept.iterations;
      }
      residual = measureResidual(set, V, blocks, from, end, 'coulomb', quick.pyramidal);
      if (k >= 2 * SOME && residual > 0.9 * last) break;
    }
    if (residual <= goal) {
      this.left = residual;
      return true;
    }
    V.set(this.before);
    return false;
  }

  /** Newton's method in the velocities of a robot, the only thing that moves in its island. */
  private tryVelocities(simulation: Simulation, blocks: Int32Array, from: number, end: number, robot: number): boolean {
    const { constraints: set, velocity: V, world, report, robots } = simulation;
    const { firstV, model, data } = robots[robot];
    const { factorParents } = data;
    const { step } = world;
    const { tolerance, cone } = step;
    const isLarge = step.solver === 'auto' && countRows(simulation, blocks, from, end) > LARGE;
    const goal = isLarge ? tolerance.gaussSeidel : tolerance.proximal;
    const enough = isLarge ? goal : Math.max(ROUNDING, CLOSER * goal);
    quick.pyramidal = cone === 'pyramidal';
    this.begin = set.impulses.length > this.begin.length ? new Float64Array(set.impulses.length) : this.begin;
    this.begin.set(set.impulses);
    this.left = Infinity;
    const rounds = isLarge ? LARGE_ROUNDS : MOST_ROUNDS;
    const isDone = this.tryKernel(simulation, blocks, from, end, robot, rounds, goal, enough);
    if (isDone === true) return true;
    for (let round = 0; isDone === null && round < rounds; round++) {
      const isDone = solveInVelocities(
        set,
        V,
        blocks,
        from,
        end,
        firstV,
        model.nv,
        factorParents,
        {
          isWhole: (round & 1) === 1,
          iterations: MOST_STEPS,
          tolerance: goal,
          goal: enough,
        },
        quick.pyramidal,
        proximal,
      );
      report.iterations += proximal.newtonSteps;
      if (isDone) {
        this.left = proximal.residual;
        return true;
      }
      // Nothing is better nearby: sweeps lead elsewhere.
      this.before.set(V);
      applyImpulses(set, V, blocks, from, end);
      for (let i = 0; i < 2 * SOME; i += quick.iterations) solveGaussSeidel(set, V, blocks, from, end, quick, swept);
      report.iterations += 2 * SOME;
      const last = this.left;
      this.left = measureResidual(set, V, blocks, from, end, 'coulomb', quick.pyramidal);
      if (this.left <= goal) return true;
      V.set(this.before);
      if (round > 0 && this.left > GAIN * last) break;
    }
    // The proximal solver does better from where the step began.
    if (countRows(simulation, blocks, from, end) <= LARGE)
      set.impulses.set(this.begin.subarray(0, set.impulses.length));
    return false;
  }

  /** What `tryVelocities` does, by the kernel; null where it is left to JavaScript. */
  private tryKernel(
    { constraints: set, velocity: V, robots, report }: Simulation,
    blocks: Int32Array,
    from: number,
    end: number,
    robot: number,
    rounds: number,
    goal: number,
    enough: number,
  ): boolean | null {
    const { firstV, model, data, factors } = robots[robot];
    const { loaded } = this;
    const own = loaded ?? openIsland(factors, end - from, 3 * (end - from), set.entryCount, model.nv);
    if (own === null) return null;
    solve.rounds = rounds;
    solve.goal = goal;
    solve.enough = enough;
    // Contacts whose rows the kernel wrote are chains.
    const first = loaded === null ? from : from + countContacts(set, blocks, from, end);
    const parents = parentsOf(set, blocks, first, end, firstV, model.nv, data.factorParents);
    const { pyramidal } = quick;
    const isLoaded = loaded !== null;
    const isSolved = solveByKernel(
      own,
      set,
      V,
      blocks,
      from,
      end,
      firstV,
      model.nv,
      parents,
      factors,
      pyramidal,
      isLoaded,
      solve,
    );
    report.iterations += solve.iterations;
    this.left = solve.residual;
    return isSolved;
  }

  /** Whether the tolerance was met. */
  private solveRows(
    simulation: Simulation,
    blocks: Int32Array,
    from: number,
    end: number,
    inverseInertias: Float64Array,
    V0: Float64Array,
    h: number,
    isFlat: boolean,
  ): boolean {
    const { constraints: set, velocity: V, world, report } = simulation;
    const { step } = world;
    const law = step.contact === 'relaxed' ? 'convex' : 'coulomb';
    const pyramidal = step.cone === 'pyramidal';
    this.loaded = null;
    if (!isFlat && step.contact === 'rigid' && step.solver !== 'gauss-seidel') {
      const alone = isOfRobotAlone(simulation, blocks, from, end);
      if (alone >= 0) this.loaded = writeRowsByKernel(simulation, blocks, from, end, alone, V0, V, h);
    }
    if (this.loaded === null) {
      for (let k = from; k < end; k++)
        if (set.kinds[blocks[k]] === CONTACT) {
          addContactRows(simulation, blocks[k], inverseInertias);
          applyContactModel(simulation, blocks[k], V0, V, h);
        }
      prepareGaussSeidel(set, blocks, from, end);
    }
    let isSolved: boolean;
    const isProximal = isFlat || usesProximal(simulation, blocks, from, end);
    const isLarge = isProximal && !isFlat && law === 'coulomb' && countRows(simulation, blocks, from, end) > LARGE;
    const robot = isFlat || law === 'convex' ? -1 : onlyRobot(simulation, blocks, from, end);
    if (robot >= 0 && this.tryVelocities(simulation, blocks, from, end, robot)) isSolved = true;
    else if (isLarge && robot < 0 && this.tryRows(simulation, blocks, from, end)) isSolved = true;
    else if (isProximal && !(isLarge && robot >= 0)) {
      gatherProblem(problem, set, V, blocks, from, end);
      problem.law = law;
      problem.pyramidal = pyramidal;
      solveProximal(problem.f, problem, step.iterations.proximal, step.tolerance.proximal, proximal);
      returnImpulses(problem, set, blocks, from, end);
      applyImpulses(set, V, blocks, from, end);
      report.iterations += proximal.iterations + proximal.newtonSteps;
      this.left = proximal.residual;
      isSolved = proximal.status === 'solved' || proximal.residual <= step.tolerance.proximal;
    } else {
      applyImpulses(set, V, blocks, from, end);
      const iterations = isLarge && robot >= 0 ? SOME : step.iterations.gaussSeidel;
      const tolerance = step.tolerance.gaussSeidel;
      solveGaussSeidel(set, V, blocks, from, end, { iterations, tolerance, pyramidal }, swept);
      report.iterations += swept.iterations;
      this.left = measureResidual(set, V, blocks, from, end, law, pyramidal);
      isSolved = swept.status === 'solved';
    }
    keepImpulses(simulation, blocks, from, end);
    return isSolved;
  }
}

/** Impulses of the blocks, in world axes, to the contacts that they came from. */
function keepImpulses({ constraints: set, contacts }: Simulation, blocks: Int32Array, from: number, end: number): void {
  const { kinds, sources, rows, bases, impulses } = set;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    if (kinds[b] !== CONTACT) continue;
    const c = 3 * sources[b];
    const row = rows[b];
    for (let k = 0; k < 3; k++)
      contacts.impulses[c + k] =
        bases[9 * b + k] * impulses[row] +
        bases[9 * b + 3 + k] * impulses[row + 1] +
        bases[9 * b + 6 + k] * impulses[row + 2];
  }
}

/** Velocities of an island's bodies as they are without its impulses. */
function resetBodies(
  { movers, velocities, bodyCount }: BodyContacts,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
): void {
  for (let k = from; k < end; k++)
    for (let side = 0; side < 2; side++) {
      const body = movers[2 * blocks[k] + side];
      if (body < bodyCount) for (let r = 6 * body; r < 6 * body + 6; r++) velocities[r] = V[r];
    }
}

function keepFlatImpulses(
  { data }: BodyContacts,
  { constraints: { sources }, contacts: { impulses } }: Simulation,
  blocks: Int32Array,
  from: number,
  end: number,
): void {
  for (let i = from; i < end; i++) {
    const d = CONTACT_STRIDE * blocks[i];
    const c = 3 * sources[blocks[i]];
    const n = data[d + 25];
    const x = data[d + 26];
    const y = data[d + 27];
    impulses[c] = data[d] * n + data[d + 3] * x + data[d + 6] * y;
    impulses[c + 1] = data[d + 1] * n + data[d + 4] * x + data[d + 7] * y;
    impulses[c + 2] = data[d + 2] * n + data[d + 5] * x + data[d + 8] * y;
  }
}

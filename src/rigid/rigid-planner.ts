/**
 * A rigid body as the planning core sees problems: a space of poses with a checker that proves motions, so that every planner by name
 * plans it and returns certified paths; and the planner of rigid-search.ts under the name `free-body`.
 *
 * States are x y z qx qy qz qw. Distance: the square root of |dp|^2 + (2 w)^2 min(|q - q'|^2, |q + q'|^2), w half the body's radius.
 * Tested by rigid-planner.test.ts.
 */
import { requireInstance } from '../math/arguments.js';
import type { Random } from '../math/random.js';
import { sinCos } from '../math/scalar.js';
import type { Planner } from '../planning/planner.js';
import { DEFAULT_ITERATIONS, type PlanningProblem } from '../planning/problem.js';
import { registerPlanner } from '../planning/registry.js';
import type { PlanProgress, Search } from '../planning/search.js';
import type { MotionValidator, PlanResult, StateSpace, ValidityChecker } from '../planning/types.js';
import { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import { interpolatePose, poseDistance, type RigidPose } from './pose.js';
import { type RigidProblem, requireRigidProblem } from './problem.js';
import { createRigidSearch, type RigidSearch } from './rigid-search.js';

const trig = new Float64Array(2);

export class RigidSpace implements StateSpace {
  readonly dimension = 7;
  readonly checker: ValidityChecker;
  private readonly pair: BodyPair;

  constructor(readonly problem: RigidProblem) {
    const { lower, upper, body, obstacles } = problem;
    let reach = 0;
    for (const x of [...lower, ...upper]) reach = Math.max(reach, Math.abs(x));
    this.pair = new BodyPair(body, obstacles, reach);
    const certifier = new MotionCertifier(this.pair);
    const proof = createMotionProof();
    const motion: MotionValidator = {
      isExact: true,
      isMotionValid: (a, b) => certifier.certify(proof, a, b).verdict === 'free',
    };
    this.checker = {
      isValid: (q) => !this.pair.collides(q),
      explain: (q) => {
        if (!this.pair.collides(q)) return '';
        const { triangleBody, triangleObstacle } = this.pair.writeTriangles(
          { triangleObstacle: -1, triangleBody: -1 },
          this.pair.contact,
        );
        return `triangle ${triangleBody} of the body touches triangle ${triangleObstacle} of the obstacles`;
      },
      motion,
    };
  }

  sample(out: Float64Array, random: Random): Float64Array {
    const { lower, upper, group, start } = this.problem;
    for (let k = 0; k < 3; k++) out[k] = lower[k] + (upper[k] - lower[k]) * random.next();
    if (group === 'SE2') {
      out[2] = start[2];
      sinCos(trig, Math.PI * random.next());
      out[3] = out[4] = 0;
      out[5] = trig[0];
      out[6] = trig[1];
      return out;
    }
    const u = random.next();
    sinCos(trig, 2 * Math.PI * random.next());
    out[3] = Math.sqrt(1 - u) * trig[0];
    out[4] = Math.sqrt(1 - u) * trig[1];
    sinCos(trig, 2 * Math.PI * random.next());
    out[5] = Math.sqrt(u) * trig[0];
    out[6] = Math.sqrt(u) * trig[1];
    return out;
  }

  distance(a: Float64Array, b: Float64Array): number {
    return poseDistance(a, b, this.pair.radius);
  }

  interpolate(out: Float64Array, a: Float64Array, b: Float64Array, t: number): Float64Array {
    return interpolatePose(out, a, b, t);
  }

  satisfiesBounds(q: Float64Array): boolean {
    const { lower, upper } = this.problem;
    for (let k = 0; k < 3; k++) if (!(q[k] >= lower[k] && q[k] <= upper[k])) return false;
    return Math.abs(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6] - 1) < 1e-6;
  }

  dispose(): void {
    this.pair.dispose();
  }
}

/** The space of a problem's poses; its `checker` proves motions. Give it back with `dispose`. */
export function createRigidSpace(problem: RigidProblem): RigidSpace {
  requireRigidProblem('createRigidSpace', problem);
  return new RigidSpace(problem);
}

/** Queries that count as one iteration. */
const ITERATION = 64;

class RigidPlannerSearch implements Search {
  readonly slice = 1;
  private readonly search: RigidSearch;
  private iterations = 0;

  constructor(problem: RigidProblem, seed: number, iterations: number) {
    this.search = createRigidSearch(problem, { seed, maxQueries: ITERATION * iterations });
  }

  get done(): boolean {
    return this.search.done;
  }

  get progress(): PlanProgress {
    const { queries, startPoses, goalPoses } = this.search.progress;
    return { iterations: this.iterations, checks: queries, startNodes: startPoses, goalNodes: goalPoses };
  }

  step(iterations: number): boolean {
    for (let i = 0; i < iterations && !this.search.done; i++) {
      this.iterations++;
      this.search.step(ITERATION);
    }
    return this.search.done;
  }

  result(): PlanResult {
    const { status, reason, path, queries } = this.search.result();
    const space = (a: RigidPose, b: RigidPose): number =>
      Math.sqrt([0, 1, 2].reduce((s, k) => s + (a[k] - b[k]) ** 2, 0));
    const length = path.reduce((sum, at, i) => (i === 0 ? 0 : sum + space(path[i - 1], at)), 0);
    return { status, reason, path, length, iterations: this.iterations, checks: queries, complete: true, assumed: [] };
  }

  dispose(): void {
    this.search.dispose();
  }

  /** Trees that are not given back are released when they are collected. */
  keep(): this {
    return this;
  }
}

const freeBody: Planner = {
  name: 'free-body',
  about: 'one rigid body among meshes: two trees with contact sliding, every motion proven free',
  settings: [],
  isAnytime: false,
  create(call, request: PlanningProblem) {
    requireInstance(call, 'space', request.space, RigidSpace, 'what createRigidSpace returned');
    const { problem } = request.space as RigidSpace;
    const goal = request.goals[0] ?? problem.goal;
    return new RigidPlannerSearch(
      { ...problem, start: request.start, goal },
      request.seed ?? 1,
      request.maxIterations ?? DEFAULT_ITERATIONS,
    );
  },
};

/** Makes `free-body` known to `planPath`, for spaces of `createRigidSpace`. Returns a function that takes it out again. */
export function registerRigidPlanner(): () => void {
  return registerPlanner(freeBody);
}

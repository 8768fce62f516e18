/**
 * TrajOpt: one path, made short and clear of everything, by a sequence of convex programs.
 *
 * Method: 1. cost: sum of squared steps between waypoints over that of a straight path, whose own is 1. 2. Every look along the path
 * (path-looks.ts), between waypoints too, so that links are swept, asks each near pair for its clearance; what is missed, and what steps and
 * changes of steps exceed velocity and acceleration limits by, counts with an l1 penalty, whose exactness makes a large enough weight
 * as good as a constraint. 3. Distances are linearised by their gradients; the convex program within a box about the path (trust region) and
 * within the joint limits is solved by banded-program.ts. 4. A step that lowers the true merit by at least a quarter of what the model says is
 * taken and the box grows by half; else it shrinks to a fifth. 5. When nothing more is gained, the penalty is raised tenfold as long as
 * anything is missed.
 * Source: Schulman, Duan, Ho, Lee, Awwal, Bradlow, Pan, Patil, Goldberg, Abbeel 2014, "Motion planning with sequential convex optimization and
 * convex collision checking", IJRR 33(9), sections III-V, doi:10.1177/0278364914528132. Between waypoints this one looks at the motion itself,
 * not at the hull of two poses.
 *
 * Frames: joint space, radians and metres. Writes the path's waypoints but its ends. Cost: looks x near pairs distances, then ten to twenty
 * factorisations of a band, per iteration; 20 to 100 iterations. Ends: `clear` nothing missed at any look; `stuck` something is missed
 * and no step helps; `limit`; `stopped`. Whether a path is free is not for it to say: certificates do. Tested by optimise-path.test.ts.
 */
import { clampConfiguration, differenceConfiguration, integrateConfiguration } from '../../model/configuration.js';
import { type BandedProgram, BandedSolver, Hinges } from './banded-program.js';
import type { Descent, DescentResult, DescentSettings } from './descent.js';
import { PathLooks } from './path-looks.js';
import type { PathProblem } from './path-problem.js';

const FIRST_PENALTY = 10;
const LAST_PENALTY = 1e5;
const FIRST_RADIUS = 0.15;
const LARGEST_RADIUS = 1;
const LEAST_RADIUS = 1e-4;
const ACCEPTED = 0.25;
/** Gains below this share of the merit end a round. */
const LEAST_GAIN = 1e-3;
/** Metres (radians of steps) that may be missed in the sum. */
const CLEAR = 1e-6;
const PROGRAM_GAP = 1e-4;
/** Of the resolution, until a path is clear at it. */
const COARSE = 3;

export class Trajopt implements Descent {
  private readonly n: number;
  private readonly program: BandedProgram;
  private readonly solver = new BandedSolver(PROGRAM_GAP);
  private readonly looks: PathLooks;
  private readonly steps: Float64Array[];
  private readonly v: Float64Array;
  private readonly scale: number;

  constructor(private readonly problem: PathProblem) {
    const { model, moving, segments, start, goal, limits } = problem;
    this.n = moving.length;
    const size = this.n * (segments - 1);
    const width = (limits ? 3 : 2) * this.n;
    this.program = {
      size,
      band: width - 1,
      H: new Float64Array(size * width),
      g: new Float64Array(size),
      lower: new Float64Array(size),
      upper: new Float64Array(size),
      hinges: new Hinges(width),
    };
    this.looks = new PathLooks(problem);
    this.steps = Array.from({ length: segments }, () => new Float64Array(model.nv));
    this.v = new Float64Array(model.nv);
    differenceConfiguration(this.v, model, start, goal);
    let square = 0;
    for (const x of this.v) square += x * x;
    this.scale = segments / Math.max(square, 1e-2);
    this.writeMatrix();
  }

  /** Second derivatives of scale sum |step|^2. */
  private writeMatrix(): void {
    const { n } = this;
    const { H, size, band } = this.program;
    const stride = band + 1;
    for (let i = 0; i < size; i++) {
      H[i * stride + band] = 4 * this.scale;
      if (i >= n) H[i * stride + band - n] = -2 * this.scale;
    }
  }

  run(path: Float64Array[], { maxIterations, shouldStop, onIteration }: DescentSettings): DescentResult {
    let penalty = FIRST_PENALTY;
    let radius = FIRST_RADIUS;
    const trial: Float64Array[] = path.map((q) => Float64Array.from(q));
    let iterations = 0;
    const { resolution } = this.problem;
    let spacing = COARSE * resolution;
    this.looks.plan(path, spacing);
    let now = this.measure(path, penalty);
    const end = (status: DescentResult['status']): DescentResult => ({
      status,
      iterations,
      cost: now.cost,
      violation: now.violation,
    });
    while (iterations < maxIterations) {
      if (shouldStop?.()) return end('stopped');
      this.looks.plan(path, spacing);
      now = this.measure(path, penalty, radius);
      let isDone = false;
      for (;;) {
        iterations++;
        this.writeBox(path, radius);
        this.solver.solve(this.program);
        const promised = now.merit - this.modelMerit(now.cost);
        this.apply(trial, path);
        const next = this.measure(trial, penalty);
        const gained = now.merit - next.merit;
        const isTaken = gained > 0 && gained >= ACCEPTED * promised;
        onIteration?.({ iterations, cost: now.cost, violation: now.violation, penalty, radius, taken: isTaken, path });
        if (isTaken) {
          for (let t = 1; t < path.length - 1; t++) {
            const swap = path[t];
            path[t] = trial[t];
            trial[t] = swap;
          }
          const isSmall = gained < LEAST_GAIN * Math.max(next.merit, 1e-9);
          now = next;
          radius = Math.min(1.5 * radius, LARGEST_RADIUS);
          isDone = isSmall;
          break;
        }
        radius *= 0.2;
        if (promised < 0.1 * LEAST_GAIN * now.merit || radius < LEAST_RADIUS || iterations >= maxIterations) {
          isDone = true;
          break;
        }
        if (shouldStop?.()) return end('stopped');
      }
      if (!isDone) continue;
      if (now.violation <= CLEAR) {
        if (spacing === resolution) return end('clear');
        spacing = resolution;
        radius = Math.max(radius, 0.1 * FIRST_RADIUS);
        continue;
      }
      if (penalty >= LAST_PENALTY) return end('stuck');
      penalty *= 10;
      radius = Math.max(radius, 0.3 * FIRST_RADIUS);
    }
    return end(now.violation <= CLEAR ? 'clear' : 'limit');
  }

  /** Cost and what is missed; with a radius the convex program too, of the hinges that a step within it can reach. */
  private measure(
    path: readonly Float64Array[],
    penalty: number,
    radius = 0,
  ): { cost: number; violation: number; merit: number } {
    const { problem, steps, scale } = this;
    const { model, segments, distances, asked, moving } = problem;
    let square = 0;
    for (let s = 0; s < segments; s++) {
      differenceConfiguration(steps[s], model, path[s], path[s + 1]);
      for (const x of steps[s]) square += x * x;
    }
    const cost = scale * square;
    if (radius > 0) this.writeGradient();
    let violation = 0;
    const { n } = this;
    const { hinges } = this.program;
    const nv = distances.nv;
    this.looks.visit(path, (segment, share, row) => {
      const short = asked[distances.pairs[row]] - (distances.distances[row] - distances.margins[row]);
      if (short > 0) violation += short;
      if (radius === 0 || !this.isReached(row, short, radius)) return;
      // Unknowns of waypoint t begin at n (t - 1); the ends have none.
      const first = Math.max(segment, 1);
      const at = hinges.add(n * (first - 1), short, penalty);
      const { gradients } = distances;
      for (let k = 0; k < n; k++) {
        const slope = gradients[nv * row + moving[k]];
        if (segment >= 1) hinges.rows[at + k] = (1 - share) * slope;
        if (segment + 1 < segments) hinges.rows[at + (segment + 1 - first) * n + k] = share * slope;
      }
    });
    violation += this.addLimits(penalty, radius > 0);
    return { cost, violation, merit: cost + penalty * violation };
  }

  private isReached(row: number, short: number, radius: number): boolean {
    const { distances, moving } = this.problem;
    let most = 0;
    for (let k = 0; k < moving.length; k++) most += Math.abs(distances.gradients[distances.nv * row + moving[k]]);
    return short + radius * most > 0;
  }

  private writeGradient(): void {
    const { n, steps, scale } = this;
    const { moving, segments } = this.problem;
    const { g, hinges } = this.program;
    hinges.clear();
    for (let t = 1; t < segments; t++)
      for (let k = 0; k < n; k++) g[n * (t - 1) + k] = 2 * scale * (steps[t - 1][moving[k]] - steps[t][moving[k]]);
  }

  /** What steps and changes of steps exceed their limits by; rests at both ends count as steps of zero. */
  private addLimits(penalty: number, linearise: boolean): number {
    const { problem, steps, n } = this;
    const { hinges } = this.program;
    const { limits, segments, moving } = problem;
    if (!limits) return 0;
    const { step, velocity, acceleration } = limits;
    let sum = 0;
    const add = (value: number, most: number, terms: readonly (readonly [number, number])[], k: number): void => {
      if (most === Infinity) return;
      for (const sign of [1, -1]) {
        const over = sign * value - most;
        if (over > 0) sum += over;
        if (!linearise || over < -most) continue;
        const free = terms.filter(([t]) => t >= 1 && t < segments);
        if (free.length === 0) continue;
        const first = free[0][0];
        const at = hinges.add(n * (first - 1), over, penalty);
        for (const [t, factor] of free) hinges.rows[at + (t - first) * n + k] -= sign * factor;
      }
    };
    for (let k = 0; k < n; k++) {
      const i = moving[k];
      const fastest = step * velocity[i];
      const hardest = step * step * acceleration[i];
      for (let s = 0; s < segments; s++)
        add(
          steps[s][i],
          fastest,
          [
            [s, -1],
            [s + 1, 1],
          ],
          k,
        );
      for (let t = 0; t <= segments; t++) {
        const before = t > 0 ? steps[t - 1][i] : 0;
        const after = t < segments ? steps[t][i] : 0;
        const middle = (t > 0 ? -1 : 0) + (t < segments ? -1 : 0);
        add(
          after - before,
          hardest,
          [
            [t - 1, 1],
            [t, middle],
            [t + 1, 1],
          ],
          k,
        );
      }
    }
    return sum;
  }

  private writeBox(path: readonly Float64Array[], radius: number): void {
    const { n } = this;
    const { lower, upper } = this.program;
    const { model, places, segments } = this.problem;
    for (let t = 1; t < segments; t++) {
      for (let k = 0; k < n; k++) {
        const i = n * (t - 1) + k;
        lower[i] = -radius;
        upper[i] = radius;
        const place = places[k];
        if (place < 0) continue;
        lower[i] = Math.max(lower[i], Math.min(0, model.lower[place] - path[t][place]));
        upper[i] = Math.min(upper[i], Math.max(0, model.upper[place] - path[t][place]));
      }
    }
  }

  /** What the model says of the merit after the solver's step. */
  private modelMerit(cost: number): number {
    const { g, H, size, band, hinges } = this.program;
    const { x } = this.solver;
    let merit = cost;
    for (let i = 0; i < size; i++) {
      const first = Math.max(0, i - band);
      let sum = H[i * (band + 1) + band] * x[i];
      for (let j = first; j < i; j++) sum += 2 * H[i * (band + 1) + band - i + j] * x[j];
      merit += x[i] * (0.5 * sum + g[i]);
    }
    const { rows, starts, values, weights, width } = hinges;
    for (let i = 0; i < hinges.count; i++) {
      let short = values[i];
      const end = Math.min(width, size - starts[i]);
      for (let k = 0; k < end; k++) short -= rows[i * width + k] * x[starts[i] + k];
      if (short > 0) merit += weights[i] * short;
    }
    return merit;
  }

  private apply(trial: readonly Float64Array[], path: readonly Float64Array[]): void {
    const { n, v } = this;
    const { model, moving, segments } = this.problem;
    v.fill(0);
    for (let t = 1; t < segments; t++) {
      for (let k = 0; k < n; k++) v[moving[k]] = this.solver.x[n * (t - 1) + k];
      integrateConfiguration(trial[t], model, path[t], v);
      clampConfiguration(trial[t], model, trial[t]);
    }
  }
}

/**
 * CHOMP: one path, pushed out of everything by a covariant gradient, so that a push at one waypoint bends the whole path.
 *
 * Method: 1. cost U = F + w G. F: sum of squared steps over that of a straight path. G: along the path, every near pair at every look
 * (path-looks.ts) costs c(d) times the way its closest points go against each other, with c falling from a half of the clearance at
 * contact to 0 at the clearance, as a parabola, and growing like the depth in contact. 2. The functional gradient of G at a look is
 * |x'| J^T ((I - x^ x^T) c' n - c k), with x the relative motion of the closest points, x^ its direction and k its curvature vector: only what is across the
 * motion counts, so that a path is not made to hurry through. 3. Steps go along A^-1 grad U, A the metric of F (a tridiagonal
 * matrix per coordinate), at most `LARGEST_STEP` anywhere. 4. What is beyond a joint limit is taken back by A^-1 times the excess, again and
 * again, which keeps the path smooth, and at last cut off. 5. w doubles while nothing gets better and something is still missed.
 * Source: Zucker, Ratliff, Dragan, Pivtoraiko, Klingensmith, Dellin, Bagnell, Srinivasa 2013, "CHOMP: Covariant Hamiltonian optimization for
 * motion planning", IJRR 32(9-10), sections 3-5, doi:10.1177/0278364913488805. The curvature leaves out the change of J along the path.
 *
 * Frames: as TrajOpt's. Cost: looks x near pairs distances and a tridiagonal solution per coordinate and iteration; some hundred iterations.
 * Ends: `clear`, `limit` or `stopped`, with the best path that was seen. Velocity and acceleration limits are not its own.
 * Tested by optimise-path.test.ts.
 */
import { clampConfiguration, differenceConfiguration, integrateConfiguration } from '../../model/configuration.js';
import type { Descent, DescentResult, DescentSettings } from './descent.js';
import { PathLooks } from './path-looks.js';
import type { PathProblem } from './path-problem.js';

const LARGEST_STEP = 0.05;
const SHARE = 0.2;
const FIRST_WEIGHT = 10;
const LARGEST_WEIGHT = 1e4;
/** Iterations without a better path after which the weight grows. */
const PATIENCE = 15;
const LIMIT_ROUNDS = 8;
const CLEAR = 1e-6;
/** Iterations after the path is clear, for its length. */
const SHORTENING = 20;

export class Chomp implements Descent {
  private readonly n: number;
  private readonly looks: PathLooks;
  private readonly steps: Float64Array[];
  private readonly scale: number;
  /** Gradient, then step: n numbers per waypoint between the ends. */
  private readonly gradient: Float64Array;
  private readonly v: Float64Array;
  private readonly J: Float64Array;
  private readonly x1 = new Float64Array(3);
  private readonly x2 = new Float64Array(3);

  constructor(private readonly problem: PathProblem) {
    const { model, moving, segments, start, goal } = problem;
    this.n = moving.length;
    this.looks = new PathLooks(problem);
    this.steps = Array.from({ length: segments }, () => new Float64Array(model.nv));
    this.gradient = new Float64Array(this.n * Math.max(segments - 1, 0));
    this.v = new Float64Array(model.nv);
    this.J = new Float64Array(3 * model.nv);
    differenceConfiguration(this.v, model, start, goal);
    let square = 0;
    for (const x of this.v) square += x * x;
    this.scale = segments / Math.max(square, 1e-2);
  }

  run(path: Float64Array[], { maxIterations, shouldStop, onIteration }: DescentSettings): DescentResult {
    let weight = FIRST_WEIGHT;
    let waited = 0;
    let clearFor = 0;
    let best = { cost: Infinity, violation: Infinity };
    const kept = path.map((q) => Float64Array.from(q));
    let iterations = 0;
    let status: DescentResult['status'] = 'limit';
    for (; iterations < maxIterations; iterations++) {
      if (shouldStop?.()) {
        status = 'stopped';
        break;
      }
      this.looks.plan(path);
      const now = this.measure(path, weight);
      const isClear = now.violation <= CLEAR;
      const isBetter = isClear
        ? best.violation > CLEAR || now.cost < best.cost * (1 - 1e-3)
        : now.violation < best.violation * (1 - 1e-2);
      onIteration?.({ iterations, ...now, penalty: weight, radius: LARGEST_STEP, taken: isBetter, path });
      if (isBetter) {
        best = now;
        waited = 0;
        for (let t = 1; t < path.length - 1; t++) kept[t].set(path[t]);
      } else waited++;
      if (best.violation <= CLEAR && ++clearFor > SHORTENING) break;
      if (waited > PATIENCE && best.violation > CLEAR) {
        if (weight >= LARGEST_WEIGHT) {
          status = 'stuck';
          break;
        }
        weight *= 2;
        waited = 0;
      }
      this.step(path);
    }
    for (let t = 1; t < path.length - 1; t++) path[t].set(kept[t]);
    return { status: best.violation <= CLEAR ? 'clear' : status, iterations, ...best };
  }

  /** Writes the gradient of U / 2 by the waypoints. */
  private measure(path: readonly Float64Array[], weight: number): { cost: number; violation: number } {
    const { problem, steps, scale, gradient, n } = this;
    const { model, segments, moving, distances, asked } = problem;
    let square = 0;
    for (let s = 0; s < segments; s++) {
      differenceConfiguration(steps[s], model, path[s], path[s + 1]);
      for (const x of steps[s]) square += x * x;
    }
    for (let t = 1; t < segments; t++)
      for (let k = 0; k < n; k++) gradient[n * (t - 1) + k] = scale * (steps[t - 1][moving[k]] - steps[t][moving[k]]);
    let violation = 0;
    this.looks.visit(path, (segment, share, row) => {
      const clearance = Math.max(asked[distances.pairs[row]], 1e-4);
      const d = distances.distances[row] - distances.margins[row];
      if (d >= clearance) return;
      violation += Math.max(0, asked[distances.pairs[row]] - d);
      const c = d < 0 ? 0.5 * clearance - d : ((d - clearance) * (d - clearance)) / (2 * clearance);
      const slope = d < 0 ? -1 : (d - clearance) / clearance;
      this.addPush(segment, share, row, c, (weight * slope) / this.looks.counts[segment], slope);
    });
    return { cost: scale * square, violation };
  }

  /** |x'| J^T ((I - x^ x^T) c' n - c k) of one look, shared by the waypoints beside it. */
  private addPush(segment: number, share: number, row: number, c: number, factor: number, slope: number): void {
    const { J, x1, x2, steps, problem } = this;
    const { distances, segments, moving } = problem;
    const { nv } = distances;
    distances.relativeJacobian(J, row);
    const step = steps[segment];
    const before = share === 0 && segment > 0 ? steps[segment - 1] : step;
    let square = 0;
    let dot = 0;
    for (let r = 0; r < 3; r++) {
      let [first, second] = [0, 0];
      for (let k = 0; k < nv; k++) {
        first += J[r * nv + k] * 0.5 * (step[k] + before[k]);
        second += J[r * nv + k] * (step[k] - before[k]);
      }
      x1[r] = first;
      x2[r] = second;
      square += first * first;
      dot += first * second;
    }
    // Per unit of the path, which `segments` steps make up.
    const speed = segments * Math.sqrt(square);
    if (!(square > 1e-16)) {
      this.spread(segment, share, (k) => factor * 1e-3 * distances.gradients[nv * row + moving[k]]);
      return;
    }
    const { normals } = distances;
    let across = 0;
    for (let r = 0; r < 3; r++) across += x1[r] * normals[3 * row + r];
    for (let r = 0; r < 3; r++) {
      const curvature = (x2[r] - (dot / square) * x1[r]) / square;
      x2[r] = normals[3 * row + r] - (across / square) * x1[r] - (c / slope) * curvature;
    }
    this.spread(segment, share, (k) => {
      let sum = 0;
      for (let r = 0; r < 3; r++) sum += J[r * nv + moving[k]] * x2[r];
      return factor * speed * sum;
    });
  }

  private spread(segment: number, share: number, push: (k: number) => number): void {
    const { gradient, n } = this;
    const { segments } = this.problem;
    for (let k = 0; k < n; k++) {
      const value = push(k);
      if (segment >= 1) gradient[n * (segment - 1) + k] += (1 - share) * value;
      if (segment + 1 < segments) gradient[n * segment + k] += share * value;
    }
  }

  /** x -= share A^-1 gradient, no coordinate by more than the largest step; then back into the limits. */
  private step(path: readonly Float64Array[]): void {
    const { gradient, n, v } = this;
    const { model, moving, segments } = this.problem;
    this.solveMetric(gradient);
    let largest = 0;
    for (const x of gradient) largest = Math.max(largest, Math.abs(x));
    const factor = -Math.min(SHARE, LARGEST_STEP / Math.max(largest, 1e-12));
    v.fill(0);
    for (let t = 1; t < segments; t++) {
      for (let k = 0; k < n; k++) v[moving[k]] = factor * gradient[n * (t - 1) + k];
      integrateConfiguration(path[t], model, path[t], v);
    }
    for (let round = 0; round < LIMIT_ROUNDS && this.takeBack(path); round++);
    for (let t = 1; t < segments; t++) clampConfiguration(path[t], model, path[t]);
  }

  /** One smooth step towards the joint limits; false where none is exceeded. */
  private takeBack(path: readonly Float64Array[]): boolean {
    const { gradient, n, v, scale } = this;
    const { model, moving, places, segments } = this.problem;
    gradient.fill(0);
    let worst = 0;
    let at = -1;
    for (let t = 1; t < segments; t++)
      for (let k = 0; k < n; k++) {
        const place = places[k];
        if (place < 0) continue;
        const x = path[t][place];
        const over = Math.min(0, model.upper[place] - x) + Math.max(0, model.lower[place] - x);
        if (over === 0) continue;
        const i = n * (t - 1) + k;
        gradient[i] = over * scale;
        if (Math.abs(over) > worst) {
          worst = Math.abs(over);
          at = i;
        }
      }
    if (at < 0) return false;
    this.solveMetric(gradient);
    const factor = worst / Math.max(Math.abs(gradient[at]), 1e-12);
    v.fill(0);
    for (let t = 1; t < segments; t++) {
      for (let k = 0; k < n; k++) v[moving[k]] = factor * gradient[n * (t - 1) + k];
      integrateConfiguration(path[t], model, path[t], v);
    }
    return true;
  }

  /** In place A^-1 b, A = scale (-1 2 -1) for each coordinate. */
  private solveMetric(b: Float64Array): void {
    const { n, scale } = this;
    const count = this.problem.segments - 1;
    // Pivots of the elimination are (t + 1) / t.
    for (let k = 0; k < n; k++) {
      for (let t = 1; t < count; t++) b[n * t + k] += (t / (t + 1)) * b[n * (t - 1) + k];
      for (let t = count - 1; t >= 0; t--) {
        const next = t + 1 < count ? b[n * (t + 1) + k] : 0;
        b[n * t + k] = ((t + 1) / (t + 2)) * (b[n * t + k] / scale + next);
      }
    }
  }
}

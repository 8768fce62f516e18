/**
 * Rows of joins: points and frames held together, and springs between points.
 *
 * Method: a point has three rows, a weld six, each of which takes back a fifth of its error per step. A spring of stiffness k and damping
 * c has one along the line between its points, p: with the velocity u that the step ends with its force is -k (x + h u) - c u, x the
 * distance less the length, so that stiff springs need no small steps (Baraff, Witkin 1998); a spring of no length has three.
 * Source: Baraff, Witkin 1998, "Large steps in cloth simulation", doi:10.1145/280814.280821 (implicit springs).
 * Frames: world; a force along the line between two points is the same at both. Cost: a row each. Tested by joins.test.ts.
 */
import { logSo3 } from '../math/so3.js';
import { createTransform, multiplyTransform, relativeTransform, type Transform } from '../math/transform.js';
import { addSides, directions } from './build-constraints.js';
import type { JoinOptions } from './definition.js';
import { carrierPlacement, type Simulation } from './simulation.js';
import { readPose } from './world.js';

export interface Join {
  readonly type: JoinOptions['type'];
  readonly a: number;
  /** -1: the world. */
  readonly b: number;
  readonly frameA: Transform;
  readonly frameB: Transform;
  /** Of springs. */
  readonly stiffness: number;
  readonly damping: number;
  readonly length: number;
  /** Where it acts in the present step, world, and the first of its rows' blocks with their count. */
  readonly point: Float64Array;
  block: number;
  rows: number;
  /** Linear direction of each of up to three rows; of a weld the other three turn about the same. */
  readonly axes: Float64Array;
}

const X_A = createTransform();
const X_B = createTransform();
const X_AB = createTransform();
const turn = new Float64Array(3);

/** Joins of the world with their frames, as things stand in the simulation: to be one at its start. */
export function createJoins(simulation: Simulation): readonly Join[] {
  const { world } = simulation;
  return world.joins.map((options) => {
    const { type, a, b, poseA, poseB } = options;
    const frameA = readPose('createWorld', 'poseA of a join', poseA);
    const first = world.carrierIndex.get(a)!;
    const second = b === undefined ? -1 : world.carrierIndex.get(b)!;
    let frameB = readPose('createWorld', 'poseB of a join', poseB);
    multiplyTransform(X_A, carrierPlacement(X_A, simulation, first), frameA);
    if (poseB === undefined) {
      if (second < 0) frameB = Float64Array.from(X_A);
      else relativeTransform(frameB, carrierPlacement(X_B, simulation, second), X_A);
    }
    if (second < 0) X_B.set(frameB);
    else multiplyTransform(X_B, carrierPlacement(X_B, simulation, second), frameB);
    const isSpring = options.type === 'spring';
    return {
      type,
      a: first,
      b: second,
      frameA,
      frameB,
      stiffness: isSpring ? options.stiffness : 0,
      damping: isSpring ? (options.damping ?? 0) : 0,
      length: isSpring ? (options.length ?? distanceOf(X_A, X_B)) : 0,
      point: new Float64Array(3),
      block: -1,
      rows: 0,
      axes: new Float64Array(9),
    };
  });
}

function distanceOf(X: Transform, Y: Transform): number {
  const [x, y, z] = [Y[9] - X[9], Y[10] - X[10], Y[11] - X[11]];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Places both frames of a join in the world, in X_A and X_B. */
function place({ a, b, frameA, frameB }: Join, simulation: Simulation): void {
  multiplyTransform(X_A, carrierPlacement(X_A, simulation, a), frameA);
  if (b < 0) X_B.set(frameB);
  else multiplyTransform(X_B, carrierPlacement(X_B, simulation, b), frameB);
}

export function addJoinRows(
  simulation: Simulation,
  joins: readonly Join[],
  h: number,
  inverseInertias: Float64Array,
): void {
  const { constraints: set } = simulation;
  for (const join of joins) {
    const { type, a, b, point, axes } = join;
    place(join, simulation);
    join.block = set.blockCount;
    for (let k = 0; k < 3; k++) point[k] = X_B[9 + k];
    axes.fill(0);
    for (let k = 0; k < 9; k += 4) axes[k] = 1;
    const span = type === 'spring' && join.length > 0 ? writeLine(axes) : 0;
    join.rows = type === 'weld' ? 6 : span > 0 ? 1 : 3;
    relativeTransform(X_AB, X_A, X_B);
    logSo3(turn, X_AB);
    for (let r = 0; r < join.rows; r++) {
      const block = set.addRow();
      const k = r % 3;
      directions.fill(0, 0, 6);
      for (let i = 0; i < 3; i++) directions[(r < 3 ? 0 : 3) + i] = axes[3 * k + i];
      addSides(simulation, block, 1, a, b, X_B, 9, inverseInertias);
      const row = set.rows[block];
      if (type === 'spring') {
        const { stiffness: s, damping: c, length } = join;
        const error = span > 0 ? span - length : X_B[9 + k] - X_A[9 + k];
        set.softness[row] = 1 / (h * (h * s + c));
        set.biases[row] = (s * error) / (h * s + c);
        continue;
      }
      const error =
        r < 3 ? X_B[9 + k] - X_A[9 + k] : X_A[3 * k] * turn[0] + X_A[3 * k + 1] * turn[1] + X_A[3 * k + 2] * turn[2];
      set.biases[row] = (0.2 * error) / h;
    }
  }
}

/** axes[0..2] = the direction from A to B, any where they coincide; returns their distance, at least the least number above 0. */
function writeLine(axes: Float64Array): number {
  const span = distanceOf(X_A, X_B);
  if (!(span > 0)) return Number.MIN_VALUE;
  for (let k = 0; k < 3; k++) axes[k] = (X_B[9 + k] - X_A[9 + k]) / span;
  return span;
}

/** What the springs among joins hold, J. */
export function storedEnergy(simulation: Simulation, joins: readonly Join[]): number {
  let sum = 0;
  for (const join of joins) {
    if (join.type !== 'spring') continue;
    place(join, simulation);
    const error = distanceOf(X_A, X_B) - join.length;
    sum += 0.5 * join.stiffness * error * error;
  }
  return sum;
}

/**
 * Constraints as planners see them: equations f(q) = 0 whose solutions are a manifold in a space of independent numbers, with the Jacobian.
 *
 * An inequality is an equation whose value is 0 inside, and beyond its bound how far it is beyond; its row of the Jacobian is 0 inside.
 * Shapes: f is `equations` numbers, the Jacobian `equations` x `dimension`, row-major. Tested by constrained-space.test.ts.
 */
import { requireFunction, throwMisuse } from '../../math/arguments.js';

export interface Constraint {
  /** Numbers per state. */
  readonly dimension: number;
  readonly equations: number;
  /** Writes f(q). */
  evaluate(out: Float64Array, q: Float64Array): void;
  /** Writes df/dq. */
  jacobian(out: Float64Array, q: Float64Array): void;
  /**
   * An upper bound of every |f| on the straight line between two states on the manifold, near each other: how far straight motions leave it.
   * Infinity, or left out: unknown.
   */
  deviationBound?(a: Float64Array, b: Float64Array): number;
  /** What it says, for messages. */
  readonly about?: string;
}

export function requireConstraint(call: string, constraint: Constraint): void {
  const { dimension, equations, evaluate, jacobian } = constraint ?? {};
  const isCount = (n: unknown): boolean => typeof n === 'number' && Number.isInteger(n) && n > 0;
  if (!isCount(dimension) || !isCount(equations) || typeof evaluate !== 'function' || typeof jacobian !== 'function')
    throwMisuse(call, 'constraint', constraint, 'an object with dimension, equations, evaluate and jacobian');
}

/** All of them at once: their equations one after the other. */
export function joinConstraints(constraints: readonly Constraint[]): Constraint {
  const call = 'joinConstraints';
  if (!Array.isArray(constraints) || constraints.length === 0)
    throwMisuse(call, 'constraints', constraints, 'a list of at least one constraint');
  for (const constraint of constraints) requireConstraint(call, constraint);
  const [{ dimension }] = constraints;
  if (constraints.some((constraint) => constraint.dimension !== dimension))
    throwMisuse(call, 'constraints', constraints.map((c) => c.dimension).join(), 'constraints of the same dimension');
  if (constraints.length === 1) return constraints[0];
  const equations = constraints.reduce((sum, constraint) => sum + constraint.equations, 0);
  const values = constraints.map((constraint) => new Float64Array(constraint.equations));
  const rows = constraints.map((constraint) => new Float64Array(constraint.equations * dimension));
  const gather = (out: Float64Array, parts: readonly Float64Array[]): void => {
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
  };
  const about = constraints
    .map((constraint) => constraint.about)
    .filter((text) => text !== undefined)
    .join(', ');
  return {
    dimension,
    equations,
    about,
    evaluate(out, q) {
      for (let i = 0; i < constraints.length; i++) constraints[i].evaluate(values[i], q);
      gather(out, values);
    },
    jacobian(out, q) {
      for (let i = 0; i < constraints.length; i++) constraints[i].jacobian(rows[i], q);
      gather(out, rows);
    },
    deviationBound: (a, b) =>
      Math.max(...constraints.map((constraint) => constraint.deviationBound?.(a, b) ?? Number.POSITIVE_INFINITY)),
  };
}

/** Beyond this a Jacobian has no room. */
const MOST_NUMBERS = 10_000;
/** Step of the central differences: errors of truncation and rounding are about alike. */
const STEP = 6e-6;

/**
 * A constraint from its function alone, with the Jacobian by central differences: about 10 digits, which Newton's method still
 * converges with. Costs 2 `dimension` evaluations each.
 */
export function createNumericConstraint(
  dimension: number,
  equations: number,
  evaluate: (out: Float64Array, q: Float64Array) => void,
): Constraint {
  const call = 'createNumericConstraint';
  requireFunction(call, 'evaluate', evaluate);
  for (const [what, n] of [
    ['dimension', dimension],
    ['equations', equations],
  ] as const)
    if (!(Number.isInteger(n) && n > 0 && n <= MOST_NUMBERS))
      throwMisuse(call, what, n, `a whole number from 1 to ${MOST_NUMBERS}`);
  const at = new Float64Array(dimension);
  const above = new Float64Array(equations);
  const below = new Float64Array(equations);
  return {
    dimension,
    equations,
    evaluate,
    jacobian(out, q) {
      at.set(q);
      for (let k = 0; k < dimension; k++) {
        const h = STEP * Math.max(1, Math.abs(q[k]));
        at[k] = q[k] + h;
        evaluate(above, at);
        at[k] = q[k] - h;
        evaluate(below, at);
        at[k] = q[k];
        for (let i = 0; i < equations; i++) out[i * dimension + k] = (above[i] - below[i]) / (2 * h);
      }
    },
  };
}

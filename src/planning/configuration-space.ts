/**
 * The configurations of a robot, or of some of its joints, as a state space.
 *
 * A state holds the coordinates of the planned joints, in the order of `indices` (indices into q; default: all of q).
 * Each joint measures, samples and interpolates in its own way: angles of continuous joints take the shorter way round,
 * orientations move along the geodesic. distance = sqrt(sum over joints of (weight x joint distance)^2), metres and
 * radians weighed alike unless weights say otherwise.
 * Limits: of the model, and `bounds` where they are given. A state beyond a limit by no more than LIMIT_TOLERANCE, or with a
 * quaternion off length 1 by no more than UNIT_TOLERANCE, can be admitted (`admit`), which moves it and says so. Coordinates
 * without limits, or with limits a thousand times as far away as that, are drawn from what `coverStates` makes of the states to be joined:
 * their range, widened on each side by twice its size and 1 m or half a turn. A coordinate beyond 1e15 is out of bounds.
 * `findMotionBounds` of the scene door makes bounds from what stands around a robot.
 * Where all planned joints are lines (revolute and prismatic with plain coordinates) the space is Euclidean and says so.
 * Tested by configuration-space.test.ts and test/contract/state-spaces.test.ts.
 */
import { type Fields, numbers, requireBounds, requireFields, unchecked } from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Random } from '../math/random.js';
import { UNIT_ROUNDING, UNIT_TOLERANCE } from '../math/unit-quaternion.js';
import type { JointKind } from '../model/joints/joint-kind.js';
import { LIMIT_TOLERANCE } from '../model/limit-tolerance.js';
import type { Model } from '../model/model.js';
import { COORDINATE_ANGLE, COORDINATE_LINE, COORDINATE_LOCKED } from './kernel/layout.js';
import type { StateCoordinates, StateSpace } from './types.js';

export interface ConfigurationSpaceOptions {
  /** Indices into q of the planned coordinates; whole joints only. */
  readonly indices?: ArrayLike<number>;
  /** Factor of each planned joint's distance, in the order of the joints; default 1. */
  readonly weights?: ArrayLike<number>;
  /** Further limits of q, nq numbers each, -Infinity and Infinity where there is none; the tighter one holds. */
  readonly bounds?: { readonly lower: ArrayLike<number>; readonly upper: ArrayLike<number> };
}

interface PlannedJoint {
  readonly name: string;
  readonly kind: JointKind;
  /** First number of the joint in a state. */
  readonly at: number;
  readonly squaredWeight: number;
}

const CALL = 'createConfigurationSpace';
const OPTIONS: Fields = { indices: numbers, weights: numbers, bounds: unchecked };

export function createConfigurationSpace(model: Model, options: ConfigurationSpaceOptions = {}): StateSpace {
  if (!(model?.lower instanceof Float64Array))
    throw new MisuseError(`${CALL}: model, got ${describeValue(model)}, expected what buildModel returned`);
  requireFields(CALL, 'options', options, OPTIONS);
  const indices = options.indices ? Array.from(options.indices) : Array.from({ length: model.nq }, (_, i) => i);
  const joints = findPlannedJoints(model, indices, options.weights);
  const lower = Float64Array.from(indices, (i) => model.lower[i]);
  const upper = Float64Array.from(indices, (i) => model.upper[i]);
  if (options.bounds !== undefined) tightenBounds(lower, upper, model, indices, options.bounds);
  return createSpace({ joints, lower, upper, drawnLower: lower, drawnUpper: upper });
}

interface SpaceParts {
  readonly joints: readonly PlannedJoint[];
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Where states are drawn from: within the limits, finite where they cover the states to be joined. */
  readonly drawnLower: Float64Array;
  readonly drawnUpper: Float64Array;
}

function createSpace(parts: SpaceParts): StateSpace {
  const { joints, lower, upper, drawnLower, drawnUpper } = parts;
  const dimension = lower.length;
  const isEuclidean = joints.every(({ kind }) => kind.group === 'vector' && !kind.isWrapped);

  const explainBounds = (q: Float64Array): string => {
    if (q.length !== dimension) return `has ${q.length} numbers, expected ${dimension}`;
    for (const { name, kind, at } of joints) {
      for (let k = at; k < at + kind.nq; k++) {
        if (!Number.isFinite(q[k])) return `joint "${name}" is ${q[k]}, expected a finite number`;
        if (Math.abs(q[k]) > FARTHEST) return `joint "${name}" is ${q[k]}, expected a number within +-${FARTHEST}`;
        if (q[k] < lower[k] || q[k] > upper[k])
          return `joint "${name}" is ${q[k]}, its limits are ${lower[k]} to ${upper[k]}`;
      }
      if (kind.unitCoordinates === 0) continue;
      let sum = 0;
      for (let k = at + kind.nq - kind.unitCoordinates; k < at + kind.nq; k++) sum += q[k] * q[k];
      if (Math.abs(Math.sqrt(sum) - 1) > UNIT_TOLERANCE)
        return `joint "${name}" has a ${kind.unitCoordinates === 4 ? 'quaternion' : '(cos, sin) pair'} of length ${Math.sqrt(sum)}, expected 1`;
    }
    return '';
  };

  const space: StateSpace = {
    dimension,
    euclideanScale: isEuclidean ? Float64Array.from(joints, (joint) => Math.sqrt(joint.squaredWeight)) : undefined,
    coordinates: describeCoordinates(parts),
    sample(out: Float64Array, random: Random): Float64Array {
      for (const { kind, at } of joints) kind.setRandom(out, drawnLower, drawnUpper, random, at);
      return out;
    },
    distance(a: Float64Array, b: Float64Array): number {
      let sum = 0;
      for (let j = 0; j < joints.length; j++) {
        const { kind, at, squaredWeight } = joints[j];
        sum += squaredWeight * kind.squaredDistance(a, b, at);
      }
      return Math.sqrt(sum);
    },
    interpolate(out: Float64Array, a: Float64Array, b: Float64Array, t: number): Float64Array {
      if (t === 1) {
        // The end itself, bit for bit, whatever the joint's arithmetic would round.
        if (out !== b) out.set(b);
        return out;
      }
      for (let j = 0; j < joints.length; j++) joints[j].kind.interpolate(out, a, b, t, joints[j].at);
      return out;
    },
    satisfiesBounds: (q) => explainBounds(q) === '',
    explainBounds,
    admit: (q) => admitState(parts, q),
    coverStates: (states) => coverStates(parts, states, space),
  };
  return space;
}

/** Where every joint is one number: what the planners' kernel needs to do as the joints do. */
function describeCoordinates({ joints, drawnLower, drawnUpper }: SpaceParts): StateCoordinates | undefined {
  if (!joints.every(({ kind }) => kind.nq === 1 && kind.motion !== 'general')) return undefined;
  const lower = Float64Array.from(drawnLower);
  const upper = Float64Array.from(drawnUpper);
  joints.forEach(({ kind }, k) => {
    // As draws replace a missing bound.
    const reach = kind.motion === 'rotation' ? Math.PI : 1;
    if (lower[k] === -Infinity) lower[k] = upper[k] === Infinity ? -reach : upper[k] - 2 * reach;
    else if (lower[k] === upper[k]) return;
    if (upper[k] === Infinity) upper[k] = drawnLower[k] === -Infinity ? reach : lower[k] + 2 * reach;
  });
  return {
    lower,
    upper,
    scale: Float64Array.from(joints, ({ squaredWeight }) => Math.sqrt(squaredWeight)),
    period: Float64Array.from(joints, ({ kind }) => (kind.isWrapped ? 2 * Math.PI : 0)),
    kinds: Int32Array.from(
      joints,
      ({ kind }, k) =>
        (kind.isWrapped ? COORDINATE_ANGLE : COORDINATE_LINE) + (lower[k] === upper[k] ? COORDINATE_LOCKED : 0),
    ),
    form: 'squared',
  };
}

/** Moves what is beyond a limit by a rounding onto it, and scales quaternions; the rest is left to `explainBounds`. */
function admitState({ joints, lower, upper }: SpaceParts, q: Float64Array): { state: Float64Array; altered: string[] } {
  const state = Float64Array.from(q);
  const altered: string[] = [];
  if (q.length !== lower.length) return { state, altered };
  for (const { name, kind, at } of joints) {
    for (let k = at; k < at + kind.nq; k++) {
      const limit = Math.min(Math.max(q[k], lower[k]), upper[k]);
      if (limit === q[k] || !(Math.abs(limit - q[k]) <= LIMIT_TOLERANCE)) continue;
      state[k] = limit;
      altered.push(`joint "${name}" is ${q[k]} and was moved onto its limit ${limit}`);
    }
    const unit = at + kind.nq - kind.unitCoordinates;
    let sum = 0;
    for (let k = unit; k < at + kind.nq; k++) sum += q[k] * q[k];
    const length = Math.sqrt(sum);
    if (kind.unitCoordinates === 0 || length === 1 || !(Math.abs(length - 1) <= UNIT_TOLERANCE)) continue;
    for (let k = unit; k < at + kind.nq; k++) state[k] = q[k] / length;
    if (Math.abs(length - 1) > UNIT_ROUNDING)
      altered.push(
        `joint "${name}" has a ${kind.unitCoordinates === 4 ? 'quaternion' : '(cos, sin) pair'} of length ${length}, which was scaled to 1`,
      );
  }
  return { state, altered };
}

/** Angles beyond have no digit left of a turn; positions are refused by all queries. */
const FARTHEST = 1e15;

/** Limits so many times farther away than a missing one would be put are no limits: what is drawn between them is never near the states. */
const WIDE = 1000;

/** A missing limit is this far beyond the states, and twice their range farther: metres or radians. */
const LEAST_REACH = { shift: 1, turn: Math.PI };

/** `space`: of these parts, for states that need no other. */
function coverStates(
  parts: SpaceParts,
  states: readonly Float64Array[],
  space: StateSpace,
): { space: StateSpace; guessed: string[] } {
  const { joints, lower, upper } = parts;
  const drawnLower = Float64Array.from(lower);
  const drawnUpper = Float64Array.from(upper);
  const guessed: string[] = [];
  for (const { name, kind, at } of joints) {
    // Angles that wrap, and directions, are drawn from all there are.
    if (kind.nq === 1 && kind.isWrapped) continue;
    const least = kind.shiftCoordinates > 0 ? LEAST_REACH.shift : LEAST_REACH.turn;
    const open: number[] = [];
    let span = 0;
    for (let k = at; k < at + kind.nq - kind.unitCoordinates; k++) {
      const [from, to] = rangeOf(states, k);
      const far = WIDE * (2 * (to - from) + least);
      if (from - lower[k] <= far && upper[k] - to <= far) continue;
      open.push(k);
      span = Math.max(span, to - from);
    }
    const reach = 2 * span + least;
    for (const k of open) {
      const [from, to] = rangeOf(states, k);
      drawnLower[k] = Math.max(lower[k], from - reach);
      drawnUpper[k] = Math.min(upper[k], to + reach);
      const limits =
        Number.isFinite(lower[k]) && Number.isFinite(upper[k]) ? `limits of ${lower[k]} and ${upper[k]}` : 'no limits';
      guessed.push(
        `joint "${name}" has ${limits}${kind.nq > 1 ? ` for coordinate ${k - at}` : ''}: drawn from ${drawnLower[k]} to ${drawnUpper[k]}`,
      );
    }
  }
  return guessed.length === 0
    ? { space, guessed }
    : { space: createSpace({ ...parts, drawnLower, drawnUpper }), guessed };
}

function rangeOf(states: readonly Float64Array[], k: number): [number, number] {
  let from = Infinity;
  let to = -Infinity;
  for (const state of states) {
    if (!Number.isFinite(state[k])) continue;
    from = Math.min(from, state[k]);
    to = Math.max(to, state[k]);
  }
  return from <= to ? [from, to] : [0, 0];
}

function tightenBounds(
  lower: Float64Array,
  upper: Float64Array,
  model: Model,
  indices: readonly number[],
  bounds: NonNullable<ConfigurationSpaceOptions['bounds']>,
): void {
  requireKnownKeys(CALL, 'bounds', bounds, ['lower', 'upper']);
  for (const key of ['lower', 'upper'] as const) requireBounds(CALL, `bounds.${key}`, bounds[key], model.nq);
  indices.forEach((i, k) => {
    if (!(bounds.lower[i] <= bounds.upper[i]))
      throw new MisuseError(
        `${CALL}: bounds of coordinate ${i}, got [${bounds.lower[i]}, ${bounds.upper[i]}], expected numbers in order`,
      );
    lower[k] = Math.max(lower[k], bounds.lower[i]);
    upper[k] = Math.min(upper[k], bounds.upper[i]);
    if (!(lower[k] <= upper[k]))
      throw new MisuseError(
        `${CALL}: bounds of coordinate ${i}, got [${bounds.lower[i]}, ${bounds.upper[i]}], expected some within the limits [${model.lower[i]}, ${model.upper[i]}]`,
      );
  });
}

function findPlannedJoints(model: Model, indices: readonly number[], weights?: ArrayLike<number>): PlannedJoint[] {
  const ownerOf = new Map<number, number>();
  for (let j = 1; j < model.jointCount; j++) for (let k = 0; k < model.nqs[j]; k++) ownerOf.set(model.idxQ[j] + k, j);
  const joints: PlannedJoint[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < indices.length; ) {
    const joint = ownerOf.get(indices[at]);
    if (joint === undefined)
      throw new MisuseError(
        `createConfigurationSpace: indices[${at}] of robot "${model.name}", got ${indices[at]}, expected 0 to ${model.nq - 1}`,
      );
    const name = model.jointNames[joint];
    if (seen.has(joint))
      throw new MisuseError(`createConfigurationSpace: joint "${name}", got it twice, expected once`);
    seen.add(joint);
    const kind = model.jointKinds[joint]!;
    for (let k = 0; k < kind.nq; k++) {
      if (indices[at + k] !== model.idxQ[joint] + k)
        throw new MisuseError(
          `createConfigurationSpace: joint "${name}", got a part of its ${kind.nq} coordinates, expected all, in order`,
        );
    }
    const weight = weights ? weights[joints.length] : 1;
    if (!(weight > 0 && weight < Infinity))
      throw new MisuseError(
        `createConfigurationSpace: weight of joint "${name}", got ${weight}, expected a positive number`,
      );
    joints.push({ name, kind, at, squaredWeight: weight * weight });
    at += kind.nq;
  }
  return joints;
}

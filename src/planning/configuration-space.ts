/**
 * The configurations of a robot, or of some of its joints, as a state space.
 *
 * A state holds the coordinates of the planned joints, in the order of `indices` (indices into q; default: all of q).
 * Each joint measures, samples and interpolates in its own way: angles of continuous joints take the shorter way round,
 * orientations move along the geodesic. distance = sqrt(sum over joints of (weight x joint distance)^2), metres and
 * radians weighed alike unless weights say otherwise.
 * Where all planned joints are lines (revolute and prismatic with plain coordinates) the space is Euclidean and says so.
 * Tested by configuration-space.test.ts and test/contract/state-spaces.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import type { Random } from '../math/random.js';
import type { JointKind } from '../model/joints/joint-kind.js';
import type { Model } from '../model/model.js';
import type { StateSpace } from './types.js';

export interface ConfigurationSpaceOptions {
  /** Indices into q of the planned coordinates; whole joints only. */
  readonly indices?: ArrayLike<number>;
  /** Factor of each planned joint's distance, in the order of the joints; default 1. */
  readonly weights?: ArrayLike<number>;
}

interface PlannedJoint {
  readonly name: string;
  readonly kind: JointKind;
  /** First number of the joint in a state. */
  readonly at: number;
  readonly squaredWeight: number;
}

/** How far from 1 the length of a quaternion or (cos, sin) pair may be. */
const UNIT_TOLERANCE = 1e-6;

export function createConfigurationSpace(model: Model, options: ConfigurationSpaceOptions = {}): StateSpace {
  const indices = options.indices ? Array.from(options.indices) : Array.from({ length: model.nq }, (_, i) => i);
  const joints = findPlannedJoints(model, indices, options.weights);
  const lower = Float64Array.from(indices, (i) => model.lower[i]);
  const upper = Float64Array.from(indices, (i) => model.upper[i]);
  const isEuclidean = joints.every(({ kind }) => kind.name === 'revolute' || kind.name === 'prismatic');

  const explainBounds = (q: Float64Array): string => {
    if (q.length !== indices.length) return `has ${q.length} numbers, expected ${indices.length}`;
    for (const { name, kind, at } of joints) {
      for (let k = at; k < at + kind.nq; k++) {
        if (!Number.isFinite(q[k])) return `joint "${name}" is ${q[k]}, expected a finite number`;
        if (q[k] < lower[k] || q[k] > upper[k])
          return `joint "${name}" is ${q[k]}, its limits are ${lower[k]} to ${upper[k]}`;
      }
      if (kind.unitCoordinates === 0) continue;
      let sum = 0;
      for (let k = at + kind.nq - kind.unitCoordinates; k < at + kind.nq; k++) sum += q[k] * q[k];
      if (Math.abs(Math.sqrt(sum) - 1) > UNIT_TOLERANCE)
        return `joint "${name}" has a direction of length ${Math.sqrt(sum)}, expected 1`;
    }
    return '';
  };

  return {
    dimension: indices.length,
    euclideanScale: isEuclidean ? Float64Array.from(joints, (joint) => Math.sqrt(joint.squaredWeight)) : undefined,
    sample(out: Float64Array, random: Random): Float64Array {
      for (const { kind, at } of joints) kind.setRandom(out, lower, upper, random, at);
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
  };
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

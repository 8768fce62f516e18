/**
 * A path to be optimised: which coordinates move, between which ends, under which limits, and what keeps clear of what by how much.
 *
 * A path is a list of full configurations (nq numbers each); its unknowns are small motions of the waypoints between the ends, in the
 * velocity coordinates that move. Where a pair is closer at an end than the clearance asked for, less is asked of that pair: nothing
 * can be done about the ends. Units: radians and metres in joint space, metres, seconds.
 */
import { MisuseError } from '../../math/misuse.js';
import { differenceConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import type { SceneRobot } from '../../scene/types.js';
import type { DistanceGradients } from '../distance/distance-gradients.js';

/** Largest speeds and accelerations of a path whose waypoints follow each other every `step` seconds. */
export interface PathLimits {
  readonly step: number;
  /** nv numbers each. */
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
}

export interface PathProblem {
  readonly model: Model;
  /** Velocity coordinates that move. */
  readonly moving: Int32Array;
  /** Of each of them: limits of the coordinate itself where it has any, and its place in q; -1: none. */
  readonly places: Int32Array;
  readonly start: Float64Array;
  readonly goal: Float64Array;
  readonly segments: number;
  /** Largest step of a coordinate between looks along a segment. */
  readonly resolution: number;
  readonly clearance: number;
  /** Pairs farther than this are not looked at. */
  readonly reach: number;
  readonly limits: PathLimits | null;
  readonly distances: DistanceGradients;
  /** Clearance asked of each pair; `distances.pairCount` numbers. */
  readonly asked: Float64Array;
}

/** Velocity coordinates of the joints that the coordinates of q belong to. Throws where part of a joint is left out. */
export function listMoving(
  call: string,
  { model }: SceneRobot,
  indices: Int32Array,
): { moving: Int32Array; places: Int32Array } {
  const given = new Set(indices);
  const moving: number[] = [];
  const places: number[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    const nq = model.nqs[j];
    if (nq === 0) continue;
    let count = 0;
    for (let k = 0; k < nq; k++) if (given.has(model.idxQ[j] + k)) count++;
    if (count === 0) continue;
    if (count < nq)
      throw new MisuseError(
        `${call}: indices, got a part of joint "${model.jointNames[j]}", expected all or none of its coordinates`,
      );
    for (let k = 0; k < model.nvs[j]; k++) {
      moving.push(model.idxV[j] + k);
      places.push(nq === model.nvs[j] ? model.idxQ[j] + k : -1);
    }
  }
  return { moving: Int32Array.from(moving), places: Int32Array.from(places) };
}

/** What can be asked of each pair, of what it has at both ends. */
export function askClearances(
  distances: DistanceGradients,
  clearance: number,
  ends: readonly Float64Array[],
): Float64Array {
  const asked = new Float64Array(distances.pairCount).fill(clearance);
  for (const q of ends) {
    const count = distances.update(q);
    for (let i = 0; i < count; i++) {
      const pair = distances.pairs[i];
      const gap = distances.distances[i] - distances.margins[i];
      asked[pair] = Math.min(asked[pair], Math.max(0, SHARE_OF_END * gap));
    }
  }
  return asked;
}

const SHARE_OF_END = 0.8;

/** Sum of the lengths of its straight motions. */
export function measurePath(model: Model, path: readonly Float64Array[]): number {
  const v = new Float64Array(model.nv);
  let length = 0;
  for (let i = 1; i < path.length; i++) {
    differenceConfiguration(v, model, path[i - 1], path[i]);
    let square = 0;
    for (const x of v) square += x * x;
    length += Math.sqrt(square);
  }
  return length;
}

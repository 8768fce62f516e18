/** What a compiled check is made for. */

import type { SphereModel } from '../../geometry/sphere-model.js';
import {
  type Fields,
  numbers,
  requireIndex,
  requireList,
  requireNotNegative,
  requireNumbers,
  requireObject,
  requireText,
  throwMisuse,
  wholeFrom,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import type { Model } from '../../model/model.js';
import type { SphereObstacle } from './environment.js';
import type { ImpossiblePairs } from './impossible-proof.js';
import type { CarriedSpheres } from './sphere-robot.js';

export interface SphereCheckOptions {
  /** Pairs of links, by name, whose spheres are compared. Links without spheres are left out. */
  readonly pairs: readonly (readonly [string, string])[];
  /** The coordinates that vary; the others stand as `rest` says and are constants of the code. Default all. */
  readonly indices?: ArrayLike<number>;
  /** nq numbers. Default the neutral configuration. */
  readonly rest?: ArrayLike<number>;
  /** Spheres of two links nearer than this count as touching. Metres, default 0. */
  readonly margin?: number;
  /** Pairs of spheres to leave out, proven for the same coordinates, rest and at least this margin: see `proveImpossiblePairs`. */
  readonly never?: ImpossiblePairs;
  /** What the robot holds; `pairs` may name it. Default nothing. */
  readonly carried?: readonly CarriedSpheres[];
  /** Room for obstacles. Default 1 MiB. */
  readonly environmentBytes?: number;
}

export const OPTIONS: Fields = {
  pairs: requireList,
  indices: numbers,
  rest: numbers,
  margin: requireNotNegative,
  never: requireObject,
  carried: requireList,
  environmentBytes: wholeFrom(0),
};

export function requireSphereModel(call: string, spheres: SphereModel): void {
  requireObject(call, 'spheres', spheres, 'a SphereModel');
  requireList(call, 'spheres.links', spheres.links);
  for (const { link, levels } of spheres.links) {
    requireList(call, `spheres of "${link}"`, levels);
    for (const level of levels) {
      requireNumbers(call, `spheres of "${link}"`, level);
      if (level.length % 4 !== 0)
        throw new MisuseError(`${call}: spheres of "${link}", got ${level.length} numbers, expected four per sphere`);
    }
  }
}

/** Places in q that a caller names, each once. */
export function requireVarying(call: string, model: Model, indices: ArrayLike<number>): number[] {
  const list = Array.from(indices);
  for (const index of list) {
    if (!(Number.isInteger(index) && index >= 0 && index < model.nq))
      throw new MisuseError(`${call}: indices, got ${index}, expected coordinates 0 to ${model.nq - 1}`);
  }
  if (new Set(list).size !== list.length)
    throw new MisuseError(`${call}: indices, got one twice, expected different ones`);
  return list;
}

/** Pairs of names. */
export function requirePairs(call: string, what: string, pairs: unknown): void {
  requireList(call, what, pairs);
  for (const pair of pairs as readonly unknown[]) {
    requireList(call, what, pair, 'pairs of names');
    if ((pair as readonly unknown[]).length !== 2) throwMisuse(call, what, pair, 'pairs of names');
    for (const name of pair as readonly unknown[]) requireText(call, what, name);
  }
}

export function requireImpossible(call: string, what: string, proof: ImpossiblePairs, model: Model): void {
  requireObject(call, what, proof, 'what proveImpossiblePairs returned');
  requireList(call, `${what}.pairs`, proof.pairs);
  requireNumbers(call, `${what}.indices`, proof.indices);
  requireNumbers(call, `${what}.rest`, proof.rest, model.nq);
  requireNotNegative(call, `${what}.margin`, proof.margin);
  for (const pair of proof.pairs) {
    requireObject(call, `${what}.pairs`, pair, 'what proveImpossiblePairs returned');
    for (const name of [pair.a, pair.b]) requireText(call, `${what}.pairs`, name);
    requireNumbers(call, `${what}.pairs.never`, pair.never);
    requireNumbers(call, `${what}.pairs.coordinates`, pair.coordinates);
    requireNumbers(call, `${what}.pairs.splits`, pair.splits);
  }
}

export function requireCarried(call: string, model: Model, carried: readonly CarriedSpheres[]): void {
  for (const each of carried) {
    requireObject(call, 'carried', each, 'name, frame and spheres');
    requireText(call, 'carried', each.name);
    requireIndex(call, 'carried.frame', each.frame, model.frameCount);
    requireNumbers(call, 'carried.spheres', each.spheres);
    if (each.spheres.length === 0 || each.spheres.length % 4 !== 0 || model.linkIndex.has(each.name))
      throwMisuse(call, 'carried', each.name, 'a name that no link has, and four numbers per sphere');
  }
}

export function requireObstacles(call: string, what: string, obstacles: readonly SphereObstacle[]): void {
  requireList(call, what, obstacles);
  for (const obstacle of obstacles) {
    requireObject(call, what, obstacle, 'a shape, and where it stands');
    requireObject(call, `${what}.shape`, obstacle.shape, 'a shape');
    if (obstacle.placement !== undefined) requireNumbers(call, `${what}.placement`, obstacle.placement, 12);
    if (obstacle.margin !== undefined) requireNotNegative(call, `${what}.margin`, obstacle.margin);
  }
}

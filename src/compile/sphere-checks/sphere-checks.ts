/**
 * Sphere checks as an object, whichever tier answers: a module compiled for the robot, or the generic kernel with the robot as data.
 *
 * Contract of the instance, for other modules (addresses are bytes in its memory, all numbers little-endian):
 *   memory                     the instance's own; grown by JavaScript only, between calls
 *   state(q) -> i32            1: free by spheres; q is the address of one f64 per coordinate
 *   four(q) -> i32             1: four states, one behind the other, are all free
 *   motion(a, b, step: f64) -> i32    1: all samples of the straight motion are free. Samples are at most `step` apart in the
 *                              Euclidean distance of the coordinates, each times its weight; b is one of them, a is not.
 *   samples(a, b, quarter) -> i32     1: the samples k / (4 quarter), k = 1 .. 4 quarter, are free
 *   certify(a, b, tolerance: f64) -> i32    1: the straight motion is free at every time, ends included. Else 0, and `failed` holds the
 *                              f64 start and width of the first interval that is not proven (0 and 1 when a look at four
 *                              samples already fails). Intervals in which centres move by less than the tolerance are not cut further.
 *   certificate                (global) address of two i32: number of intervals proven, and whether `certify` writes them (0 at first)
 *   intervals                  (global) address of up to 4096 pairs of f64: middle and half width of each
 *   failed                     (global) address of two f64
 *   weights                    (global) address of one f64 per coordinate, 1 at first
 *   arguments                  (global) address of room for eight states, which nothing in the module reads by itself
 *   heapBase                   (global) what lies above is nobody's: a planner's module may use it
 * 1 is a proof for the spheres: they are apart (and apart by the margins) in exact arithmetic. 0 says that some touch, or that single
 * precision cannot tell (see `lost`), or that a coordinate is beyond its limits.
 *
 * Tested by compile-sphere-checks.test.ts and test/contract/sphere-tiers.test.ts.
 */
import type { SphereModel } from '../../geometry/sphere-model.js';
import { requireFields, requireFloats, requireLength, throwMisuse } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { createNeutralConfiguration } from '../../model/configuration.js';
import { type Model, requireModel } from '../../model/model.js';
import { CERTIFICATE_INTERVALS } from './certificate-format.js';
import type { ModuleRequest } from './check-layout.js';
import { type EnvironmentAddresses, type SphereObstacle, writeEnvironment } from './environment.js';
import { ContactFinder, type SphereContact } from './find-contact.js';
import {
  OPTIONS,
  requireCarried,
  requireImpossible,
  requireObstacles,
  requirePairs,
  requireSphereModel,
  requireVarying,
  type SphereCheckOptions,
} from './options.js';
import type { CheckedLink } from './sphere-robot.js';

export interface SphereCheckExports {
  readonly memory: WebAssembly.Memory;
  readonly state: (q: number) => number;
  readonly four: (q: number) => number;
  readonly motion: (a: number, b: number, step: number) => number;
  readonly samples: (a: number, b: number, quarter: number) => number;
  readonly certify: (a: number, b: number, tolerance: number) => number;
  readonly failed: WebAssembly.Global;
  readonly certificate: WebAssembly.Global;
  readonly intervals: WebAssembly.Global;
  readonly weights: WebAssembly.Global;
  readonly arguments: WebAssembly.Global;
  readonly heapBase: WebAssembly.Global;
}

export interface SphereChecks {
  readonly exports: SphereCheckExports;
  /** The model's coordinates that states hold, in this order. */
  readonly indices: readonly number[];
  /** Most that a gap can be told too small by single precision, metres: larger gaps between spheres are always seen. */
  readonly lost: number;
  /** False where a joint turns by several coordinates: states are decided, straight motions in the coordinates are never called free. */
  readonly isStraight: boolean;
  /** Pairs of links and of spheres that are compared. */
  readonly linkPairs: number;
  readonly spherePairs: number;
  /** Replaces all obstacles. Throws where a shape has no stand-in or the room is too small. */
  setEnvironment(obstacles: readonly SphereObstacle[]): void;
  /** Whether all spheres are apart at q, one number per coordinate of `indices`. */
  isFree(q: ArrayLike<number>): boolean;
  /** Whether they are at samples at most `step` apart; b is one of them, a is not. */
  isMotionFree(a: ArrayLike<number>, b: ArrayLike<number>, step: number): boolean;
  /** The same of many motions, two states each, one behind the other: 1 or 0 each. */
  areMotionsFree(motions: ArrayLike<number>, step: number): Uint8Array;
  /** Whether the straight motion is proven free at every time; see `MotionCertificate`. */
  certifyMotion(a: ArrayLike<number>, b: ArrayLike<number>, options?: CertifyMotionOptions): MotionCertificate;
}

export interface CertifyMotionOptions {
  /** Intervals in which no centre moves by more than this are not cut further. Metres, default 1e-4. */
  readonly tolerance?: number;
  /** Whether `intervals` is wanted. Default false. */
  readonly record?: boolean;
  /** Whether a motion that is not free is looked at for a contact, some tenths of a millisecond. Default true; else it is undecided. */
  readonly locate?: boolean;
}

export interface MotionCertificate {
  /**
   * `blocked`: spheres touch at `contact`. `undecided`: nowhere known to touch, but in an interval in which no centre moves by more than the
   * tolerance spheres are nearer than that and what rounding can lose (`lost`); or a coordinate is beyond its limits.
   */
  readonly status: 'free' | 'blocked' | 'undecided';
  /** Null unless blocked. */
  readonly contact: SphereContact | null;
  /** Middle and half width of intervals of [0, 1], in order, that together cover it; null unless free, recorded and at most 4096. */
  readonly intervals: Float64Array | null;
  /** Start and width of the first interval that is not proven; null when free. */
  readonly failed: readonly [number, number] | null;
}

/** What a tier made of a request. */
export interface CheckParts {
  readonly links: readonly CheckedLink[];
  readonly environment: EnvironmentAddresses;
  readonly lost: number;
  readonly linkPairs: number;
  readonly spherePairs: number;
  readonly isStraight: boolean;
}

/** A request as both tiers take it. Throws on what is none. */
export function readRequest(
  call: string,
  model: Model,
  spheres: SphereModel,
  options: SphereCheckOptions,
): ModuleRequest {
  requireModel(call, model);
  requireFields(call, 'options', options, OPTIONS);
  requirePairs(call, 'options.pairs', options.pairs);
  if (options.never !== undefined) requireImpossible(call, 'options.never', options.never, model);
  if (options.carried !== undefined) requireCarried(call, model, options.carried);
  requireSphereModel(call, spheres);
  const indices = readIndices(call, model, options.indices);
  const rest = readRest(call, model, options.rest);
  return { ...options, spheres, indices, rest };
}

export function wrapExports(
  call: string,
  exports: SphereCheckExports,
  model: Model,
  request: ModuleRequest,
  parts: CheckParts,
): SphereChecks {
  const { links, environment, lost, linkPairs, spherePairs, isStraight } = parts;
  const { indices } = request;
  let floats = new Float64Array(exports.memory.buffer);
  const first = (exports.arguments.value as number) / 8;
  const write = (name: string, values: ArrayLike<number>, at: number): void => {
    requireLength(`SphereChecks.${name}`, 'state', values, indices.length);
    if (floats.length === 0) floats = new Float64Array(exports.memory.buffer);
    for (let i = 0; i < indices.length; i++) floats[at + i] = values[i];
  };
  const n = indices.length;
  let placed: readonly SphereObstacle[] = [];
  let contacts: ContactFinder | null = null;
  const isWithin = (q: ArrayLike<number>): boolean =>
    indices.every((index, k) => q[k] >= model.lower[index] && q[k] <= model.upper[index]);
  const finder = (): ContactFinder => {
    if (contacts === null) {
      contacts = new ContactFinder(model, request.spheres, request, indices, request.rest);
      contacts.setObstacles(placed);
    }
    return contacts;
  };
  writeEnvironment(call, exports.memory, environment, links, []);
  return {
    exports,
    indices,
    lost,
    isStraight,
    linkPairs,
    spherePairs,
    setEnvironment(obstacles) {
      requireObstacles('SphereChecks.setEnvironment', 'obstacles', obstacles);
      placed = obstacles;
      contacts?.setObstacles(obstacles);
      writeEnvironment('SphereChecks.setEnvironment', exports.memory, environment, links, obstacles);
    },
    isFree(q) {
      write('isFree', q, first);
      return exports.state(8 * first) === 1;
    },
    isMotionFree(a, b, step) {
      if (!(step > 0))
        throw new MisuseError(`SphereChecks.isMotionFree: step, got ${step}, expected a positive number`);
      write('isMotionFree', a, first);
      write('isMotionFree', b, first + n);
      return exports.motion(8 * first, 8 * (first + n), step) === 1;
    },
    areMotionsFree(motions, step) {
      const call = 'SphereChecks.areMotionsFree';
      if (!(step > 0)) throw new MisuseError(`${call}: step, got ${step}, expected a positive number`);
      const size = 2 * n;
      if (!(motions?.length >= 0) || motions.length % size !== 0)
        throwMisuse(call, 'motions', motions, `a multiple of ${size} numbers`);
      if (floats.length === 0) floats = new Float64Array(exports.memory.buffer);
      return Uint8Array.from({ length: motions.length / size }, (_, k) => {
        for (let i = 0; i < size; i++) floats[first + i] = motions[size * k + i];
        return exports.motion(8 * first, 8 * (first + n), step);
      });
    },
    certifyMotion(a, b, { tolerance = 1e-4, record = false, locate = true } = {}) {
      if (!(tolerance > 0))
        throw new MisuseError(`SphereChecks.certifyMotion: tolerance, got ${tolerance}, expected a positive number`);
      write('certifyMotion', a, first);
      write('certifyMotion', b, first + n);
      const counts = new Int32Array(exports.memory.buffer, exports.certificate.value as number, 2);
      counts[1] = record ? 1 : 0;
      const isFree = exports.certify(8 * first, 8 * (first + n), tolerance) === 1;
      counts[1] = 0;
      if (isFree) {
        const written = record ? readIntervals(exports, counts[0]) : null;
        return { status: 'free', intervals: written, failed: null, contact: null };
      }
      const [start, width] = new Float64Array(exports.memory.buffer, exports.failed.value as number, 2);
      // The first look is at quarters; later ones are at the middles of an interval's quarters.
      const times = width === 1 ? [1, 0.5, 0.25, 0.75, 0] : [1, 3, 5, 7].map((k) => start + (width * k) / 8);
      const contact = locate && isWithin(a) && isWithin(b) ? finder().findOnMotion(a, b, times) : null;
      return { status: contact ? 'blocked' : 'undecided', intervals: null, failed: [start, width], contact };
    },
  };
}

/** In order of their middles. */
function readIntervals({ memory, intervals }: SphereCheckExports, count: number): Float64Array | null {
  if (count > CERTIFICATE_INTERVALS) return null;
  const written = new Float64Array(memory.buffer, intervals.value as number, 2 * count);
  const order = Array.from({ length: count }, (_, i) => i).sort((i, k) => written[2 * i] - written[2 * k]);
  return Float64Array.from(order.flatMap((i) => [written[2 * i], written[2 * i + 1]]));
}

function readIndices(call: string, model: Model, indices: ArrayLike<number> | undefined): number[] {
  return requireVarying(call, model, indices ?? Array.from({ length: model.nq }, (_, i) => i));
}

function readRest(call: string, model: Model, rest: ArrayLike<number> | undefined): Float64Array {
  if (rest === undefined) return createNeutralConfiguration(model);
  const q = Float64Array.from(rest);
  requireFloats(call, 'rest', q, model.nq);
  return q;
}

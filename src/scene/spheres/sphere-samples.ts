/**
 * Samples of a robot's straight motions by spheres first: what a planner's kernel asks while its trees grow.
 *
 * Method: 1. spheres around the links at four samples at a time, far apart first: free for most motions that are free; 2. spheres inside
 * them: blocked for most that are; 3. the others sample by sample, the end first, then by halves, each by spheres and, where
 * these cannot tell, by the scene. So every sample's verdict is the scene's, but that pairs which spheres are too coarse for are looked at
 * at the end and the middle of motions that spheres call free; what is returned of a plan is checked as a whole after it.
 * Frames, units: the checks'. Cost: about a microsecond for what spheres decide; some ten per sample that is asked of the scene.
 * Tested by sphere-checker.test.ts and test/oracle/planning-exact.test.ts.
 */
import type { SphereChecks } from '../../compile/sphere-checks/sphere-checks.js';
import { interpolateConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import type { SceneSpheres } from './scene-spheres.js';

/** Structurally `KernelChecks` of the planning door. */
export interface SampledChecks {
  readonly memory: WebAssembly.Memory;
  /** Everything above is the planners'. */
  readonly heapBase: number;
  /** Address of a factor per coordinate of the distance that `step` is measured in. */
  readonly weights: number;
  /** 1: free at samples at most `step` apart of the motion between the states at two addresses, its end among them. */
  readonly motion: (a: number, b: number, step: number) => number;
  /** From now on a motion with more samples than this that the scene would have to be asked for counts as blocked. Infinity at first. */
  askAtMost(samples: number): void;
}

export interface SampleCounts {
  /** Motions whose samples were asked, those that spheres decided, and samples that were asked of the scene. */
  sampled: number;
  sampledBySpheres: number;
  asked: number;
}

/** `asks`: whether a state is free, by the scene; `areCoarseApart`: the pairs that spheres do not compare. */
export interface SampleOracle {
  asks(state: Float64Array): boolean;
  areCoarseApart(state: Float64Array): boolean;
}

/** Where states of the kernel lie while their samples are looked at: behind the states that the checks' own calls write. */
const PROBE_STATES = 4;

export function createSampledChecks(
  spheres: SceneSpheres,
  checks: SphereChecks,
  model: Model,
  indices: ArrayLike<number>,
  full: Float64Array,
  oracle: SampleOracle,
  counts: SampleCounts,
): SampledChecks {
  const { memory, heapBase, motion, state } = checks.exports;
  const weights = checks.exports.weights.value as number;
  const room = checks.exports.arguments.value as number;
  const n = indices.length;
  const probe = room + 8 * PROBE_STATES * n;
  const inner = spheres.inner.checks;
  const innerExports = inner?.exports;
  const innerRoom = innerExports ? (innerExports.arguments.value as number) / 8 : 0;
  let innerFloats = innerExports && new Float64Array(innerExports.memory.buffer);
  let floats = new Float64Array(memory.buffer);
  const from = Float64Array.from(full);
  const to = Float64Array.from(full);
  const at = Float64Array.from(full);
  const sample = new Float64Array(n);
  const { lower, upper } = model;

  const readSample = (t: number): void => {
    interpolateConfiguration(at, model, from, to, t);
    for (let k = 0; k < n; k++) sample[k] = t === 1 ? to[indices[k]] : at[indices[k]];
  };
  /** Samples that the scene may still be asked for, of this motion and of any. */
  let left = Infinity;
  let most = Infinity;
  const isSampleFree = (t: number): boolean => {
    readSample(t);
    floats.set(sample, probe / 8);
    if (state(probe) === 1 && oracle.areCoarseApart(sample)) return true;
    if (left-- <= 0) return false;
    counts.asked++;
    return oracle.asks(sample);
  };
  const areWithinLimits = (): boolean => {
    for (let k = 0; k < n; k++) {
      const i = indices[k];
      if (!(from[i] >= lower[i] && from[i] <= upper[i] && to[i] >= lower[i] && to[i] <= upper[i])) return false;
    }
    return true;
  };
  /** Spheres inside touch at one of the samples. */
  const isCertainlyBlocked = (quarter: number): boolean => {
    if (!innerExports || !areWithinLimits()) return false;
    if (innerFloats!.length === 0) innerFloats = new Float64Array(innerExports.memory.buffer);
    for (let k = 0; k < n; k++) {
      innerFloats![innerRoom + k] = from[indices[k]];
      innerFloats![innerRoom + n + k] = to[indices[k]];
    }
    return innerExports.samples(8 * innerRoom, 8 * (innerRoom + n), quarter) === 0;
  };
  /** What spheres do not call free. */
  const lookClosely = (quarter: number): number => {
    if (isCertainlyBlocked(quarter)) {
      counts.sampledBySpheres++;
      return 0;
    }
    const count = 4 * quarter;
    left = most;
    if (!isSampleFree(1)) return 0;
    let stride = 1;
    while (stride < count) stride *= 2;
    for (stride /= 2; stride >= 1; stride /= 2)
      for (let i = stride; i < count; i += 2 * stride) if (!isSampleFree(i / count)) return 0;
    return 1;
  };
  const areCoarseApartOnWay = (): number => {
    for (const t of [1, 0.5]) {
      readSample(t);
      if (!oracle.areCoarseApart(sample)) return 0;
    }
    return 1;
  };

  return {
    memory,
    heapBase: heapBase.value as number,
    weights,
    askAtMost(samples) {
      most = samples;
    },
    motion: (a, b, step) => {
      counts.sampled++;
      const isFree = !spheres.isBlocked && motion(a, b, step) === 1;
      if (isFree) counts.sampledBySpheres++;
      if (isFree && spheres.exactPairs.length === 0) return 1;
      if (floats.length === 0) floats = new Float64Array(memory.buffer);
      const [first, second] = [(a >>> 0) / 8, (b >>> 0) / 8];
      let sum = 0;
      for (let k = 0; k < n; k++) {
        from[indices[k]] = floats[first + k];
        to[indices[k]] = floats[second + k];
        sum += ((floats[second + k] - floats[first + k]) * floats[weights / 8 + k]) ** 2;
      }
      if (isFree) return areCoarseApartOnWay();
      return lookClosely(Math.max(1, Math.ceil(Math.sqrt(sum) / (4 * step))));
    },
  };
}

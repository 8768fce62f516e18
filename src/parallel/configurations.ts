/** Configurations of a batch as one row of numbers. */
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { ParallelError } from './parallel-error.js';

/** Configurations: arrays of nq numbers, or one array of nq numbers each. */
export type Configurations = readonly ArrayLike<number>[] | Float64Array;

/** A copy of the numbers, checked here so that a wrong one is told with its index before any worker is asked. */
export function flattenConfigurations(call: string, configurations: Configurations, nq: number): Float64Array {
  const isFlat = configurations instanceof Float64Array;
  if (!isFlat && !Array.isArray(configurations))
    throw new MisuseError(
      `${call}: configurations, got ${describeValue(configurations)}, expected a list of configurations or a Float64Array`,
    );
  if (isFlat && configurations.length % Math.max(nq, 1) !== 0)
    throw new MisuseError(
      `${call}: configurations, got ${configurations.length} numbers, expected a multiple of ${nq}`,
    );
  const count = isFlat ? configurations.length / Math.max(nq, 1) : configurations.length;
  const flat = new Float64Array(count * nq);
  for (let i = 0; i < count; i++) {
    const q = isFlat ? configurations.subarray(i * nq, (i + 1) * nq) : configurations[i];
    if (q?.length !== nq)
      throw new ParallelError(`query ${i}: q, got ${q?.length ?? describeValue(q)} numbers, expected ${nq}`, i);
    for (let k = 0; k < nq; k++) {
      if (!Number.isFinite(q[k]))
        throw new ParallelError(`query ${i}: q[${k}], got ${q[k]}, expected a finite number`, i);
      flat[i * nq + k] = q[k];
    }
  }
  return flat;
}

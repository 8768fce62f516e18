/** A sampler in a request: a word, or an object that draws. */
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';

export function requireSampler(call: string, sampler: unknown): void {
  const draws = (sampler as { draw?: unknown } | null | undefined)?.draw;
  if (sampler === undefined || sampler === 'random' || sampler === 'halton' || typeof draws === 'function') return;
  throw new MisuseError(
    `${call}: sampler, got ${describeValue(sampler)}, expected 'random', 'halton' or an object with draw(out, random)`,
  );
}

/**
 * A job as plain data, before anybody has begun it: what a worker, a file or a queue can carry.
 *
 * Its hash is that of all that its output depends on. Two orders of the same hash have the same output, bit for bit, so that
 * it may serve as the name of the output; a checkpoint goes on with the order that it came from and with no other.
 */
import { requireObject, throwMisuse } from '../math/arguments.js';
import { hashContent } from '../math/content-hash.js';
import { MisuseError } from '../math/misuse.js';
import type { JobKind } from './kinds/job-kind.js';
import { loadKind } from './kinds/registry.js';

/** Structured clone takes it, and `formatJobData` makes a text of it. */
export interface JobOrder<Output = unknown> {
  readonly format: 'clearance-job';
  readonly kind: string;
  /** Of the kind: what equal inputs give, and how checkpoints look. */
  readonly version: number;
  /** Of the job's own random choices; 0 where it has none. */
  readonly seed: number;
  readonly input: unknown;
  /** SHA-256 of kind, version, seed and input: 64 hexadecimal digits. */
  readonly hash: string;
  /** Never there: what the output's type is. */
  readonly output?: Output;
}

export function hashOrder(call: string, kind: Pick<JobKind, 'name' | 'version'>, seed: number, input: unknown): string {
  return hashContent({ kind: kind.name, version: kind.version, seed, input }, call, 'order.input');
}

/** Kinds make their orders by this; the input was checked. */
export function createOrder<Input, Output>(
  call: string,
  kind: JobKind<Input, unknown, unknown, unknown, Output>,
  seed: number,
  input: Input,
): JobOrder<Output> {
  const { name, version } = kind;
  return { format: 'clearance-job', kind: name, version, seed, input, hash: hashOrder(call, kind, seed, input) };
}

/** Its kind. Rejects with a MisuseError for what is no order, is one of another release, or was altered since it was made. */
export async function requireOrder(call: string, order: JobOrder): Promise<JobKind> {
  requireObject(call, 'order', order, 'what a function named order... returned');
  if (order.format !== 'clearance-job') throwMisuse(call, 'order.format', order.format, '"clearance-job"');
  const kind = await loadKind(call, 'order.kind', order.kind);
  if (order.version !== kind.version)
    throwMisuse(
      call,
      'order.version',
      order.version,
      `${kind.version} for ${kind.name}: both sides run the same release`,
    );
  if (!Number.isSafeInteger(order.seed)) throwMisuse(call, 'order.seed', order.seed, 'a whole number');
  kind.requireInput(call, 'order.input', order.input);
  const hash = hashOrder(call, kind, order.seed, order.input);
  if (order.hash !== hash)
    throw new MisuseError(
      `${call}: order.hash, got ${describeHash(order.hash)}, expected ${describeHash(hash)} of its contents: the order was altered`,
    );
  return kind;
}

/** Enough of it to tell it from others. */
export function describeHash(hash: unknown): string {
  return typeof hash === 'string' ? `${hash.slice(0, 12)}...` : String(hash);
}

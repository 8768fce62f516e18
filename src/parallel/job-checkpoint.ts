/**
 * Where a job stands, as plain data: it goes on from there in any thread, on any machine, with the bits of a run without a stop.
 *
 * It may have been cut off, edited, or belong to another job altogether, and a run that goes on from a wrong state looks like
 * any other: it carries the hash of the order it came from, and one of its own content.
 */
import { requireObject, throwMisuse } from '../math/arguments.js';
import { hashContent } from '../math/content-hash.js';
import { MisuseError } from '../math/misuse.js';
import { describeHash, type JobOrder } from './job-order.js';

/** Structured clone takes it, and `formatJobData` makes a text of it. */
export interface JobCheckpoint {
  readonly format: 'clearance-checkpoint';
  readonly kind: string;
  readonly version: number;
  /** Of the order that it goes on with. */
  readonly hash: string;
  /** 0 to 1. */
  readonly progress: number;
  readonly state: unknown;
  /** Of all else in it. */
  readonly checksum: string;
}

export function createCheckpoint(
  order: Pick<JobOrder, 'kind' | 'version' | 'hash'>,
  progress: number,
  state: unknown,
): JobCheckpoint {
  const { kind, version, hash } = order;
  const content = { format: 'clearance-checkpoint', kind, version, hash, progress, state } as const;
  return { ...content, checksum: hashContent(content, 'save', 'state') };
}

/** Throws MisuseError for what is no checkpoint, was altered, or is one of another order. */
export function requireCheckpoint(call: string, checkpoint: JobCheckpoint, order: JobOrder): void {
  requireObject(call, 'checkpoint', checkpoint, 'what save() of a job returned');
  const { checksum, ...content } = checkpoint;
  if (content.format !== 'clearance-checkpoint')
    throwMisuse(call, 'checkpoint.format', content.format, '"clearance-checkpoint"');
  if (content.kind !== order.kind) throwMisuse(call, 'checkpoint.kind', content.kind, `"${order.kind}" as its order`);
  if (content.version !== order.version)
    throwMisuse(call, 'checkpoint.version', content.version, `${order.version} as its order: both are of one release`);
  const found = hashContent(content, call, 'checkpoint');
  if (checksum !== found)
    throw new MisuseError(
      `${call}: checkpoint.checksum, got ${describeHash(checksum)}, expected ${describeHash(found)} of its contents: ` +
        'the checkpoint was altered or cut off',
    );
  if (content.hash !== order.hash)
    throw new MisuseError(
      `${call}: checkpoint.hash, got ${describeHash(content.hash)}, expected ${describeHash(order.hash)}: ` +
        'the checkpoint is of other inputs or another seed than this order',
    );
}

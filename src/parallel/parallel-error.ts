/** A query, a replica, or a worker failed. */
export class ParallelError extends Error {
  override name = 'ParallelError';
  /** Index of the query in its batch, or of the replica; -1 when no single one is to blame. */
  readonly index: number;

  constructor(message: string, index: number, cause?: unknown) {
    super(message, { cause });
    this.index = index;
  }
}

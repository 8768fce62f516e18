/** Exit statuses of the command line. Precedence when several apply: 2, 3, 1, 0. */
import { MisuseError } from '../math/misuse.js';

export const ExitStatus = {
  done: 0,
  /** A negative verdict: in collision, without path, unreachable. */
  negative: 1,
  /** Unusable arguments or input. */
  unusable: 2,
  /** Stopped by a limit. */
  limit: 3,
} as const;
export type ExitStatus = (typeof ExitStatus)[keyof typeof ExitStatus];

const precedence: readonly ExitStatus[] = [ExitStatus.unusable, ExitStatus.limit, ExitStatus.negative, ExitStatus.done];

export function worseStatus(a: ExitStatus, b: ExitStatus): ExitStatus {
  return precedence.indexOf(a) < precedence.indexOf(b) ? a : b;
}

/** What the library refuses in the content of a file is the file's fault. */
export function orUsageError<T>(file: string, create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (error instanceof MisuseError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

/** Something the user can mend: printed without a stack, exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

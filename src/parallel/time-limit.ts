/** Time limits for answers of workers: a script that loads and stays silent must not be waited for without an end. */
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';

export interface WorkerTimeLimits {
  /** How long a worker may take to start and to take its copy. Milliseconds, default 60,000; Infinity for no limit. */
  readonly startTimeoutMs?: number;
  /** How long it may take for one piece of work. Milliseconds; Infinity for no limit. */
  readonly answerTimeoutMs?: number;
}

export const LIMIT_KEYS = ['startTimeoutMs', 'answerTimeoutMs'];
export const START_TIMEOUT = 60_000;
/** What timers of hosts can count; longer limits are none. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

export function readLimits(
  call: string,
  { startTimeoutMs = START_TIMEOUT, answerTimeoutMs }: WorkerTimeLimits,
  answerDefault: number,
): Required<WorkerTimeLimits> {
  const answer = answerTimeoutMs ?? answerDefault;
  for (const [what, value] of [
    ['startTimeoutMs', startTimeoutMs],
    ['answerTimeoutMs', answer],
  ] as const)
    if (!(typeof value === 'number' && value > 0))
      throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected a number of milliseconds above 0`);
  return { startTimeoutMs, answerTimeoutMs: answer };
}

/** Calls `onEnd` after the time unless it is cancelled, which the function returned does. */
export function startTimer(milliseconds: number, onEnd: () => void): () => void {
  if (milliseconds > MOST_MILLISECONDS) return () => undefined;
  const timer = setTimeout(onEnd, milliseconds);
  return () => clearTimeout(timer);
}

export function describeSilence(milliseconds: number): string {
  return `it did not answer within ${milliseconds / 1000} s; is it the script of this release?`;
}

/** Time limits for answers of workers: a script that loads and stays silent must not be waited for without an end. */
import { type Fields, requirePositive, throwMisuse } from '../math/arguments.js';

export interface WorkerTimeLimits {
  /** How long a worker may take to start and to take its copy. Milliseconds, default 60,000; Infinity for no limit. */
  readonly startTimeoutMs?: number;
  /** How long it may take for one piece of work. Milliseconds; Infinity for no limit. */
  readonly answerTimeoutMs?: number;
}

/** Of the calls that start workers. */
export const WORKER_OPTIONS: Fields = {
  script: requireScript,
  startTimeoutMs: requirePositive,
  answerTimeoutMs: requirePositive,
};

function requireScript(call: string, what: string, script: unknown): void {
  if (script instanceof URL || (typeof script === 'string' && isUrl(script))) return;
  throwMisuse(call, what, script, 'a URL, or a text that is one');
}

function isUrl(text: string): boolean {
  try {
    return new URL(text, 'file:///').href !== '';
  } catch {
    return false;
  }
}

const START_TIMEOUT = 60_000;
/** What timers of hosts can count; longer limits are none. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

export function readLimits(
  { startTimeoutMs = START_TIMEOUT, answerTimeoutMs }: WorkerTimeLimits,
  answerDefault: number,
): Required<WorkerTimeLimits> {
  return { startTimeoutMs, answerTimeoutMs: answerTimeoutMs ?? answerDefault };
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

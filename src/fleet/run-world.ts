/**
 * Steps in real time: as fast as can be, so many times as fast as the world's own time, paused, or one by one.
 *
 * Method: after each step the world's time is compared with the clock; what is early waits, what is late goes on at once and is told as a factor
 * below the one asked for: no step is ever left out or made longer, so that the result does not depend on the machine.
 * Tested by run-world.test.ts with a clock of its own.
 */
import {
  type Fields,
  requireFields,
  requireFunction,
  requireObject,
  requirePositiveNumber,
  throwMisuse,
} from '../math/arguments.js';

/** What steps: a FleetWorld, FleetRun, PlanExecution or LifelongFleet. */
export interface Stepped {
  step(dt: number): void;
}

export interface RunOptions {
  /** Seconds of the world. */
  readonly seconds: number;
  /** Seconds of a step. */
  readonly dt: number;
  /** Seconds of the world in a second, or 'max', the default. */
  readonly realTimeFactor?: number | 'max';
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Resolves after so many milliseconds; without it nothing waits and the clock is only read. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** While true the run waits, 50 ms at a time; needs `wait`. */
  readonly isPaused?: () => boolean;
  readonly shouldStop?: () => boolean;
}

export interface RunReport {
  readonly steps: number;
  /** Seconds of the world that passed. */
  readonly seconds: number;
  /** What was reached, pauses left out. */
  readonly realTimeFactor: number;
}

const FIELDS: Fields = {
  seconds: requirePositiveNumber,
  dt: requirePositiveNumber,
  realTimeFactor: (call, what, value) => {
    if (value !== 'max') requirePositiveNumber(call, what, value);
  },
  clock: requireFunction,
  wait: requireFunction,
  isPaused: requireFunction,
  shouldStop: requireFunction,
};

export async function runFleetInTime(world: Stepped, options: RunOptions): Promise<RunReport> {
  const call = 'runFleetInTime';
  requireObject(call, 'world', world, 'something with step(dt)');
  requireFunction(call, 'world.step', world.step);
  requireFields(call, 'options', options, FIELDS);
  for (const name of ['seconds', 'dt', 'clock'] as const)
    if (options[name] === undefined) throwMisuse(call, `options.${name}`, undefined, 'one');
  const { seconds, dt, realTimeFactor = 'max', clock, wait, isPaused, shouldStop } = options;
  const count = Math.round(seconds / dt);
  let start = clock();
  let steps = 0;
  for (; steps < count && !shouldStop?.(); steps++) {
    if (wait !== undefined)
      while (isPaused?.() && !shouldStop?.()) {
        const before = clock();
        await wait(PAUSE_MS);
        start += clock() - before;
      }
    world.step(dt);
    if (wait === undefined || realTimeFactor === 'max') continue;
    const early = start + (1000 * (steps + 1) * dt) / realTimeFactor - clock();
    if (early > 0) await wait(early);
  }
  const ms = clock() - start;
  return { steps, seconds: steps * dt, realTimeFactor: ms > 0 ? (1000 * steps * dt) / ms : Number.POSITIVE_INFINITY };
}

const PAUSE_MS = 50;

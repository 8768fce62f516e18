/**
 * Time limits that hold inside long motions: checkers that look at the clock before every check.
 *
 * Method: once time is up every check answers "not valid" without being done, and `isOver` stays true; a motion that was
 * under way then counts as not valid, which keeps what was found before and adds nothing to it. Callers ask `isOver` before
 * they take a refusal for a fact. Cost: a look at the clock per check, some tens of nanoseconds.
 * Tested by test/contract/planners.test.ts.
 */
import { requireNumberThat } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createSampledMotion } from './motion.js';
import type { KernelChecks, MotionValidator, StateSpace, StopOptions, ValidityChecker } from './types.js';

/** As in the planners' kernel: metres of motion below which proofs are given up. */
const PROOF_TOLERANCE = 0.005;

/** Tells whether a limit from outside has been reached. */
export class StopWatch {
  private over = false;

  constructor(
    private readonly isTimeUp: (() => boolean) | null,
    private readonly shouldStop: (() => boolean) | null,
  ) {}

  /** No limit was given. */
  get isNeverOver(): boolean {
    return this.isTimeUp === null && this.shouldStop === null;
  }

  /** Time alone, the cheaper look. */
  readonly isLate = (): boolean => {
    if (!this.over && this.isTimeUp?.()) this.over = true;
    return this.over;
  };

  readonly isOver = (): boolean => {
    if (!this.isLate() && this.shouldStop?.()) this.over = true;
    return this.over;
  };

  /** Whether a look has found the end, without another look. */
  get wasOver(): boolean {
    return this.over;
  }
}

export function createStopWatch(name: string, { timeoutMs, clock, shouldStop }: StopOptions): StopWatch {
  for (const [what, given] of [
    ['clock', clock],
    ['shouldStop', shouldStop],
  ] as const)
    if (given !== undefined && typeof given !== 'function')
      throw new MisuseError(`${name}: ${what}, got ${describeValue(given)}, expected a function`);
  if (timeoutMs === undefined) return new StopWatch(null, shouldStop ?? null);
  requireNumberThat(name, 'timeoutMs', timeoutMs, (x) => x >= 0, 'a number of milliseconds, 0 or more');
  if (!clock)
    throw new MisuseError(`${name}: clock, got none, expected one beside timeoutMs, e.g. () => performance.now()`);
  const deadline = clock() + timeoutMs;
  return new StopWatch(() => clock() >= deadline, shouldStop ?? null);
}

/** Checks that are counted, and not begun once time is up. */
export class WatchedChecks {
  count = 0;
  readonly checker: ValidityChecker;

  constructor(
    checker: ValidityChecker,
    private readonly watch: StopWatch,
  ) {
    this.checker = {
      isValid: (q) => {
        if (watch.isLate()) return false;
        this.count++;
        return checker.isValid(q);
      },
    };
  }

  /** States at most `resolution` apart. */
  sampled(space: StateSpace, resolution: number): MotionValidator {
    return createSampledMotion(space, this.checker, resolution);
  }

  /** By compiled checks, of which one call decides a motion: proven free where that can be and `proves`, else at steps. */
  linked(
    space: StateSpace,
    kernel: KernelChecks & { readonly room: number },
    step: number,
    proves: boolean,
  ): MotionValidator {
    const { memory, room, weights, motion, certify } = kernel;
    const { watch } = this;
    const end = room + 8 * space.dimension;
    let numbers = new Float64Array(memory.buffer);
    const prepare = (): void => {
      if (numbers.length === 0) numbers = new Float64Array(memory.buffer);
      if (weights !== undefined) numbers.set(space.coordinates!.scale, weights / 8);
    };
    const ask = (a: Float64Array, b: Float64Array): boolean => {
      if (watch.isOver()) return false;
      this.count++;
      numbers.set(a, room / 8);
      numbers.set(b, end / 8);
      return (proves && certify?.(room, end, PROOF_TOLERANCE) === 1) || motion(room, end, step) === 1;
    };
    return {
      isMotionValid(a, b) {
        prepare();
        return ask(a, b);
      },
      areMotionsValid(out, starts, ends) {
        prepare();
        for (let i = 0; i < starts.length; i++) out[i] = ask(starts[i], ends[i]) ? 1 : 0;
      },
    };
  }

  /** `space`: where its motions are no straight lines, a motion is valid when the short ones along it are. */
  whole(given: MotionValidator, space: StateSpace): MotionValidator {
    const { watch } = this;
    const motion = space.followMotion?.(given) ?? given;
    return {
      isExact: motion.isExact,
      isMotionValid: (a, b) => {
        if (watch.isOver()) return false;
        this.count++;
        return motion.isMotionValid(a, b, watch.isLate);
      },
    };
  }
}

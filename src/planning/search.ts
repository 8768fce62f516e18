/**
 * Searches: what every planner makes of a problem, and the loop that runs one under limits from outside.
 *
 * A search goes on by steps of iterations, in any slices, and can be asked for the best it has at any time. Limits from outside end
 * it, within one check of a state or motion, and never change what was found before.
 */
import type { StopWatch } from './stopping.js';
import type { PlanResult } from './types.js';

export interface PlanProgress {
  readonly iterations: number;
  readonly checks: number;
  readonly startNodes: number;
  readonly goalNodes: number;
  /** Length of the best path so far, Infinity before there is one. */
  readonly best?: number;
}

/** A search that can be run in slices: in a worker between messages, in a page between frames. */
export interface PlanSearch {
  readonly done: boolean;
  readonly progress: PlanProgress;
  /** Runs at most `iterations` more; returns `done`. Slicing never changes the result. */
  step(iterations: number): boolean;
  /** The answer so far: final when `done`, otherwise with status `timeout`. */
  result(): PlanResult;
}

/** A search as planners make it. */
export interface Search extends PlanSearch {
  /** Iterations that may pass before limits from outside are looked at again: 1 where checks look at them themselves. */
  readonly slice: number;
  /** Gives back what the search holds; it can still be asked for its result. */
  dispose(): void;
  /** For a caller who may never say that he is done: what is held goes with the search. */
  keep(): this;
}

export interface RunOptions {
  readonly onProgress?: (progress: PlanProgress) => void;
  /** Iterations between reports. */
  readonly interval: number;
}

const FREE_SLICE = 4096;

/** Runs a search to its end or to a limit; the result is the search's. */
export function runSearch(search: Search, watch: StopWatch, { onProgress, interval }: RunOptions): void {
  const slice = watch.isNeverOver ? FREE_SLICE : search.slice;
  let until = interval;
  if (watch.isLate()) return;
  for (let done = 0; ; ) {
    const count = onProgress ? Math.min(slice, until - done) : slice;
    if (search.step(count)) return;
    done += count;
    if (onProgress && done >= until) {
      onProgress(search.progress);
      until += interval;
    }
    if (watch.isOver()) return;
  }
}

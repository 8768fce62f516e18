/**
 * Ends a search from outside: long loops call a check, which throws when the caller's `shouldStop` says so; the planner catches it and
 * answers with what it has. A check that was never asked for costs a call. Tested by plan.test.ts, turning/plan-turning.test.ts.
 */

/** Thrown inside a search that is to end; no planner lets it out. */
export class SearchStopped extends Error {}

/** Throws SearchStopped where the search is to end. */
export type StopCheck = () => void;

export const neverStop: StopCheck = () => {};

export function createStopCheck(shouldStop: (() => boolean) | undefined): StopCheck {
  if (shouldStop === undefined) return neverStop;
  let isOver = false;
  return () => {
    isOver ||= shouldStop();
    if (isOver) throw new SearchStopped();
  };
}

/** What `search` returns, or what `otherwise` does where it was stopped. */
export function orWhenStopped<T>(search: () => T, otherwise: () => T): T {
  try {
    return search();
  } catch (error) {
    if (error instanceof SearchStopped) return otherwise();
    throw error;
  }
}

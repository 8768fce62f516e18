/** What a generator that works in steps gives in the end, all steps at once. */
export function finishSteps<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

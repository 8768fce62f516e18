/** A search in steps within another: what is found is made a group's plan, finished once. */
import type { GroupPlan, GroupSearch } from './group-plan.js';

/** What a group's search and one under constraints have in common. */
interface StepSearch<Plan> extends Omit<GroupSearch, 'result'> {
  result(): Plan;
}

/** `describe`: of a plan so far, without what takes time; `finish` of the last one. */
export function finishSearch<Plan>(
  search: StepSearch<Plan>,
  { describe, finish }: { describe(plan: Plan): GroupPlan; finish(plan: Plan): GroupPlan },
): GroupSearch {
  let finished: GroupPlan | null = null;
  return {
    get done() {
      return search.done;
    },
    get progress() {
      return search.progress;
    },
    step: (iterations) => search.step(iterations),
    result() {
      if (!search.done) return describe(search.result());
      finished ??= finish(search.result());
      return finished;
    },
  };
}

/** Several searches of one rigid-body problem on workers, for `plan-rigid --searches`. */
import { openJob } from '../parallel/job.js';
import { createJobPool } from '../parallel/job-pool.js';
import { orderRigidSearches } from '../parallel/order-rigid-searches.js';
import type { RigidProblem } from '../rigid/problem.js';
import type { RigidPlan } from '../rigid/rigid-search.js';
import type { RigidLimits } from './rigid-arguments.js';
import { formatNumber } from './words.js';

export interface SearchesAnswer {
  readonly plan: RigidPlan;
  /** Whose plan it is; null where none was found in time. */
  readonly seed: number | null;
}

/** `searches` with seeds from `limits.seed` on; `onProgress` gets the share of the work that may be needed. */
export async function planRigidOnWorkers(
  problem: RigidProblem,
  searches: number,
  { seed, timeout, queries }: RigidLimits,
  onProgress: (share: number) => void,
): Promise<SearchesAnswer> {
  const job = await openJob(
    orderRigidSearches(problem, { searches, seed, ...(queries !== undefined && { maxQueries: queries }) }),
  );
  // Longer than the command's own limit, which is what ends it.
  const pool = await createJobPool({ answerTimeoutMs: 2000 * timeout + 60_000 });
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), 1000 * timeout);
  try {
    const { search, plan } = await job.run({ pool, signal: controller.signal, onProgress });
    return { plan, seed: seed + search };
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    const reason = `none of ${searches} searches has a path after ${formatNumber(timeout)} s, which does not mean that there is none`;
    const none = { path: [], proof: null, fault: null, searchQueries: 0, queries: 0, method: '' };
    return { plan: { status: 'timeout', reason, ...none }, seed: null };
  } finally {
    clearTimeout(timer);
    pool.dispose();
  }
}

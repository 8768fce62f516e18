/** RRT-Connect by name: the calls for those who want this planner; `planPath` takes any. */
import { requireFunction } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createRrtConnectSearch, RRT_CONNECT_KEYS, type RrtConnectRequest } from './planners/rrt-connect.js';
import { PROBLEM_KEYS } from './problem.js';
import { requireObject, requirePositive, STOP_KEYS } from './requests.js';
import { type PlanProgress, type PlanSearch, runSearch } from './search.js';
import { createStopWatch, StopWatch } from './stopping.js';
import type { PlanResult, StopOptions } from './types.js';

const KEYS = [...PROBLEM_KEYS, ...RRT_CONNECT_KEYS];

/** A search to be stepped by the caller. Start and goals are checked at once: it may be done already. */
export function createRrtConnect(request: RrtConnectRequest): PlanSearch {
  requireObject('createRrtConnect', request, KEYS);
  return createRrtConnectSearch('planRrtConnect', request, new StopWatch(null, null)).keep();
}

/** Plans in one go. `onProgress` is called about every `progressInterval` iterations (default 1000). */
export function planRrtConnect(
  request: RrtConnectRequest &
    StopOptions & { readonly onProgress?: (progress: PlanProgress) => void; readonly progressInterval?: number },
): PlanResult {
  requireObject('planRrtConnect', request, [...KEYS, ...STOP_KEYS, 'onProgress', 'progressInterval']);
  if (request.onProgress !== undefined) requireFunction('planRrtConnect', 'onProgress', request.onProgress);
  requirePositive('planRrtConnect', 'progressInterval', request.progressInterval);
  const { onProgress, progressInterval: interval = 1000 } = request;
  if (!(interval >= 1))
    throw new MisuseError(`planRrtConnect: progressInterval, got ${describeValue(interval)}, expected 1 or more`);
  const watch = createStopWatch('planRrtConnect', request);
  const search = createRrtConnectSearch('planRrtConnect', request, watch);
  try {
    runSearch(search, watch, { onProgress, interval });
    return search.result();
  } finally {
    search.dispose();
  }
}

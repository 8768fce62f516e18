/** What a planner is to those who call planners by name. */
import type { PlanningProblem } from './problem.js';
import type { Search } from './search.js';
import type { StopWatch } from './stopping.js';

export interface Planner {
  /** As requests and the command line say it. */
  readonly name: string;
  /** One sentence: what it is good for. */
  readonly about: string;
  /** Names of the settings it takes beside a problem's. */
  readonly settings: readonly string[];
  /** Whether it goes on after its first path, to better ones, until it is stopped. */
  readonly isAnytime: boolean;
  /** Throws on settings that are wrong; `call` is for the message. A request has the problem's fields and the planner's settings. */
  create(call: string, request: PlanningProblem & Readonly<Record<string, unknown>>, watch: StopWatch): Search;
}

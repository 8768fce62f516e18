/**
 * The planners by name: what the command line, the viewer, the tasks and the contract suite go through.
 *
 * A planner makes a search of a problem and its own settings; limits, progress, simplification and results are the same for all
 * (plan-path.ts). Planners of this folder stand in the list below; those of higher folders, and of users, come by `registerPlanner`.
 */
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Planner } from './planner.js';
import { anytimeRrtConnect } from './planners/anytime-rrt-connect.js';
import { experience } from './planners/experience.js';
import { fcitStar } from './planners/fcit-star.js';
import { informedPrm } from './planners/informed-prm.js';
import { bridgePrm, lazyPrm, prm } from './planners/prm.js';
import { rrt } from './planners/rrt.js';
import { rrtConnect } from './planners/rrt-connect.js';
import { rrtStar } from './planners/rrt-star.js';

const planners = new Map<string, Planner>(
  [rrtConnect, rrt, rrtStar, prm, lazyPrm, bridgePrm, experience, anytimeRrtConnect, informedPrm, fcitStar].map(
    (planner) => [planner.name, planner],
  ),
);

/** Adds a planner, or replaces the one of that name. Returns a function that takes it out again. */
export function registerPlanner(planner: Planner): () => void {
  const { name, about, settings, create } = planner ?? {};
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name) || name === 'auto')
    throw new MisuseError(
      `registerPlanner: planner.name, got ${describeValue(name)}, expected small letters, digits and dashes, other than auto`,
    );
  if (typeof about !== 'string' || !Array.isArray(settings) || typeof create !== 'function')
    throw new MisuseError(
      `registerPlanner: planner, got ${describeValue(planner)}, expected about, settings and create`,
    );
  const before = planners.get(name);
  planners.set(name, planner);
  return () => {
    if (planners.get(name) !== planner) return;
    if (before) planners.set(name, before);
    else planners.delete(name);
  };
}

/** All planners, in the order of their registration. */
export function listPlanners(): readonly Planner[] {
  return [...planners.values()];
}

/** `auto` is RRT-Connect: the first path soonest. Throws on a name that is not known. */
export function findPlanner(call: string, name: unknown): Planner {
  const planner = planners.get(name === undefined || name === 'auto' ? rrtConnect.name : (name as string));
  if (planner) return planner;
  throw new MisuseError(
    `${call}: planner, got ${describeValue(name)}, expected ${['auto', ...planners.keys()].join(', ')}`,
  );
}

/** Independent simulations as a job that can be sent. */
import {
  type Fields,
  requireCount,
  requireFields,
  requireFloats,
  requireList,
  requireObject,
} from '../math/arguments.js';
import { requireKnownKeys } from '../math/known-keys.js';
import { packModel } from '../model/pack-model.js';
import type { WorldOptions } from '../simulation/definition.js';
import { createOrder, type JobOrder } from './job-order.js';
import { type PackedWorld, simulations } from './kinds/simulations.js';

export interface SimulationOrder {
  /** What `createWorld` is asked; the same object in several entries travels once. */
  readonly world: WorldOptions;
  /** What `takeSnapshot` gave for this world. Default: the world's start. */
  readonly start?: Float64Array;
}

export interface SimulationOrderOptions {
  /** Of each simulation. */
  readonly steps: number;
}

const OPTIONS: Fields = { steps: (call, what, value) => requireCount(call, what, value, 1) };

/**
 * The job's output are the snapshots after the last step, in the order of the entries: `restoreSnapshot` takes them. Controllers are
 * functions and cannot travel; servos can. Throws MisuseError for worlds that `createWorld` refuses and for snapshots of other worlds.
 */
export function orderSimulations(
  entries: readonly SimulationOrder[],
  options: SimulationOrderOptions,
): JobOrder<readonly Float64Array[]> {
  requireFields('orderSimulations', 'options', options, OPTIONS);
  OPTIONS.steps('orderSimulations', 'options.steps', options.steps);
  requireList('orderSimulations', 'entries', entries);
  const known: WorldOptions[] = [];
  const worlds = entries.map((entry, i) => {
    requireKnownKeys('orderSimulations', `entries[${i}]`, entry, ['world', 'start']);
    requireObject('orderSimulations', `entries[${i}].world`, entry.world, 'what createWorld is asked');
    if (entry.start !== undefined) requireFloats('orderSimulations', `entries[${i}].start`, entry.start);
    const found = known.indexOf(entry.world);
    return found >= 0 ? found : known.push(entry.world) - 1;
  });
  const input = {
    shared: { worlds: known.map(packWorld) },
    worlds,
    starts: entries.map(({ start }) => (start ? start.slice() : null)),
    steps: options.steps,
  };
  simulations.requireInput('orderSimulations', 'entries', input);
  return createOrder('orderSimulations', simulations, 0, input);
}

function packWorld({ robots = [], ...rest }: WorldOptions): PackedWorld {
  return { ...rest, robots: robots.map(({ model, ...robot }) => ({ ...robot, model: packModel(model) })) };
}

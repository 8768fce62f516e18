/** Options of the commands that search for a way of one rigid body. */
import type { Command } from 'commander';
import { parseCount, parseNumber } from './number-arguments.js';

/** Who runs it on what has no way is to get an answer. */
const DEFAULT_SECONDS = 120;

export interface RigidLimits {
  readonly seed: number;
  readonly timeout: number;
  readonly queries?: number;
}

export function addRigidLimits(command: Command): Command {
  return command
    .option('--seed <n>', 'shifts the sequences that are searched by', parseCount('--seed'), 0)
    .option('--timeout <s>', 'stop after so many seconds', parseNumber('--timeout', { above: 0 }), DEFAULT_SECONDS)
    .option(
      '--queries <n>',
      'the deterministic limit: queries of collision and distance (default 20 million)',
      parseCount('--queries', { min: 1 }),
    );
}

export interface SweptArguments {
  readonly swept?: string;
  readonly sweptCell?: number;
}

export function addSweptOptions(command: Command): Command {
  return command
    .option(
      '--swept <file>',
      'write a watertight mesh that contains the body at every time of its path (.stl; .glb: with all meshes, the body on its way)',
    )
    .option(
      '--swept-cell <d>',
      'how fine that mesh is (default: a hundredth of its extent)',
      parseNumber('--swept-cell', { above: 0 }),
    );
}

/** As requests of searches have them. */
export function searchLimits({ seed, queries }: RigidLimits): { readonly seed: number; readonly maxQueries?: number } {
  return { seed, ...(queries !== undefined && { maxQueries: queries }) };
}

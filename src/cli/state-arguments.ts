/** --states FILE (JSON Lines of {"q":...}) or one --q; without either, the neutral configuration or --state. */
import type { Command } from 'commander';
import { UsageError } from './exit.js';
import { splitNumbers } from './number-arguments.js';

export interface StateArguments {
  readonly states?: string;
  readonly q?: string;
}

export function addStateOptions(command: Command): Command {
  return command
    .option('--states <file>', 'JSON Lines {"q":...}, or - for standard input')
    .option('--q <values>', 'one configuration: 0,0.1,... or JSON or the name of an SRDF state');
}

export function stateSource(args: StateArguments): string | null {
  if (args.states !== undefined && args.q !== undefined) throw new UsageError('--states and --q: expected one of them');
  return args.states ?? null;
}

/** The q of --q (undefined: the configuration given by --state, else neutral), as a one-line batch. */
export function readState(args: StateArguments): { readonly q: unknown } {
  if (args.q === undefined) return { q: {} };
  return { q: parseConfigurationText(args.q) };
}

/** `0,0.1,...`, JSON, or a state's name. */
export function parseConfigurationText(text: string): unknown {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed);
    } catch (error) {
      throw new UsageError(`q "${text}": ${(error as Error).message}`);
    }
  }
  if (trimmed === '') throw new UsageError('q: got nothing, expected values, JSON, or the name of an SRDF state');
  const numbers = splitNumbers(trimmed);
  if (numbers.every((n) => Number.isFinite(n))) return numbers;
  if (trimmed.includes(',') && numbers.some((n) => Number.isFinite(n)))
    throw new UsageError(`q "${text}": expected finite numbers between the commas`);
  return trimmed;
}

/** The q of one input line. */
export function lineConfiguration(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !('q' in value))
    throw new UsageError('expected an object with "q"');
  return (value as { q: unknown }).q;
}

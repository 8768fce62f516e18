/** --states FILE or one --q; without either, the neutral configuration or --state. */
import type { Command } from 'commander';
import { positionNames, velocityNames } from '../trajectory/trajectory-table.js';
import {
  type ConfigurationContext,
  type GroupSelection,
  parseConfiguration,
  parseNumbersByColumn,
} from './configuration-argument.js';
import { UsageError } from './exit.js';
import type { BatchOptions } from './json-lines.js';
import type { ColumnValues, StateEntry } from './motion-file.js';
import { splitNumbers } from './number-arguments.js';

export interface StateArguments {
  readonly states?: string;
  readonly q?: string;
}

export function addStateOptions(command: Command): Command {
  return command
    .option(
      '--states <file>',
      'states: JSON Lines {"q":...}, a path or trajectory as plan and trajectory write them (.json .csv .mcap), [[...],...]; - is standard input',
    )
    .option('--q <values>', 'one configuration: 0,0.1,... or JSON or the name of an SRDF state');
}

function stateSource(args: StateArguments): string | null {
  if (args.states !== undefined && args.q !== undefined) throw new UsageError('--states and --q: expected one of them');
  return args.states ?? null;
}

/** The states of --states, or the one of --q (else that of --state, else neutral), as a batch. */
export function stateBatch(args: StateArguments): Pick<BatchOptions<StateEntry>, 'source' | 'single' | 'read'> {
  return {
    source: stateSource(args),
    single: { q: args.q === undefined ? {} : parseConfigurationText(args.q) },
    // What reads files of states, and the schemas it has of them, is loaded where there is one.
    read: async function* (source) {
      const { readStates } = await import('./motion-file.js');
      yield* readStates(source);
    },
  };
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

/** The configuration of the joints that q leaves out, from --state. */
export function readRest(context: ConfigurationContext, state: string | undefined): Float64Array {
  return parseConfiguration(context, state === undefined ? [] : parseConfigurationText(state), null);
}

export interface StateContext extends ConfigurationContext {
  readonly group: GroupSelection;
  /** Configuration of the joints that q leaves out. */
  readonly rest: Float64Array;
}

/** The whole configuration of a state of a file. */
export function readState(context: StateContext, { q, named, line }: StateEntry): Float64Array {
  const { model, rest, group } = context;
  if (named) return parseNumbersByColumn(model, named, positionNames(model), rest);
  if (q !== undefined) return parseConfiguration(context, q, rest, group);
  // A line of joints alone.
  const names = Object.keys(line ?? {});
  if (line === undefined || names.length === 0 || !names.every((name) => model.jointIndex.has(name)))
    throw new UsageError('expected an object with "q"');
  return parseConfiguration(context, line, rest, group);
}

/** v, a or torques of a state by column, zero where the file has none. */
export function readRates(
  { model }: ConfigurationContext,
  what: string,
  columns: ColumnValues | undefined,
): Float64Array | undefined {
  if (!columns) return undefined;
  const names = velocityNames(model);
  const out = new Float64Array(model.nv);
  for (const [name, value] of columns) {
    const at = names.indexOf(name);
    if (at < 0) throw new UsageError(`${what}: column "${name}" is no joint of the robot: ${names.join(', ')}`);
    out[at] = value;
  }
  return out;
}

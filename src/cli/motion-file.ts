/**
 * Joint states in whatever form the commands write them: JSON Lines, the JSON and CSV of `plan` and `trajectory`, MCAP, and
 * bare arrays. One reader for every command that takes states, a path or a trajectory.
 *
 * A JSON value gives one state ({"q":...}, an array of numbers, an object of joints, the name of an SRDF state) or several in
 * a row: {"path":[q, ...]}, {"solutions":[q, ...]}, {"times","positions",...}, [[...], ...], or a list of any of these.
 * Columns by joint name may stand in any order. Lines are read as they come as long as they are JSON.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { formatIssue } from '../io/issue.js';
import { parseTrajectoryFile } from '../io/trajectory/trajectory-file.js';
import { isMcap, readTrajectoryMcap } from '../io/trajectory/trajectory-mcap.js';
import type { TrajectoryTable } from '../trajectory/trajectory-table.js';
import { UsageError } from './exit.js';
import { type InputLine, requireReadable, warnOfNothing } from './json-lines.js';
import { report } from './messages.js';

export type ColumnValues = ReadonlyMap<string, number>;

/** One state as a file has it. */
export interface StateEntry {
  /** As an input line writes it: an array, an object of joints, or a name. */
  readonly q?: unknown;
  /** Instead of q: numbers of q by the names of their columns. */
  readonly named?: ColumnValues;
  /** Numbers of v, a and torque likewise. */
  readonly rates?: { readonly v?: ColumnValues; readonly a?: ColumnValues; readonly tau?: ColumnValues };
  /** Seconds. */
  readonly t?: number;
  /** No motion leads to it: the first of a path, or a solution among others. */
  readonly first?: boolean;
  /** The line with whatever else it says. */
  readonly line?: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** All states of one JSON value; throws where it holds none. */
function listStates(value: unknown): StateEntry[] {
  if (typeof value === 'string') return [{ q: value }];
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(Array.isArray)) return value.map((q, i) => ({ q, first: i === 0 }));
    return value.some(isObject) ? value.flatMap(listStates) : [{ q: value }];
  }
  if (!isObject(value)) throw new UsageError('expected a configuration: an object with "q", an array, or a name');
  if ('times' in value && 'positions' in value) return listTable(readTable(value));
  for (const key of ['path', 'solutions']) {
    const rows = value[key];
    if (!Array.isArray(rows)) continue;
    if (rows.length === 0) {
      const status = typeof value.status === 'string' ? ` (status "${value.status}")` : '';
      throw new UsageError(`"${key}" is empty${status}, expected configurations`);
    }
    return rows.map((row, i) => ({ ...toEntry(row, value.joints), first: key === 'solutions' || i === 0 }));
  }
  return [{ q: value.q, line: value, ...(typeof value.t === 'number' && { t: value.t }) }];
}

function toEntry(row: unknown, names: unknown): StateEntry {
  if (!Array.isArray(names)) return { q: row };
  if (!Array.isArray(row) || row.length !== names.length || !row.every(Number.isFinite))
    throw new UsageError(`a configuration of the path: expected ${names.length} finite numbers, ${names.join(', ')}`);
  return { named: toColumns(names, row) };
}

const toColumns = (names: readonly unknown[], row: readonly number[]): ColumnValues =>
  new Map(names.map((name, k) => [String(name), row[k]]));

function readTable(value: object): TrajectoryTable {
  const { value: file, issues } = parseTrajectoryFile(JSON.stringify(value), 'json');
  if (file?.kind !== 'trajectory') throw new UsageError(issues.map(({ message }) => message).join('; '));
  return file.trajectory;
}

function listTable(table: TrajectoryTable): StateEntry[] {
  const { positionNames, velocityNames, times, positions, velocities, accelerations, torques } = table;
  const columns = (rows: TrajectoryTable['velocities'], i: number) => rows && toColumns(velocityNames, rows[i]);
  return times.map((t, i) => ({
    named: toColumns(positionNames, positions[i]),
    rates: { v: columns(velocities, i), a: columns(accelerations, i), tau: columns(torques, i) },
    t,
    first: i === 0,
  }));
}

/** What a whole file holds that is no JSON Lines; null when it is. */
async function readWhole(source: string): Promise<StateEntry[] | null> {
  const extension = extname(source).toLowerCase();
  if (extension !== '.csv' && extension !== '.mcap' && extension !== '.json') return null;
  const bytes = readFileSync(source);
  if (isMcap(bytes)) {
    const { value, issues } = await readTrajectoryMcap(bytes);
    if (!value) throw new UsageError(issues.map((issue) => formatIssue({ file: source, ...issue })).join('\n'));
    return listTable(value);
  }
  if (extension === '.csv') return listCsv(source, bytes.toString('utf8'));
  if (extension === '.mcap') throw new UsageError(`${source}: not an MCAP file, though its name says so`);
  return null;
}

function listCsv(source: string, text: string): StateEntry[] {
  const { value, issues } = parseTrajectoryFile(text, 'csv');
  if (!value) throw new UsageError(issues.map((issue) => formatIssue({ file: source, ...issue })).join('\n'));
  for (const issue of issues) report({ file: source, ...issue });
  if (value.kind === 'trajectory') return listTable(value.trajectory);
  return value.paths.flatMap(({ joints, path }) =>
    path.map((row, i) => ({ ...toEntry(row, joints ?? undefined), first: i === 0 })),
  );
}

type StateLine = InputLine<StateEntry>;

/** The states of a file, or of standard input (`-`), in order; what cannot be read is told in its place. */
export async function* readStates(source: string): AsyncGenerator<StateLine> {
  if (source !== '-') {
    requireReadable(source);
    const whole = await readWhole(source);
    if (whole) {
      yield* whole.map((value, index) => ({ index, line: 0, value }));
      return;
    }
  }
  let index = 0;
  for await (const { line, text, states: read = () => listStates(parseLine(text)) } of readValues(source)) {
    let states: StateEntry[] = [];
    let error: string | undefined;
    try {
      states = read();
    } catch (fault) {
      error = (fault as Error).message;
    }
    if (error !== undefined) yield { index: index++, line, error };
    for (const state of states) yield { index: index++, line, value: state };
  }
  if (index === 0) warnOfNothing(source);
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`not JSON: ${(error as Error).message}`);
  }
}

interface TextLine {
  readonly line: number;
  readonly text: string;
  /** Set where a value took several lines, or a table all of them. */
  readonly states?: () => StateEntry[];
}

/**
 * The lines that hold something; or the one value that all lines together are, where the first two are no JSON on their own.
 * Two lines are waited for at most where lines come slowly and are JSON.
 */
async function* readValues(source: string): AsyncGenerator<TextLine> {
  const input = source === '-' ? process.stdin : createReadStream(source, 'utf8');
  const held: TextLine[] = [];
  let isDecided = false;
  let line = 0;
  for await (const raw of createInterface({ input, crlfDelay: Infinity })) {
    line++;
    const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw;
    if (text.trim() === '') continue;
    if (isDecided) {
      yield { line, text };
      continue;
    }
    held.push({ line, text });
    isDecided = isJson(held[0].text) || (held.length === 2 && isJson(text) && !/[[{,]\s*$/.test(held[0].text));
    if (isDecided) yield* held.splice(0);
  }
  if (held.length === 0) return;
  const whole = held.map(({ text }) => text).join('\n');
  const [first] = held;
  if (isJson(whole)) yield { ...first, states: () => listStates(JSON.parse(whole)) };
  else if (isTable(held)) yield { ...first, states: () => listCsv(source, `${whole}\n`) };
  else yield* held;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A row of names over a row of as many numbers. */
function isTable(lines: readonly TextLine[]): boolean {
  const numbers = lines.length > 1 ? lines[1].text.split(',') : [];
  return numbers.length > 0 && numbers.every((field) => field.trim() !== '' && Number.isFinite(Number(field)));
}

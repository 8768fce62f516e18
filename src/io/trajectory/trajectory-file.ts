/**
 * Paths and trajectories as CSV and JSON.
 *
 * CSV: a header, then one row per sample. A trajectory has `time`, a column per number of q under the joint's name, then
 * `v:joint`, `a:joint` and `tau:joint`; a joint named as one of these, or `time`, `problem`, `waypoint`, stands as `q:joint`. A path has no `time`; `problem` and `waypoint` columns, as the planner writes them,
 * are understood (a new problem begins a new path). Blank lines are skipped, names must differ. Fields with a comma, quote or newline are quoted (RFC 4180).
 * JSON: {"version":1,"joints":[names of q],"velocityNames":[...],"times":[...],"positions":[[...]],"velocities":[[...]],
 * "accelerations":[[...]],"torques":[[...]]}; a path is {"joints":[...],"path":[[...]]}, a list of such, or [[...]].
 * Numbers are written with all their digits and read back to the same bits. Tested by trajectory-file.test.ts.
 */

import { z } from 'zod';
import {
  requireList,
  requireNumbers,
  requireObject,
  requireOneOf,
  requireText,
  requireTexts,
} from '../../math/arguments.js';
import { suggestName } from '../../math/suggest-name.js';
import type { TrajectoryTable } from '../../trajectory/trajectory-table.js';
import { requireTable } from '../io-door.js';
import type { Issue, Parsed } from '../issue.js';
import { describeFirstFault } from '../schema-words.js';
import { formatCsvRow, parseCsvRows } from './csv.js';

/** Configurations to go through, in the order of `joints`, or of the model where that is null. */
export interface PathTable {
  readonly joints: readonly string[] | null;
  readonly path: readonly (readonly number[])[];
}

export type TrajectoryFile =
  | { readonly kind: 'trajectory'; readonly trajectory: TrajectoryTable }
  | { readonly kind: 'paths'; readonly paths: readonly PathTable[] };

const MAX_LENGTH = 512 * 1024 * 1024;
/** Prefixes of the columns beside positions. */
const PREFIXES = { velocities: 'v:', accelerations: 'a:', torques: 'tau:' } as const;
/** Prefix of positions whose joints are named as something else; `q:x` is the joint `x`. */
const POSITION = 'q:';
const RESERVED: readonly string[] = ['time', 'problem', 'waypoint'];
const KINDS = Object.keys(PREFIXES) as (keyof typeof PREFIXES)[];

export function writeTrajectoryCsv(table: TrajectoryTable): string {
  requireTable('writeTrajectoryCsv', table);
  const kinds = KINDS.filter((kind) => table[kind]);
  const header = [
    'time',
    ...table.positionNames.map(toColumn),
    ...kinds.flatMap((kind) => table.velocityNames.map((name) => PREFIXES[kind] + name)),
  ];
  return toCsv(
    header,
    table.times.map((time, i) => [time, ...table.positions[i], ...kinds.flatMap((kind) => table[kind]![i])]),
  );
}

export function writeTrajectoryJson(table: TrajectoryTable): string {
  requireTable('writeTrajectoryJson', table);
  const { positionNames, velocityNames, times, positions, velocities, accelerations, torques } = table;
  const content = {
    version: 1,
    joints: positionNames,
    velocityNames,
    times,
    positions,
    velocities,
    accelerations,
    torques,
  };
  const fields = Object.entries(content).filter(([, value]) => value !== undefined);
  return `{\n${fields.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')}\n}\n`;
}

/** One path of several: `problem` numbers them from 0, `waypoint` the configurations of each. */
export function writePathsCsv(joints: readonly string[], paths: readonly (readonly ArrayLike<number>[])[]): string {
  requireTexts('writePathsCsv', 'joints', joints);
  requirePaths('writePathsCsv', 'paths', paths, joints.length);
  const rows = paths.flatMap((path, problem) => path.map((q, waypoint) => [problem, waypoint, ...Array.from(q)]));
  return toCsv(['problem', 'waypoint', ...joints.map(toColumn)], rows);
}

function toCsv(header: readonly string[], rows: readonly (readonly number[])[]): string {
  return `${[header, ...rows].map(formatCsvRow).join('\n')}\n`;
}

/** A joint whose name would be taken for another column is marked as a position. */
function toColumn(name: string): string {
  return RESERVED.includes(name) || /^(q|v|a|tau):/.test(name) ? POSITION + name : name;
}

function fromColumn(column: string): string {
  return column.startsWith(POSITION) ? column.slice(POSITION.length) : column;
}

/** `format`: default by the first character. */
export function parseTrajectoryFile(text: string, format?: 'csv' | 'json'): Parsed<TrajectoryFile> {
  requireText('parseTrajectoryFile', 'text', text);
  if (format !== undefined) requireOneOf('parseTrajectoryFile', 'format', format, ['csv', 'json']);
  if (text.length > MAX_LENGTH) return fail('too-long', `${text.length} characters, expected at most ${MAX_LENGTH}`);
  const content = text.replace(/^\uFEFF/, '');
  const isJson = format ? format === 'json' : /^\s*[[{]/.test(content);
  return isJson ? parseJson(content) : parseCsv(content);
}

/** The text of a planned path, or of several. */
export function writePathsJson(
  joints: readonly string[],
  paths: readonly { readonly status: string; readonly length: number; readonly path: readonly ArrayLike<number>[] }[],
): string {
  requireTexts('writePathsJson', 'joints', joints);
  requireList('writePathsJson', 'paths', paths);
  paths.forEach((each, i) => {
    requireObject('writePathsJson', `paths[${i}]`, each, 'an object with status, length and path');
  });
  requirePaths(
    'writePathsJson',
    'paths',
    paths.map(({ path }) => path),
    joints.length,
  );
  const list = paths.map(({ path, ...rest }) => ({ ...rest, joints, path: path.map((q) => Array.from(q)) }));
  return `${JSON.stringify(list.length === 1 ? list[0] : list, null, 1)}\n`;
}

const fail = (code: string, message: string, line?: number): { value: null; issues: Issue[] } => ({
  value: null,
  issues: [{ severity: 'error', code, message, line }],
});

const row = z.array(z.number());
const rows = z.array(row);
const names = z.array(z.string());
const pathSchema = z.object({ joints: names.optional(), path: rows });
const trajectorySchema = z.object({
  joints: names,
  velocityNames: names.optional(),
  times: row.min(1),
  positions: rows.min(1),
  velocities: rows.optional(),
  accelerations: rows.optional(),
  torques: rows.optional(),
});

function parseJson(text: string): Parsed<TrajectoryFile> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return fail('json', `no JSON: ${(error as Error).message}`);
  }
  if (content !== null && typeof content === 'object' && 'times' in content) {
    const parsed = trajectorySchema.safeParse(content);
    if (!parsed.success) return fail('structure', describeFirstFault(parsed.error, content));
    const { joints, velocityNames = joints, ...columns } = parsed.data;
    const { value, issues } = checkTable({ positionNames: joints, velocityNames, ...columns });
    return { value, issues: [...issues, ...findMisspelt(content, Object.keys(trajectorySchema.shape))] };
  }
  const bare = rows.safeParse(content);
  if (bare.success) return checkPaths([{ joints: null, path: bare.data }]);
  const list = z.array(pathSchema).safeParse(Array.isArray(content) ? content : [content]);
  if (!list.success) {
    const message = describeFirstFault(list.error, Array.isArray(content) ? content : [content]);
    return fail('structure', `neither a trajectory ("times") nor a path ("path"): ${message}`);
  }
  const { value, issues } = checkPaths(list.data.map(({ joints, path }) => ({ joints: joints ?? null, path })));
  const objects: unknown[] = Array.isArray(content) ? content : [content];
  return { value, issues: [...issues, ...objects.flatMap((object) => findMisspelt(object, ['joints', 'path']))] };
}

/** Keys beside the known ones are let be, unless one that is missing is close. */
function findMisspelt(object: unknown, known: readonly string[]): Issue[] {
  const keys = Object.keys(object as object);
  const missing = known.filter((key) => !keys.includes(key));
  return keys.flatMap((key): Issue[] => {
    const close = known.includes(key) ? null : suggestName(key, missing);
    if (close === null) return [];
    const message = `the key "${key.slice(0, 40)}" is not known and is ignored; did you mean "${close}"?`;
    return [{ severity: 'warning', code: 'unknown-key', message, assumes: 'guessed' }];
  });
}

function checkPaths(paths: PathTable[]): Parsed<TrajectoryFile> {
  for (const { joints, path } of paths) {
    const twice = joints?.find((name, k) => joints.indexOf(name) < k);
    if (twice !== undefined) return fail('joints', `joint "${twice}" stands there twice, expected different names`);
    const width = joints?.length ?? path[0]?.length;
    const at = path.findIndex((q) => q.length !== width);
    if (at >= 0) return fail('columns', `waypoint ${at}: got ${path[at].length} numbers, expected ${width}`);
  }
  return { value: { kind: 'paths', paths }, issues: [] };
}

function checkTable(table: TrajectoryTable): Parsed<TrajectoryFile> {
  const { times } = table;
  for (const list of [table.positionNames, table.velocityNames]) {
    const twice = list.find((name, k) => list.indexOf(name) < k);
    if (twice !== undefined) return fail('joints', `joint "${twice}" stands there twice, expected different names`);
  }
  if (times[0] !== 0) return fail('times', `the first time is ${times[0]}, expected 0`);
  const late = times.findIndex((time, i) => i > 0 && !(time > times[i - 1]));
  if (late > 0) return fail('times', `time ${times[late]} follows ${times[late - 1]}, expected increasing times`);
  for (const kind of ['positions', ...KINDS] as const) {
    const list = table[kind];
    if (!list) continue;
    const width = kind === 'positions' ? table.positionNames.length : table.velocityNames.length;
    if (list.length !== times.length)
      return fail('rows', `${kind}: got ${list.length} rows, expected one per time, ${times.length}`);
    const at = list.findIndex((values) => values.length !== width);
    if (at >= 0) return fail('columns', `${kind}, row ${at}: got ${list[at].length} numbers, expected ${width}`);
  }
  return { value: { kind: 'trajectory', trajectory: table }, issues: [] };
}

function parseCsv(text: string): Parsed<TrajectoryFile> {
  const rows = parseCsvRows(text);
  if (rows.length < 2) return fail('empty', 'no rows: expected a header and at least one row');
  const [{ fields: header, line: top }] = rows;
  if (header.every((field) => field.trim() !== '' && Number.isFinite(Number(field))))
    return fail('header', `the first line holds numbers, expected the names of the columns`, top);
  const time = header.indexOf('time');
  const rate = header.find((name) => KINDS.some((kind) => name.startsWith(PREFIXES[kind])));
  if (time < 0 && rate !== undefined) return fail('header', `column "${rate}" belongs to a column "time"`, top);
  const twice = header.find((name, k) => header.indexOf(name) < k);
  if (twice !== undefined) return fail('header', `column "${twice}" stands there twice, expected different names`, top);
  const numbers: number[][] = [];
  for (const { fields, line } of rows.slice(1)) {
    const values = fields.map((field) => (field.trim() === '' ? Number.NaN : Number(field)));
    if (values.length !== header.length)
      return fail('columns', `got ${values.length} fields, expected ${header.length}`, line);
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) return fail('number', `column "${header[bad]}": expected a finite number`, line);
    numbers.push(values);
  }
  const { value, issues } = time < 0 ? readPaths(header, numbers) : readTable(header, numbers, time);
  if (!value || /[\r\n]$/.test(text)) return { value, issues };
  const message = 'the last line has no end: the file may be cut within it; end it if it is whole';
  const { line } = rows[rows.length - 1];
  return {
    value,
    issues: [...issues, { severity: 'warning', code: 'unfinished-line', line, message, assumes: 'guessed' }],
  };
}

function readPaths(header: readonly string[], numbers: readonly (readonly number[])[]): Parsed<TrajectoryFile> {
  const problem = header.indexOf('problem');
  const waypoint = header.indexOf('waypoint');
  const columns = [...header.keys()].filter((k) => !['problem', 'waypoint'].includes(header[k]));
  const joints = columns.map((k) => fromColumn(header[k]));
  const paths = new Map<number, number[][]>();
  for (const values of numbers) {
    const key = problem < 0 ? 0 : values[problem];
    const path = paths.get(key) ?? [];
    if (waypoint >= 0 && values[waypoint] !== path.length) {
      const message = `waypoint ${values[waypoint]} stands where ${path.length} is expected: a row is missing or moved`;
      return fail('waypoints', problem < 0 ? message : `problem ${key}: ${message}`);
    }
    path.push(columns.map((k) => values[k]));
    paths.set(key, path);
  }
  return checkPaths([...paths.values()].map((path) => ({ joints, path })));
}

function readTable(
  header: readonly string[],
  numbers: readonly (readonly number[])[],
  time: number,
): Parsed<TrajectoryFile> {
  const pick = (columns: readonly number[]): number[][] => numbers.map((values) => columns.map((k) => values[k]));
  const starting = (prefix: string): number[] => [...header.keys()].filter((k) => header[k].startsWith(prefix));
  const others = new Set([time, ...KINDS.flatMap((kind) => starting(PREFIXES[kind]))]);
  const own = [...header.keys()].filter((k) => !others.has(k));
  let velocityNames = own.map((k) => fromColumn(header[k]));
  const columns: { -readonly [kind in keyof typeof PREFIXES]?: number[][] } = {};
  for (const kind of KINDS) {
    const found = starting(PREFIXES[kind]);
    if (found.length === 0) continue;
    const names = found.map((k) => header[k].slice(PREFIXES[kind].length));
    const before = Object.keys(columns)[0];
    if (before !== undefined && names.join('\n') !== velocityNames.join('\n'))
      return fail('header', `${kind} are those of ${names.join(', ')}, ${before} those of ${velocityNames.join(', ')}`);
    velocityNames = names;
    columns[kind] = pick(found);
  }
  const positionNames = own.map((k) => fromColumn(header[k]));
  return checkTable({
    positionNames,
    velocityNames,
    times: numbers.map((values) => values[time]),
    positions: pick(own),
    ...columns,
  });
}

function requirePaths(call: string, what: string, paths: unknown, count: number): void {
  requireList(call, what, paths, 'a list of paths');
  paths.forEach((path, i) => {
    requireList(call, `${what}[${i}]`, path, 'a list of configurations');
    path.forEach((q, k) => {
      requireNumbers(call, `${what}[${i}][${k}]`, q, count);
    });
  });
}

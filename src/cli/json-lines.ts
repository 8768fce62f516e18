/** JSON Lines in and out: one answer per input line, in order, flushed as they come. */
import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { ExitStatus, UsageError, worseStatus } from './exit.js';
import { warn } from './messages.js';

export function requireReadable(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`no such file: ${file}`);
  if (stats.isDirectory()) throw new UsageError(`${file}: a folder, expected a file of JSON Lines`);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new UsageError(`${file}: no permission to read it`);
  }
}

/** Before long work: may the file be written when it is done? */
export function requireWritable(option: string, file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new UsageError(`${option} ${file}: a folder, expected a file name`);
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${option} ${file}: there is no folder ${folder}, create it first`);
  try {
    accessSync(stats ? file : folder, constants.W_OK);
  } catch {
    throw new UsageError(`${option} ${file}: no permission to write it`);
  }
}

interface InputLine {
  readonly index: number;
  readonly line: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** `-` is standard input. `index` counts the lines that hold something, from 0; `line` all of them, from 1. */
export async function* readJsonLines(source: string): AsyncGenerator<InputLine> {
  if (source !== '-') requireReadable(source);
  const input = source === '-' ? process.stdin : createReadStream(source, 'utf8');
  const lines = createInterface({ input, crlfDelay: Infinity });
  let index = 0;
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    try {
      yield { index, line, value: JSON.parse(index === 0 ? text.replace(/^\uFEFF/, '') : text) };
    } catch (error) {
      yield { index, line, error: `not JSON: ${(error as Error).message}` };
    }
    index++;
  }
  if (index === 0)
    warn(`warning: ${source === '-' ? 'standard input' : source}: no lines, so there is nothing to answer`);
}

/** Writes one line; waits when the pipe is full. */
export async function writeLine(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** JSON with numbers that do not exist as null. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item === 'number' && !Number.isFinite(item)) return null;
    if (item instanceof Float64Array || item instanceof Int32Array || item instanceof Uint32Array)
      return Array.from(item);
    return item;
  });
}

export interface BatchAnswer {
  readonly result: Record<string, unknown>;
  /** Text for people, used without --json. */
  readonly text: string;
  readonly status?: ExitStatus;
}

export interface BatchOptions {
  /** File of JSON Lines, `-`, or null for the one value `single`. */
  readonly source: string | null;
  readonly single?: unknown;
  readonly json: boolean;
  /** Called with the number of answered lines. */
  readonly onProgress?: (done: number) => void;
}

/** Runs `answer` on every line of the batch; a bad line is answered with status "invalid" and the run goes on. */
export async function runBatch(
  options: BatchOptions,
  answer: (value: unknown, index: number) => BatchAnswer | Promise<BatchAnswer>,
): Promise<ExitStatus> {
  let status: ExitStatus = ExitStatus.done;
  let done = 0;
  const lines: Iterable<InputLine> | AsyncIterable<InputLine> =
    options.source === null ? [{ index: 0, line: 0, value: options.single }] : readJsonLines(options.source);
  for await (const { index, line, value, error: fault } of lines) {
    try {
      if (fault !== undefined) throw new UsageError(fault);
      const { result, text, status: own = ExitStatus.done } = await answer(value, index);
      status = worseStatus(status, own);
      await writeLine(
        options.json ? toJson({ i: index, ...result }) : options.source === null ? text : `${index}: ${text}`,
      );
    } catch (error) {
      status = worseStatus(status, ExitStatus.unusable);
      const message = (error as Error).message;
      if (options.source === null) {
        if (options.json) await writeLine(toJson({ i: index, status: 'invalid', error: message }));
        else process.stderr.write(`${message}\n`);
      } else if (options.json) await writeLine(toJson({ i: index, status: 'invalid', error: message, line }));
      else await writeLine(`${index}: invalid: ${message} (line ${line})`);
    }
    options.onProgress?.(++done);
  }
  return status;
}

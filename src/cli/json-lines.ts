/** JSON Lines in and out: one answer per input line, in order, flushed as they come. */
import { accessSync, constants, createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ExitStatus, UsageError, worseStatus } from './exit.js';
import { warn } from './messages.js';

export function requireReadable(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`no such file: ${file}`);
  if (stats.isDirectory()) throw new UsageError(`${file}: a folder, expected a file`);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new UsageError(`${file}: no permission to read it`);
  }
}

/** A folder that is looked into; `option` ends where its value begins. */
export function requireFolderOf(option: string, folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`${option}${folder}: there is no such folder`);
  if (!stats.isDirectory()) throw new UsageError(`${option}${folder}: a file, expected a folder`);
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

/** One name for a file however it is written, links followed where it exists. */
export function toRealPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** What is read must not be written over. */
export function requireOtherFile(option: string, file: string, input: string): void {
  if (toRealPath(file) === toRealPath(input)) {
    throw new UsageError(`${option} ${file}: the file that is read, expected another one`);
  }
}

/** Before long work: may files be written into the folder, or the folder be made, when it is done? */
export function requireFolder(option: string, folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) {
    requireWritable(option, folder);
    return;
  }
  if (!stats.isDirectory()) throw new UsageError(`${option} ${folder}: a file, expected a folder`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(`${option} ${folder}: no permission to write into it`);
  }
}

export interface InputLine<T = unknown> {
  readonly index: number;
  /** 0 where the file has no lines of its own. */
  readonly line: number;
  readonly value?: T;
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
  if (index === 0) warnOfNothing(source);
}

export function warnOfNothing(source: string): void {
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
  /** No line after it is answered. */
  readonly last?: boolean;
}

export interface BatchOptions<T = unknown> {
  /** A file, `-`, or null for the one value `single`. */
  readonly source: string | null;
  readonly single?: T;
  /** Reads the source; default: JSON Lines. */
  readonly read?: (source: string) => AsyncIterable<InputLine<T>>;
  readonly json: boolean;
  /** Called with the number of answered lines. */
  readonly onProgress?: (done: number) => void;
  /** For people, after the answers to a source. */
  readonly summarize?: (counts: BatchCounts) => string;
}

export interface BatchCounts {
  readonly answered: number;
  /** With a negative verdict, and the index of the first. */
  readonly negative: number;
  readonly firstNegative: number | null;
  readonly invalid: number;
}

interface BatchWriter {
  readonly status: ExitStatus;
  write(index: number, answer: BatchAnswer): Promise<void>;
  refuse(index: number, line: number, error: unknown): Promise<void>;
  finish(): Promise<void>;
}

function createWriter<T>({ source, json, onProgress, summarize }: BatchOptions<T>): BatchWriter {
  let status: ExitStatus = ExitStatus.done;
  let done = 0;
  const counts = { answered: 0, negative: 0, firstNegative: null as number | null, invalid: 0 };
  return {
    get status() {
      return status;
    },
    async write(index, { result, text, status: own = ExitStatus.done }) {
      status = worseStatus(status, own);
      counts.answered++;
      if (own === ExitStatus.negative) {
        counts.negative++;
        counts.firstNegative ??= index;
      }
      await writeLine(json ? toJson({ i: index, ...result }) : source === null ? text : `${index}: ${text}`);
      onProgress?.(++done);
    },
    async refuse(index, line, error) {
      status = worseStatus(status, ExitStatus.unusable);
      counts.invalid++;
      const { message } = error as Error;
      if (source === null) {
        if (json) await writeLine(toJson({ i: index, status: 'invalid', error: message }));
        else process.stderr.write(`${message}\n`);
      } else if (json) await writeLine(toJson({ i: index, status: 'invalid', error: message, line }));
      else await writeLine(`${index}: invalid: ${message}${line > 0 ? ` (line ${line})` : ''}`);
      onProgress?.(++done);
    },
    async finish() {
      if (json || source === null || !summarize || counts.answered + counts.invalid === 0) return;
      const invalid = counts.invalid > 0 ? `; ${counts.invalid} invalid` : '';
      await writeLine(`${summarize(counts)}${invalid}`);
    },
  };
}

function readLines<T>({ source, single, read }: BatchOptions<T>): Iterable<InputLine<T>> | AsyncIterable<InputLine<T>> {
  if (source === null) return [{ index: 0, line: 0, value: single }];
  return read ? read(source) : (readJsonLines(source) as AsyncIterable<InputLine<T>>);
}

/** Runs `answer` on every line of the batch; a bad line is answered with status "invalid" and the run goes on. */
export async function runBatch<T = unknown>(
  options: BatchOptions<T>,
  answer: (value: T, index: number) => BatchAnswer | Promise<BatchAnswer>,
): Promise<ExitStatus> {
  const writer = createWriter(options);
  for await (const { index, line, value, error: fault } of readLines(options)) {
    let answered: BatchAnswer;
    try {
      if (fault !== undefined) throw new UsageError(fault);
      answered = await answer(value as T, index);
    } catch (error) {
      await writer.refuse(index, line, error);
      continue;
    }
    await writer.write(index, answered);
    if (answered.last) break;
  }
  await writer.finish();
  return writer.status;
}

export interface BlockSteps<T, S> {
  readonly size: number;
  /** Reads one line; throws when it is bad. */
  prepare(value: T): S;
  /** Answers for a block of good lines, in order. */
  answer(items: readonly S[]): Promise<BatchAnswer[]>;
}

/** The same with answers for whole blocks of lines, which are written when their block is done. */
export async function runBatchInBlocks<T, S>(options: BatchOptions<T>, steps: BlockSteps<T, S>): Promise<ExitStatus> {
  const writer = createWriter(options);
  let block: { index: number; line: number; item?: S; error?: unknown }[] = [];
  let isOver = false;
  const flush = async (): Promise<void> => {
    const good = block.filter((entry) => entry.error === undefined);
    const answers = good.length === 0 ? [] : await steps.answer(good.map((entry) => entry.item as S));
    let next = 0;
    for (const { index, line, error } of block) {
      if (isOver) break;
      if (error !== undefined) await writer.refuse(index, line, error);
      else {
        const answered = answers[next++];
        await writer.write(index, answered);
        isOver = Boolean(answered.last);
      }
    }
    block = [];
  };
  for await (const { index, line, value, error: fault } of readLines(options)) {
    try {
      if (fault !== undefined) throw new UsageError(fault);
      block.push({ index, line, item: steps.prepare(value as T) });
    } catch (error) {
      block.push({ index, line, error });
    }
    if (block.length >= steps.size) await flush();
    if (isOver) break;
  }
  await flush();
  await writer.finish();
  return writer.status;
}

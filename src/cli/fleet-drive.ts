/** The loop of a run of robots: steps, looks at a rate, checkpoints. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { orUsageError, UsageError } from './exit.js';
import { sealJson, UNSEALED, unsealJson } from './sealed-json.js';

export interface WorldArguments {
  readonly seed?: number;
  readonly timeout?: number;
  readonly iterations?: number;
  readonly rounds?: number;
  readonly out?: string;
  readonly for?: number;
  readonly step?: number;
  readonly rate?: number;
  readonly record?: string;
  readonly csv?: string;
  readonly checkpoint?: string;
  readonly resume?: boolean;
  readonly allowOutside?: boolean;
  readonly json?: boolean;
}

export interface DrivenRun {
  readonly time: number;
  readonly isDone: boolean;
  step(dt: number): void;
  save(): string;
  restore(text: string): void;
}

/** Seconds of the world between checkpoints, and of one that names no end and has none. */
const CHECKPOINT_SECONDS = 10;
export const ENDLESS_SECONDS = 60;
/** A world that could end is given up after so many seconds. */
export const LONGEST_SECONDS = 100_000;

/** Where `--resume` and a checkpoint are given, goes on from it. */
export function resumeRun(run: DrivenRun, { resume, checkpoint }: WorldArguments): void {
  if (!resume) return;
  if (checkpoint === undefined) throw new UsageError('--resume: from which --checkpoint');
  if (!existsSync(checkpoint)) return;
  const text = unsealJson(readFileSync(checkpoint, 'utf8'));
  if (text === null) throw new UsageError(`--resume ${checkpoint}: ${UNSEALED}`);
  orUsageError(checkpoint, () => run.restore(text));
}

/** Steps until `end` or the run's own; `look` at the beginning and at the rate. Returns the milliseconds that it took. */
export async function driveRun(
  run: DrivenRun,
  { step = 0.1, rate = 1, checkpoint }: WorldArguments,
  end: number,
  look: () => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<number> {
  const start = performance.now();
  let steps = Math.round(run.time / step);
  const lookSteps = Math.max(1, Math.round(1 / (rate * step)));
  const checkpointSteps = Math.max(1, Math.round(CHECKPOINT_SECONDS / step));
  await look();
  while (!run.isDone && (steps + 0.5) * step < end && !isOver()) {
    run.step(step);
    steps++;
    if (steps % lookSteps === 0) await look();
    if (checkpoint !== undefined && steps % checkpointSteps === 0) writeWhole(checkpoint, sealJson(run.save()));
  }
  const ms = performance.now() - start;
  if (checkpoint !== undefined) writeWhole(checkpoint, sealJson(run.save()));
  return ms;
}

/** All or nothing: a reader never finds half a checkpoint. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

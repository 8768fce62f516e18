/**
 * A `chain fold` run: Monte Carlo in slices, samples into files, checkpoints, and going on from one.
 *
 * Slices share the thread with signals and progress and change nothing: a conformation is its torsions and the generator's
 * state, so the run is the same wherever it is interrupted. At a step, the sample comes before the checkpoint, and the
 * checkpoint notes the length of every file.
 */
import { setImmediate } from 'node:timers/promises';
import { Observer } from '../molecule/monte-carlo/observables.js';
import { UsageError } from './exit.js';
import {
  type OutputSize,
  openTable,
  openTrajectory,
  readJson,
  type TrajectoryWriter,
  writeWhole,
} from './fold-files.js';
import type { FoldSettings, FoldSimulation, Sampler } from './fold-settings.js';
import { drawPanels } from './line-plot.js';

/** Outputs that grow, and when they do. */
export interface FoldOutputs {
  readonly steps: number;
  /** Steps between samples. */
  readonly every: number;
  readonly trajectories: readonly string[];
  readonly table: string | null;
  /** Selection that the deviation counts, as text and as atoms. */
  readonly deviationOf: string;
}

export interface FoldCheckpoint {
  readonly format: 'clearance-fold';
  readonly version: 1;
  readonly settings: FoldSettings;
  readonly outputs: FoldOutputs;
  readonly state: ReturnType<Sampler['save']>;
  readonly frames: number;
  readonly files: readonly OutputSize[];
  readonly curve: CurveState;
}

export function readCheckpoint(path: string): FoldCheckpoint {
  const value = readJson('--resume', path) as Partial<FoldCheckpoint> | null;
  if (value?.format !== 'clearance-fold' || value.version !== 1) {
    throw new UsageError(`--resume ${path}: no checkpoint of chain fold`);
  }
  return value as FoldCheckpoint;
}

export interface FoldRequest {
  readonly settings: FoldSettings;
  readonly outputs: FoldOutputs;
  readonly simulation: FoldSimulation;
  /** Atoms whose deviation is measured. */
  readonly deviationAtoms: Int32Array;
  readonly checkpoint: { readonly path: string; readonly every: number } | null;
  readonly from: FoldCheckpoint | null;
  /** Called after every slice; true stops the run. */
  readonly onSlice: (sampler: Sampler) => boolean;
}

export interface FoldResult {
  readonly isStopped: boolean;
  readonly frames: number;
  readonly observer: Observer;
  readonly curve: Curve;
}

/** Steps between looks at the clock and at signals: some tens of milliseconds. */
const SLICE = 500;

export async function runFold(request: FoldRequest): Promise<FoldResult> {
  const { settings, outputs, simulation, checkpoint, from } = request;
  const { sampler } = simulation;
  const observer = new Observer(sampler.current.conformation, request.deviationAtoms);
  const curve = new Curve(from?.curve);
  if (from) await sampler.restore(from.state);
  sampler.settle();
  let frames = from?.frames ?? 0;
  const lengthOf = (path: string): number | null => {
    const known = from?.files.find((file) => file.path === path);
    if (from && !known) throw new UsageError(`--resume: the checkpoint does not know ${path}`);
    return known?.size ?? null;
  };
  const atoms = simulation.protein.atoms.slice().sort();
  const { molecule } = simulation.protein;
  const content = { molecule, atoms, source: simulation.source, every: outputs.every };
  const writers = outputs.trajectories.map((path): TrajectoryWriter => openTrajectory(path, lengthOf(path), content));
  const terms = Object.keys(sampler.current.energy.listTerms());
  const names = ['step', 'temperature', 'energy', ...terms.filter((name) => name !== 'total'), ...WATCHED];
  const table = outputs.table === null ? null : openTable(outputs.table, lengthOf(outputs.table), names);
  const files = [...writers.map(({ file }) => file), ...(table ? [table] : [])];

  const sample = (): void => {
    sampler.settle();
    const { current, step } = sampler;
    const watching = observer.measure();
    for (const writer of writers) writer.add(frames, observer.positions);
    frames++;
    const parts = current.energy.listTerms();
    const row = [
      step,
      current.temperature,
      current.energy.total,
      ...terms.filter((name) => name !== 'total').map((name) => parts[name]),
      watching.radiusOfGyration,
      watching.deviation,
    ];
    table?.append(`${row.join(',')}\n`);
    curve.add([step, current.energy.total, watching.radiusOfGyration, watching.deviation]);
  };
  const save = (path: string): void => {
    for (const writer of writers) writer.settle(frames);
    for (const file of files) file.sync();
    const content: FoldCheckpoint = {
      format: 'clearance-fold',
      version: 1,
      settings,
      outputs,
      state: sampler.save(),
      frames,
      files: files.map(({ path: own, size }) => ({ path: own, size })),
      curve: curve.save(),
    };
    writeWhole(path, `${JSON.stringify(content)}\n`);
  };

  let isStopped = false;
  try {
    if (!from) sample();
    while (sampler.step < outputs.steps && !isStopped) {
      const { step } = sampler;
      const toSample = outputs.every - (step % outputs.every);
      const toCheckpoint = checkpoint ? checkpoint.every - (step % checkpoint.every) : Infinity;
      await sampler.run(Math.min(SLICE, toSample, toCheckpoint, outputs.steps - step));
      if (sampler.step % outputs.every === 0) sample();
      if (checkpoint && sampler.step % checkpoint.every === 0) save(checkpoint.path);
      await setImmediate();
      isStopped = request.onSlice(sampler);
    }
    if (checkpoint) save(checkpoint.path);
    for (const writer of writers) {
      writer.settle(frames);
      writer.end();
    }
  } finally {
    for (const file of files) file.close();
  }
  sampler.settle();
  return { isStopped: sampler.step < outputs.steps, frames, observer, curve };
}

const WATCHED = ['radiusOfGyration', 'rmsd'];

interface CurveState {
  readonly stride: number;
  readonly seen: number;
  readonly points: readonly (readonly number[])[];
}

/** Points kept for the plot: every one, then every second, fourth ..., so that they stay fewer than this. */
const MOST_POINTS = 2000;

/** The samples over a run, thinned as they come. */
export class Curve {
  points: (readonly number[])[];
  private stride: number;
  private seen: number;

  constructor(state: CurveState = { stride: 1, seen: 0, points: [] }) {
    this.points = [...state.points];
    this.stride = state.stride;
    this.seen = state.seen;
  }

  /** Step, energy, radius of gyration, deviation. */
  add(point: readonly number[]): void {
    if (this.seen++ % this.stride !== 0) return;
    this.points.push(point);
    if (this.points.length < MOST_POINTS) return;
    this.points = this.points.filter((_, i) => i % 2 === 0);
    this.stride *= 2;
  }

  save(): CurveState {
    return { stride: this.stride, seen: this.seen, points: this.points };
  }

  /** Energy, extent and deviation over the steps. */
  plot(): string {
    const panel = (title: string, column: number) => ({
      title,
      names: [title.split(',')[0]],
      rows: this.points.map((point) => [point[column]]),
    });
    const panels = [
      panel('energy, kcal/mol', 1),
      panel('radius of gyration, angstrom', 2),
      panel('RMSD from the start, angstrom', 3),
    ];
    return drawPanels(
      panels,
      this.points.map(([step]) => step),
      'steps',
    );
  }
}

/**
 * A `chain fold` run: Monte Carlo in slices, samples into files, checkpoints, and going on from one.
 *
 * Slices share the thread with signals and progress and change nothing: a conformation is its torsions and the generator's
 * state, so the run is the same wherever it is interrupted. At a step, the sample comes before the checkpoint, and the
 * checkpoint notes the length of every file.
 */
import { setImmediate } from 'node:timers/promises';
import { Observer } from '../../molecule/monte-carlo/observables.js';
import { ParallelError } from '../../parallel/parallel-error.js';
import { UsageError } from '../exit.js';
import { drawPanels } from '../plots/line-plot.js';
import {
  CHECKPOINT_VERSION,
  type CurveState,
  type FoldCheckpoint,
  type FoldOutputs,
  formatCheckpoint,
} from './fold-checkpoint.js';
import { openTable, openTrajectory, type TrajectoryWriter, writeWhole } from './fold-files.js';
import type { FoldSettings, FoldSimulation, Sampler } from './fold-settings.js';

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
  if (from) await restore(sampler, from);
  sampler.settle();
  let frames = from?.frames ?? 0;
  let tally = from?.tally ?? { proposed: 0, accepted: 0 };
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
    const { proposed, accepted } = sumMoves(sampler);
    // Of the steps since the last sample, over all replicas; none have been tried at the start.
    const acceptance = proposed > tally.proposed ? (accepted - tally.accepted) / (proposed - tally.proposed) : null;
    tally = { proposed, accepted };
    const parts = current.energy.listTerms();
    const row = [
      step,
      current.temperature,
      current.energy.total,
      ...terms.filter((name) => name !== 'total').map((name) => parts[name]),
      watching.radiusOfGyration,
      watching.deviation,
      acceptance ?? '',
    ];
    table?.append(`${row.join(',')}\n`);
    curve.add([step, current.energy.total, watching.radiusOfGyration, watching.deviation, acceptance]);
  };
  const save = (path: string): void => {
    for (const writer of writers) writer.settle(frames);
    for (const file of files) file.sync();
    const content: FoldCheckpoint = {
      format: 'clearance-fold',
      version: CHECKPOINT_VERSION,
      settings,
      outputs,
      state: sampler.save(),
      frames,
      tally,
      files: files.map(({ path: own, size }) => ({ path: own, size })),
      curve: curve.save(),
    };
    writeWhole(path, formatCheckpoint(content));
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

async function restore(sampler: Sampler, { state }: FoldCheckpoint): Promise<void> {
  try {
    await sampler.restore(state);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof ParallelError)) throw error;
    throw new UsageError(`--resume: the checkpoint's state does not fit its structure and settings: ${error.message}`);
  }
}

const WATCHED = ['radiusOfGyration', 'rmsd', 'acceptance'];

function sumMoves(sampler: Sampler): { proposed: number; accepted: number } {
  const sum = { proposed: 0, accepted: 0 };
  for (const { proposed, accepted } of sampler.countMoves()) {
    sum.proposed += proposed;
    sum.accepted += accepted;
  }
  return sum;
}

/** Points kept for the plot: every one, then every second, fourth ..., so that they stay fewer than this. */
const MOST_POINTS = 2000;

/** The samples over a run, thinned as they come. */
export class Curve {
  points: (readonly (number | null)[])[];
  private stride: number;
  private seen: number;

  constructor(state: CurveState = { stride: 1, seen: 0, points: [] }) {
    this.points = [...state.points];
    this.stride = state.stride;
    this.seen = state.seen;
  }

  /** Step, energy, radius of gyration, deviation, share of steps accepted (null at the start). */
  add(point: readonly (number | null)[]): void {
    if (this.seen++ % this.stride !== 0) return;
    this.points.push(point);
    if (this.points.length < MOST_POINTS) return;
    this.points = this.points.filter((_, i) => i % 2 === 0);
    this.stride *= 2;
  }

  save(): CurveState {
    return { stride: this.stride, seen: this.seen, points: this.points };
  }

  /** Energy, extent, deviation and acceptance over the steps. */
  plot(): string {
    // The start has no acceptance: it is drawn with that of the first sample.
    const at = (i: number, column: number) => this.points[i][column] ?? this.points[i + 1]?.[column] ?? 0;
    const panel = (title: string, column: number) => ({
      title,
      names: [title.split(',')[0]],
      rows: this.points.map((_, i) => [at(i, column)]),
    });
    const panels = [
      panel('energy, kcal/mol', 1),
      panel('radius of gyration, angstrom', 2),
      panel('RMSD from the start, angstrom', 3),
      panel('accepted, share of steps', 4),
    ];
    return drawPanels(
      panels,
      this.points.map((_, i) => at(i, 0)),
      'steps',
    );
  }
}

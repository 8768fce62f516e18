/**
 * A Monte Carlo run in the page's worker. It runs in slices of some milliseconds, between which it hears the page; slices change
 * nothing about the run. Samples are sent as they come, where the run stands only when the page asks: it draws as often as
 * it can and no oftener.
 */
import type { Molecule } from 'clearance/molecule';
import { type RunChoices, SimulationRun, type Standing } from './simulation-run.js';

export type ToSimulation =
  | { readonly type: 'start'; readonly molecule: Molecule; readonly choices: RunChoices }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'look' };

export type FromSimulation =
  | { readonly type: 'started'; readonly remarks: readonly string[] }
  | { readonly type: 'sample'; readonly standing: Standing }
  | { readonly type: 'standing'; readonly standing: Standing; readonly isDone: boolean }
  | { readonly type: 'failed'; readonly message: string };

const SLICE_MILLISECONDS = 8;

const post = (message: FromSimulation): void => self.postMessage(message);
/** A turn of the event loop; timers would wait some milliseconds each. */
const { port1, port2 } = new MessageChannel();
let run: SimulationRun | null = null;
let isPaused = false;
/** Steps of a slice, by what the last one took. */
let steps = 8;

port1.onmessage = () => {
  if (!run || isPaused || run.isDone) return;
  try {
    const begin = performance.now();
    const isSample = run.advance(steps);
    const taken = performance.now() - begin;
    steps = Math.max(1, Math.min(100_000, Math.round(steps * Math.min(2, SLICE_MILLISECONDS / Math.max(taken, 0.1)))));
    if (isSample) post({ type: 'sample', standing: run.look() });
    port2.postMessage(null);
  } catch (error) {
    fail(error);
  }
};

export function hearSimulation(data: ToSimulation): void {
  try {
    if (data.type === 'start') {
      run = new SimulationRun(data.molecule, data.choices);
      post({ type: 'started', remarks: run.remarks });
      post({ type: 'sample', standing: run.look() });
      port2.postMessage(null);
    } else if (data.type === 'look') {
      if (run) post({ type: 'standing', standing: run.look(), isDone: run.isDone });
    } else if (data.type === 'pause') {
      isPaused = true;
    } else if (isPaused) {
      isPaused = false;
      port2.postMessage(null);
    }
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  run = null;
  post({ type: 'failed', message: (error as Error).message });
}

/** A Monte Carlo run in a worker, watched live: the page asks where it stands once for every frame that it draws. */
import type { Molecule } from 'clearance/molecule';
import { startComputing } from '../computing.js';
import { downloadText } from '../download.js';
import type { LoadedProtein } from './load-protein.js';
import { createMonteCarloPanel, type RunPhase } from './monte-carlo-panel.js';
import { toStructureFile } from './simulation-files.js';
import type { RunChoices, Standing } from './simulation-run.js';
import type { FromSimulation, ToSimulation } from './simulation-slices.js';

export interface MonteCarloHandlers {
  /** Before the first step. */
  onStart(): void;
  /** After the conformation took over where the run stands. */
  onMove(): void;
  onEnd(): void;
}

export interface MonteCarloDisplay {
  readonly root: HTMLElement;
  /** Ends what runs; null, or a protein that has nothing to turn, hides the section. */
  setProtein(protein: LoadedProtein | null): void;
}

/** Milliseconds between drawings of the curves. */
const PLOT_INTERVAL = 120;

export function createMonteCarlo(handlers: MonteCarloHandlers): MonteCarloDisplay {
  let protein: LoadedProtein | null = null;
  let worker: Worker | null = null;
  let phase: RunPhase = 'idle';
  let choices: RunChoices | null = null;
  let samples: Standing[] = [];
  let last: Standing | null = null;
  /** Whether the worker owes an answer about where it stands, and whether the next one is to be the last. */
  let isAsked = false;
  let isStopping = false;
  let plotted = 0;
  /** When the page has had as long for others as it last took to follow the run: a large protein takes long. */
  let rested = 0;
  /** Steps and time since the run began or went on, for its speed. */
  let from = { step: 0, time: 0 };

  const panel = createMonteCarloPanel({
    onStart: start,
    onPause() {
      send({ type: 'pause' });
      setPhase('paused');
      ask();
    },
    onResume() {
      send({ type: 'resume' });
      from = { step: last?.step ?? 0, time: performance.now() };
      setPhase('running');
    },
    onStop() {
      send({ type: 'pause' });
      isStopping = true;
      ask();
    },
    onSaveTrajectory() {
      save(
        samples.map(({ torsions }) => torsions),
        'trajectory',
      );
    },
    onSaveLast() {
      if (last) save([last.torsions], 'last');
    },
  });

  function start(given: RunChoices): void {
    if (!protein?.conformation) return;
    end('idle');
    handlers.onStart();
    choices = given;
    samples = [];
    last = null;
    isStopping = isAsked = false;
    plotted = 0;
    from = { step: 0, time: performance.now() };
    panel.showRemarks([]);
    panel.showMessage('Preparing');
    const started = startComputing();
    worker = started;
    started.onmessage = ({ data }: MessageEvent<FromSimulation>) => {
      if (worker === started) hear(data);
    };
    started.onerror = (event) => {
      event.preventDefault();
      if (worker === started) fail(event.message || 'the worker could not be started');
    };
    send({ type: 'start', molecule: moveTo(protein), choices });
    setPhase('running');
  }

  function send(message: ToSimulation): void {
    worker?.postMessage(message);
  }

  function ask(): void {
    if (isAsked || !worker) return;
    isAsked = true;
    send({ type: 'look' });
  }

  function frame(time: number): void {
    if (phase !== 'running') return;
    if (time >= rested) ask();
    requestAnimationFrame(frame);
  }

  function setPhase(next: RunPhase): void {
    phase = next;
    panel.setPhase(next);
    if (next === 'running') requestAnimationFrame(frame);
  }

  function hear(message: FromSimulation): void {
    if (message.type === 'failed') fail(message.message);
    else if (message.type === 'started') panel.showRemarks(message.remarks);
    else if (message.type === 'sample') samples.push(message.standing);
    else {
      isAsked = false;
      take(message.standing);
      if (message.isDone || isStopping) finish();
    }
  }

  function take(standing: Standing): void {
    const begin = performance.now();
    const moved = last?.step !== standing.step;
    last = standing;
    const seconds = (begin - from.time) / 1000;
    const rate = seconds > 0.25 && standing.step > from.step ? (standing.step - from.step) / seconds : null;
    if (moved) {
      protein!.conformation!.turnAll(standing.torsions);
      handlers.onMove();
    }
    showProgress(rate);
    if (begin - plotted > PLOT_INTERVAL) plot();
    const end = performance.now();
    rested = end + (end - begin);
  }

  function showProgress(stepsPerSecond: number | null): void {
    const clashes = protein!.conformation!.clashCount;
    panel.show(last, { steps: choices!.steps, stepsPerSecond, clashes });
  }

  function plot(): void {
    plotted = performance.now();
    const isNew = last && last.step > (samples[samples.length - 1]?.step ?? -1);
    panel.plot.show(isNew ? [...samples, last!] : samples);
  }

  function finish(): void {
    plot();
    end('ended');
    showProgress(null);
  }

  function fail(text: string): void {
    end(last ? 'ended' : 'idle');
    panel.showMessage(`The run failed: ${text}`, true);
  }

  function end(next: RunPhase): void {
    const wasOn = worker !== null;
    worker?.terminate();
    worker = null;
    setPhase(next);
    if (wasOn) handlers.onEnd();
  }

  function save(torsions: readonly Float64Array[], what: string): void {
    if (!protein || torsions.length === 0) return;
    try {
      const stem = `${protein.name.replace(/\.(?:pdb|ent|cif|mmcif|pdbx|bcif)(?:\.gz)?$/i, '')}-${what}`;
      const { name, text } = toStructureFile(protein, torsions, stem);
      downloadText(name, text, 'chemical/x-pdb');
    } catch (error) {
      panel.showMessage((error as Error).message, true);
    }
  }

  return {
    root: panel.root,
    setProtein(next) {
      end('idle');
      protein = next;
      samples = [];
      last = null;
      panel.root.hidden = !next?.conformation || next.conformation.protein.torsions.length === 0;
      panel.show(null);
      panel.showMessage('');
      panel.showRemarks([]);
      panel.plot.show([]);
    },
  };
}

/** What a run moves, as it stands now. */
function moveTo({ molecule, polymer, conformation }: LoadedProtein): Molecule {
  if (!conformation || conformation.isAsRead) return polymer;
  const atomOf = new Map(Array.from(molecule.sourceRows, (row, atom) => [row, atom] as const));
  const positions = polymer.positions.slice();
  polymer.sourceRows.forEach((row, i) => {
    const atom = atomOf.get(row)!;
    positions.set(conformation.positions.subarray(3 * atom, 3 * atom + 3), 3 * i);
  });
  return { ...polymer, positions };
}

/** What a Monte Carlo run is asked for, and how it goes. */
import { MOVE_NAMES } from 'clearance/molecule';
import { element, section } from '../dom.js';
import { createRunPlot, type RunPlot } from './run-plot.js';
import type { RunChoices, Standing } from './simulation-run.js';

export type RunPhase = 'idle' | 'running' | 'paused' | 'ended';

export interface MonteCarloPanelHandlers {
  onStart(choices: RunChoices): void;
  onPause(): void;
  onResume(): void;
  onStop(): void;
  onSaveTrajectory(): void;
  onSaveLast(): void;
}

export interface RunProgress {
  /** In all. */
  readonly steps: number;
  /** Null while none were timed. */
  readonly stepsPerSecond: number | null;
  readonly clashes: number;
}

export interface MonteCarloPanel {
  readonly root: HTMLDetailsElement;
  readonly plot: RunPlot;
  setPhase(phase: RunPhase): void;
  /** Null empties the fields. */
  show(standing: Standing | null, progress?: RunProgress): void;
  showMessage(text: string, failed?: boolean): void;
  showRemarks(remarks: readonly string[]): void;
}

/** As the command line has them, but for fewer steps. */
const USUAL = { temperature: 300, seed: 1, steps: 100_000, every: 1000 } as const;
const MOVE_TITLES: Readonly<Record<string, string>> = {
  torsion: 'One backbone torsion by a few degrees',
  torsions: 'Several backbone torsions at once',
  pivot: 'One backbone torsion to any angle',
  crankshaft: 'Two torsions against each other: a stretch between them turns',
  local: 'Seven torsions so that the chain beyond stays in place',
  chi: 'One side-chain torsion by some degrees',
  rotamer: 'A side chain to another of its usual positions',
};

export function createMonteCarloPanel(handlers: MonteCarloPanelHandlers): MonteCarloPanel {
  const number = (id: string, value: number, min: number, max: number, step: string): HTMLInputElement =>
    element('input', {
      type: 'number',
      id: `run-${id}`,
      min: String(min),
      max: String(max),
      step,
      value: String(value),
    });
  const temperature = number('temperature', USUAL.temperature, 1, 10_000, 'any');
  const seed = number('seed', USUAL.seed, 0, 2 ** 32 - 1, '1');
  const steps = number('steps', USUAL.steps, 1, 10_000_000, '1');
  const every = number('every', USUAL.every, 1, 1_000_000, '1');
  const moves = MOVE_NAMES.map((name) => element('input', { type: 'checkbox', id: `move-${name}`, checked: true }));
  const fields = element(
    'fieldset',
    { className: 'plain run-fields' },
    element('legend', { className: 'visually-hidden' }, 'Settings of the run'),
    unitField('Temperature', temperature, 'K'),
    unitField('Seed', seed, ''),
    unitField('Steps', steps, ''),
    unitField('Sample every', every, 'steps'),
  );
  const kinds = element(
    'fieldset',
    { className: 'plain' },
    element('legend', {}, 'Moves'),
    element(
      'div',
      { className: 'checks' },
      ...moves.map((input, i) =>
        element(
          'label',
          { className: 'check', htmlFor: input.id, title: MOVE_TITLES[MOVE_NAMES[i]] },
          input,
          MOVE_NAMES[i],
        ),
      ),
    ),
  );
  const button = (id: string, text: string, onclick: () => void, className = ''): HTMLButtonElement =>
    element('button', { type: 'button', id: `run-${id}`, className, onclick }, text);
  const start = button('start', 'Start', begin, 'primary');
  const pause = button('pause', 'Pause', () => (phase === 'paused' ? handlers.onResume() : handlers.onPause()));
  const stop = button('stop', 'Stop', () => handlers.onStop());
  const message = element('p', { className: 'message steady', id: 'run-message', role: 'status' });
  const facts = [
    ['energy', 'Energy', 'kcal/mol'],
    ['acceptance', 'Accepted', '%'],
    ['extent', 'Radius of gyration', 'Å'],
    ['deviation', 'RMSD from the start', 'Å'],
    ['clashes', 'Clashes', ''],
  ].map(([id, name, unit]) => ({ name, unit, value: element('span', { id: `run-${id}` }) }));
  const list = element(
    'dl',
    { className: 'facts run-facts' },
    ...facts.flatMap(({ name, unit, value }) => [
      element('dt', {}, name),
      element('dd', { className: 'number' }, value, element('span', { className: 'unit' }, unit)),
    ]),
  );
  const plot = createRunPlot();
  const saveTrajectory = button('save-trajectory', 'Save trajectory', () => handlers.onSaveTrajectory());
  const saveLast = button('save-last', 'Save structure', () => handlers.onSaveLast());
  const remarks = element('ul', { className: 'message', id: 'run-remarks' });
  const notes = element('details', { hidden: true }, element('summary', {}, 'Notes on the run'), remarks);
  const root = section(
    'Monte Carlo',
    true,
    fields,
    kinds,
    element('div', { className: 'toolbar' }, start, pause, stop),
    message,
    list,
    plot.root,
    element('div', { className: 'toolbar' }, saveTrajectory, saveLast),
    notes,
  );
  let phase: RunPhase = 'idle';

  function begin(): void {
    const invalid = [temperature, seed, steps, every].find((input) => !input.checkValidity());
    if (invalid) {
      invalid.reportValidity();
      return;
    }
    const chosen = MOVE_NAMES.filter((_, i) => moves[i].checked);
    if (chosen.length === 0) {
      panel.showMessage('Choose at least one kind of move', true);
      return;
    }
    handlers.onStart({
      temperature: temperature.valueAsNumber,
      seed: seed.valueAsNumber,
      steps: steps.valueAsNumber,
      every: every.valueAsNumber,
      moves: chosen.length === MOVE_NAMES.length ? null : chosen,
    });
  }

  const panel: MonteCarloPanel = {
    root,
    plot,
    setPhase(next) {
      phase = next;
      const isOn = phase === 'running' || phase === 'paused';
      fields.disabled = kinds.disabled = start.disabled = isOn;
      pause.disabled = stop.disabled = !isOn;
      pause.textContent = phase === 'paused' ? 'Resume' : 'Pause';
      saveTrajectory.disabled = saveLast.disabled = phase === 'idle';
    },
    show(standing, { steps: total, stepsPerSecond, clashes } = { steps: 0, stepsPerSecond: null, clashes: 0 }) {
      const values = standing
        ? [
            standing.energy.toFixed(2),
            standing.proposed > 0 ? ((100 * standing.accepted) / standing.proposed).toFixed(1) : '–',
            standing.radiusOfGyration.toFixed(2),
            standing.deviation.toFixed(2),
            String(clashes),
          ]
        : facts.map(() => '–');
      for (const [i, { value }] of facts.entries()) value.textContent = values[i];
      if (!standing) return;
      const rate = stepsPerSecond === null ? '' : `, ${Math.round(stepsPerSecond).toLocaleString('en')}/s`;
      const steps = `Step ${standing.step.toLocaleString('en')} of ${total.toLocaleString('en')}`;
      // One line, whatever the numbers.
      panel.showMessage(`${steps}${phase === 'paused' ? ', paused' : rate}`);
    },
    showMessage(text, failed = false) {
      message.textContent = text;
      message.classList.toggle('failed', failed);
    },
    showRemarks(texts) {
      notes.hidden = texts.length === 0;
      remarks.replaceChildren(...texts.map((text) => element('li', {}, text)));
    },
  };
  panel.setPhase('idle');
  panel.show(null);
  return panel;
}

function unitField(name: string, input: HTMLInputElement, unit: string): HTMLDivElement {
  return element(
    'div',
    { className: 'run-field' },
    element('label', { htmlFor: input.id }, name),
    input,
    element('span', { className: 'unit' }, unit),
  );
}

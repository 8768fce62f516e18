/** From where to where, what became of it, what is proven, and where it is tightest. */
import { element, field, fillSelect, section } from '../dom.js';
import { formatLength } from '../format.js';
import type { TightPlace } from '../planning/clearance-profile.js';
import type { PathFormat } from '../planning/save-path.js';
import type { GizmoMode } from '../stage/gizmo.js';

export interface PlanPanelHandlers {
  /** Handles at the goal, or none. */
  onDragGoal(mode: GizmoMode | null): void;
  /** Indices of stored configurations; -1: where the robot stands, and where the goal was dragged. */
  onPlan(start: number, goal: number): void;
  onCancel(): void;
  onSeek(position: number): void;
  /** Shows or hides what the path sweeps. */
  onSweep(isShown: boolean): void;
}

export interface PlanPanel {
  readonly root: HTMLElement;
  /** Of the search. */
  readonly seed: number;
  readonly format: PathFormat;
  readonly isSwept: boolean;
  setStored(names: readonly string[], start: number, goal: number): void;
  /** The goal was dragged, the start is where the robot stands. */
  chooseDragged(): void;
  setDragging(mode: GizmoMode | null): void;
  setPlanning(planning: boolean): void;
  showMessage(text: string, failed?: boolean): void;
  /** What is proven of the path; empty: nothing yet. */
  showProof(text: string, kind: 'certified' | 'open' | ''): void;
  showPlaces(places: readonly TightPlace[]): void;
}

const FORMATS: readonly PathFormat[] = ['json', 'csv', 'mcap'];
const MODES: readonly (readonly [GizmoMode, string])[] = [
  ['translate', 'Drag goal'],
  ['rotate', 'Turn goal'],
];

export function createPlanPanel(handlers: PlanPanelHandlers): PlanPanel {
  let mode: GizmoMode | null = null;
  const start = element('select', { id: 'plan-start' });
  const goal = element('select', { id: 'plan-goal' });
  const plan = element('button', { type: 'button', id: 'plan', className: 'primary' }, 'Plan');
  const cancel = element('button', { type: 'button', hidden: true, onclick: () => handlers.onCancel() }, 'Cancel');
  const message = element('p', { className: 'message steady', role: 'status', id: 'plan-message' });
  const proof = element('p', { className: 'proof', id: 'plan-proof' });
  const places = element('ol', { className: 'places', 'aria-label': 'Where the path is tightest' });
  const heading = element('h3', { hidden: true }, 'Tightest places');
  const seed = element('input', {
    type: 'number',
    id: 'plan-seed',
    className: 'number',
    min: '1',
    step: '1',
    value: '1',
  });
  const format = element('select', { id: 'path-format' });
  fillSelect(format, ['JSON', 'CSV, timed', 'MCAP, timed'], 0);
  const sweep = element('input', { type: 'checkbox', id: 'path-swept' });
  sweep.addEventListener('change', () => handlers.onSweep(sweep.checked));
  const buttons = MODES.map(([kind, name]) => {
    const button = element('button', { type: 'button', id: `goal-${kind}`, 'aria-pressed': 'false' }, name);
    button.addEventListener('click', () => handlers.onDragGoal(mode === kind ? null : kind));
    return button;
  });
  plan.addEventListener('click', () => handlers.onPlan(start.selectedIndex - 1, goal.selectedIndex - 1));
  const root = section(
    'Path',
    true,
    element('div', { className: 'toolbar' }, ...buttons),
    field('Start', start),
    field('Goal', goal),
    field('Seed', seed),
    element('div', { className: 'toolbar' }, plan, cancel),
    message,
    proof,
    heading,
    places,
    element('label', { className: 'check', htmlFor: sweep.id }, sweep, 'Show what it sweeps'),
    field('Save as', format),
  );
  return {
    root,
    get seed() {
      const value = seed.valueAsNumber;
      return Number.isInteger(value) && value > 0 ? value : 1;
    },
    get format() {
      return FORMATS[format.selectedIndex];
    },
    get isSwept() {
      return sweep.checked;
    },
    setStored(names, startAt, goalAt) {
      fillSelect(start, ['Where it stands', ...names], startAt + 1);
      fillSelect(goal, ['Dragged', ...names], goalAt + 1);
    },
    chooseDragged() {
      start.selectedIndex = goal.selectedIndex = 0;
    },
    setDragging(next) {
      mode = next;
      for (const [i, button] of buttons.entries()) button.setAttribute('aria-pressed', String(MODES[i][0] === mode));
    },
    setPlanning(planning) {
      cancel.hidden = !planning;
    },
    showMessage(text, failed = false) {
      if (message.textContent !== text) message.textContent = text;
      message.classList.toggle('failed', failed);
    },
    showProof(text, kind) {
      if (proof.textContent !== text) proof.textContent = text;
      proof.dataset.kind = kind;
    },
    showPlaces(list) {
      heading.hidden = list.length === 0;
      places.replaceChildren(
        ...list.map(({ position, distance, a, b }) => {
          const go = element(
            'button',
            { type: 'button', className: 'place' },
            element('span', { className: 'pair-name' }, `${a} – ${b}`),
            element('span', { className: 'number' }, formatLength(distance)),
          );
          go.addEventListener('click', () => handlers.onSeek(position));
          return element('li', {}, go);
        }),
      );
    },
  };
}

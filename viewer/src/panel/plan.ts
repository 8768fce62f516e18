/** From where to where, what became of it, what is proven, and where it is tightest. */
import { element, field, fillSelect, section } from '../dom.js';
import { formatLength } from '../format.js';
import type { TightPlace } from '../planning/clearance-profile.js';
import type { PlanSettings } from '../planning/plan-answer.js';
import type { PathFormat } from '../planning/save-path.js';
import type { GizmoMode } from '../stage/gizmo.js';
import { createPlanWishes } from './plan-wishes.js';

/** `set`: to where the robot stands; `up`: one place earlier. */
export type WaypointAct = 'go' | 'set' | 'up' | 'delete';

export interface PlanPanelHandlers {
  /** Handles at the goal, or none. */
  onDragGoal(mode: GizmoMode | null): void;
  /** Indices of stored configurations; -1: where the robot stands, and where the goal was dragged. */
  onPlan(start: number, goal: number): void;
  /** Every robot of the scene to its stored place that is called like the goal. */
  onPlanTogether(goal: number): void;
  /** Where the robot stands becomes the last place to go through. */
  onAddWaypoint(): void;
  onWaypoint(index: number, act: WaypointAct): void;
  onCancel(): void;
  onSeek(position: number): void;
  /** Shows or hides what the path sweeps. */
  onSweep(isShown: boolean): void;
  /** What it sweeps as a file. */
  onSaveSwept(): void;
}

export interface PlanPanel {
  readonly root: HTMLElement;
  readonly settings: Omit<PlanSettings, 'tool'>;
  readonly format: PathFormat;
  readonly isSwept: boolean;
  setStored(names: readonly string[], start: number, goal: number): void;
  /** The goal was dragged, the start is where the robot stands. */
  chooseDragged(): void;
  setDragging(mode: GizmoMode | null): void;
  /** Places to go through between start and goal. */
  showWaypoints(count: number): void;
  setPlanners(planners: readonly { readonly name: string; readonly about: string }[]): void;
  setRobots(count: number): void;
  setPlanning(planning: boolean): void;
  showMessage(text: string, failed?: boolean): void;
  /** What is proven of the path; empty: nothing yet. */
  showProof(text: string, kind: 'certified' | 'open' | 'touching' | ''): void;
  showPlaces(places: readonly TightPlace[]): void;
  /** Why there is no path. */
  showReasons(reasons: readonly string[]): void;
}

const FORMATS: readonly PathFormat[] = ['json', 'csv', 'mcap'];
const MODES: readonly (readonly [GizmoMode, string])[] = [
  ['translate', 'Drag goal'],
  ['rotate', 'Turn goal'],
];

const ACTS: readonly (readonly [WaypointAct, string])[] = [
  ['go', 'Go'],
  ['set', 'Set here'],
  ['up', 'Up'],
  ['delete', 'Delete'],
];

export function createPlanPanel(handlers: PlanPanelHandlers): PlanPanel {
  let mode: GizmoMode | null = null;
  const start = element('select', { id: 'plan-start' });
  const goal = element('select', { id: 'plan-goal' });
  const plan = element('button', { type: 'button', id: 'plan', className: 'primary' }, 'Plan');
  const together = element('button', { type: 'button', id: 'plan-together', hidden: true }, 'All robots together');
  together.title = 'Each from where it stands to its stored place that is called like the goal';
  together.addEventListener('click', () => handlers.onPlanTogether(goal.selectedIndex - 1));
  const cancel = element('button', { type: 'button', hidden: true, onclick: () => handlers.onCancel() }, 'Cancel');
  const message = element('p', { className: 'message steady', role: 'status', id: 'plan-message' });
  const proof = element('p', { className: 'proof', id: 'plan-proof' });
  const places = element('ol', { className: 'places', 'aria-label': 'Where the path is tightest' });
  const heading = element('h3', { hidden: true }, 'Tightest places');
  const number = (id: string, value: number): HTMLInputElement =>
    element('input', { type: 'number', id, className: 'number', min: '1', step: '1', value: String(value) });
  const seed = number('plan-seed', 1);
  const iterations = number('plan-iterations', 50_000);
  const seconds = number('plan-seconds', 60);
  const planner = element('select', { id: 'plan-planner' });
  fillSelect(planner, ['auto'], 0);
  const waypoints = element('ol', { className: 'waypoints', id: 'waypoints', 'aria-label': 'Waypoints' });
  const add = element('button', { type: 'button', id: 'add-waypoint' }, 'Add waypoint');
  add.title = 'Where the robot stands; the path goes through it';
  add.addEventListener('click', () => handlers.onAddWaypoint());
  const format = element('select', { id: 'path-format' });
  fillSelect(format, ['JSON', 'CSV, timed', 'MCAP, timed'], 0);
  const wishes = createPlanWishes();
  const saveSwept = element(
    'button',
    { type: 'button', id: 'save-swept', onclick: () => handlers.onSaveSwept() },
    'Swept as STL',
  );
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
    waypoints,
    field('Planner', planner),
    ...wishes.rows.slice(0, -1),
    element(
      'details',
      { className: 'limits' },
      element('summary', {}, 'Seed and limits'),
      field('Seed', seed),
      field('Iterations', iterations),
      field('Seconds', seconds),
    ),
    element('div', { className: 'toolbar' }, plan, together, add, cancel),
    message,
    ...wishes.rows.slice(-1),
    proof,
    heading,
    places,
    element('label', { className: 'check', htmlFor: sweep.id }, sweep, 'Show what it sweeps'),
    element('div', { className: 'toolbar' }, saveSwept),
    field('Save as', format),
  );
  return {
    root,
    get settings() {
      return {
        planner: planner.selectedOptions[0]?.textContent ?? 'auto',
        seed: readCount(seed, 1),
        iterations: readCount(iterations, 50_000),
        seconds: readCount(seconds, 60),
        ...wishes.settings,
      };
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
    showWaypoints(count) {
      waypoints.hidden = count === 0;
      waypoints.replaceChildren(
        ...Array.from({ length: count }, (_, i) => {
          const buttons = ACTS.map(([act, word]) =>
            element('button', {
              type: 'button',
              // One line holds them all.
              textContent: word.replace(' here', ''),
              disabled: act === 'up' && i === 0,
              'aria-label': `${word}: waypoint ${i + 1}`,
              onclick: () => handlers.onWaypoint(i, act),
            }),
          );
          return element('li', {}, element('span', {}, `Waypoint ${i + 1}`), ...buttons);
        }),
      );
    },
    setPlanners(list) {
      const chosen = planner.selectedOptions[0]?.textContent;
      planner.replaceChildren(
        element('option', {}, 'auto'),
        ...list.map(({ name, about }) => element('option', { title: about }, name)),
      );
      planner.selectedIndex = Math.max(0, list.findIndex(({ name }) => name === chosen) + 1);
    },
    setRobots(count) {
      together.hidden = count < 2;
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
    showReasons: (list) => wishes.showReasons(list),
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

function readCount(input: HTMLInputElement, otherwise: number): number {
  const value = input.valueAsNumber;
  return Number.isInteger(value) && value > 0 ? value : otherwise;
}

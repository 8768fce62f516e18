/** Stored configurations, planning between two of them, and the player of the path. */
import { element, field, fillSelect, section } from '../dom.js';

export interface MotionPanelHandlers {
  onGo(index: number): void;
  onStore(): void;
  onPlan(start: number, goal: number): void;
  onCancel(): void;
  onPlay(): void;
  /** Position along the path, 0 to 1. */
  onSeek(position: number): void;
  onSpeed(factor: number): void;
  onSave(): void;
}

export interface MotionPanel {
  readonly root: HTMLDetailsElement;
  setStored(names: readonly string[], start: number, goal: number): void;
  setPlanning(planning: boolean): void;
  showMessage(text: string, failed?: boolean): void;
  setPath(summary: string | null): void;
  showPosition(position: number, playing: boolean): void;
}

const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

export function createMotionPanel(handlers: MotionPanelHandlers): MotionPanel {
  const stored = element('select', { id: 'stored' });
  const start = element('select', { id: 'plan-start' });
  const goal = element('select', { id: 'plan-goal' });
  const plan = element('button', { type: 'button', id: 'plan', className: 'primary' }, 'Plan');
  const cancel = element('button', { type: 'button', hidden: true, onclick: () => handlers.onCancel() }, 'Cancel');
  const message = element('p', { className: 'message', role: 'status', id: 'plan-message' });
  const play = element('button', { type: 'button', id: 'play', onclick: () => handlers.onPlay() }, 'Play');
  const position = element('input', {
    type: 'range',
    id: 'path-position',
    min: '0',
    max: '1',
    step: '0.001',
    value: '0',
    'aria-label': 'Position along the path',
  });
  const speed = element('select', { id: 'speed' });
  fillSelect(
    speed,
    SPEEDS.map((factor) => `${factor}×`),
    SPEEDS.indexOf(1),
  );
  const summary = element('p', { className: 'message', id: 'path-summary' });
  const player = element(
    'div',
    { className: 'player', hidden: true },
    element('div', { className: 'player-row' }, play, position),
    element(
      'div',
      { className: 'toolbar' },
      field('Speed', speed, 'field-inline'),
      element('button', { type: 'button', onclick: () => handlers.onSave() }, 'Save path'),
    ),
    summary,
  );
  plan.addEventListener('click', () => handlers.onPlan(start.selectedIndex, goal.selectedIndex));
  position.addEventListener('input', () => handlers.onSeek(Number(position.value)));
  speed.addEventListener('change', () => handlers.onSpeed(SPEEDS[speed.selectedIndex]));
  const root = section(
    'Motion',
    true,
    field('Stored', stored),
    element(
      'div',
      { className: 'toolbar' },
      element('button', { type: 'button', onclick: () => handlers.onGo(stored.selectedIndex) }, 'Go there'),
      element('button', { type: 'button', onclick: () => handlers.onStore() }, 'Store current'),
    ),
    field('Start', start),
    field('Goal', goal),
    element('div', { className: 'toolbar' }, plan, cancel),
    message,
    player,
  );
  return {
    root,
    setStored(names, startAt, goalAt) {
      fillSelect(stored, names, stored.selectedIndex);
      fillSelect(start, names, startAt);
      fillSelect(goal, names, goalAt);
      plan.disabled = names.length < 2;
    },
    setPlanning(planning) {
      plan.disabled = planning;
      cancel.hidden = !planning;
    },
    showMessage(text, failed = false) {
      message.textContent = text;
      message.classList.toggle('failed', failed);
      // What failed may stand below the edge of the panel.
      if (failed) message.scrollIntoView({ block: 'nearest' });
    },
    setPath(text) {
      player.hidden = text === null;
      summary.textContent = text ?? '';
    },
    showPosition(at, playing) {
      if (document.activeElement !== position || playing) position.value = String(at);
      position.setAttribute('aria-valuetext', `${Math.round(100 * at)} %`);
      const name = playing ? 'Pause' : 'Play';
      if (play.textContent !== name) play.textContent = name;
    },
  };
}

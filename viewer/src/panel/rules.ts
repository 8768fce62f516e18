/** How near counts as contact, and where the shown robot's base stands. */
import type { Pose } from 'clearance/math';
import { element, section } from '../dom.js';
import { createPoseNumbers } from './numbers.js';

export interface RulesPanelHandlers {
  /** Metres. */
  onMargin(margin: number): void;
  onBase(pose: Pose): void;
  onRefuse(): void;
}

export interface RulesPanel {
  readonly root: HTMLElement;
  /** `base` null: no robot. */
  show(margin: number, base: Pose | null): void;
}

/** Millimetres. */
const MOST = 100;

export function createRulesPanel(handlers: RulesPanelHandlers): RulesPanel {
  const slider = element('input', {
    type: 'range',
    id: 'margin-slider',
    min: '0',
    max: String(MOST),
    step: '1',
    'aria-label': 'Margin',
  });
  const number = element('input', { type: 'number', id: 'margin', className: 'number', min: '0', step: '1' });
  slider.addEventListener('input', () => handlers.onMargin(slider.valueAsNumber / 1000));
  number.addEventListener('change', () => {
    const value = number.valueAsNumber;
    if (value >= 0 && value < 1e6) handlers.onMargin(value / 1000);
    else handlers.onRefuse();
  });
  const row = element(
    'div',
    { className: 'joint' },
    element('label', { className: 'joint-name', htmlFor: number.id }, 'Margin'),
    slider,
    element('span', { className: 'joint-value' }, number, element('span', { className: 'unit' }, 'mm')),
  );
  const base = createPoseNumbers('base', handlers.onBase, handlers.onRefuse);
  const robot = section('Robot base', false, base.root);
  robot.id = 'robot-base';
  const margin = section('Contact', true, row);
  return {
    root: element('div', {}, robot, margin),
    show(metres, pose) {
      const text = String(Number((1000 * metres).toFixed(3)));
      if (document.activeElement !== slider) slider.value = text;
      if (number.value !== text) number.value = text;
      robot.hidden = pose === null;
      if (pose) base.show(pose, false);
    },
  };
}

/** What a path is asked besides its ends: what of the tool it keeps, whether reasons and a roadmap are shown. */
import { element, field, fillSelect } from '../dom.js';
import type { Hold, PlanSettings } from '../planning/plan-answer.js';

const HOLDS: readonly (readonly [Hold, string])[] = [
  ['none', 'Nothing'],
  ['axis', 'Axis of the tool'],
  ['orientation', 'Orientation of the tool'],
  ['height', 'Height of the tool'],
  ['line', 'Straight line of the tool'],
];

export interface PlanWishes {
  readonly rows: readonly HTMLElement[];
  readonly settings: Pick<PlanSettings, 'hold' | 'explain' | 'roadmap'>;
  /** Why there is no path; empty: nothing is known. */
  showReasons(reasons: readonly string[]): void;
}

export function createPlanWishes(): PlanWishes {
  const hold = element('select', { id: 'plan-hold', title: 'As it is at the start, on the whole way' });
  fillSelect(
    hold,
    HOLDS.map(([, name]) => name),
    0,
  );
  const explain = element('input', { type: 'checkbox', id: 'plan-explain' });
  const roadmap = element('input', { type: 'checkbox', id: 'plan-roadmap' });
  const reasons = element('ul', { className: 'reasons', id: 'plan-reasons', hidden: true });
  reasons.setAttribute('aria-label', 'Why there is no path');
  const check = (input: HTMLInputElement, text: string): HTMLElement =>
    element('label', { className: 'check', htmlFor: input.id }, input, text);
  return {
    rows: [
      field('Keep', hold),
      check(explain, 'Say why there is no path'),
      check(roadmap, 'Search by a roadmap, and show it'),
      reasons,
    ],
    get settings() {
      return { hold: HOLDS[hold.selectedIndex][0], explain: explain.checked, roadmap: roadmap.checked };
    },
    showReasons(list) {
      reasons.hidden = list.length === 0;
      reasons.replaceChildren(...list.map((text) => element('li', {}, text)));
    },
  };
}

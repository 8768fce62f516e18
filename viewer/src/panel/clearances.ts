/** All pairs nearer than a margin, nearest first; one that is clicked is flown to. */
import type { ScenePair } from 'clearance/scene';
import { element, section } from '../dom.js';
import { countOf, formatDistance } from '../format.js';

export interface ClearancePanel {
  readonly root: HTMLDetailsElement;
  /** Metres. */
  readonly margin: number;
  show(pairs: readonly ScenePair[]): void;
}

const MOST_ROWS = 200;

export function createClearancePanel(onMargin: () => void, onChoose: (pair: ScenePair) => void): ClearancePanel {
  const number = element('input', {
    type: 'number',
    id: 'clearance-margin',
    className: 'number',
    value: '100',
    min: '0',
    step: '10',
  });
  number.addEventListener('change', onMargin);
  const summary = element('p', { className: 'message', id: 'clearance-summary', role: 'status' });
  const list = element('ol', { className: 'places clearances', id: 'clearances', 'aria-label': 'Pairs by distance' });
  const root = section(
    'Clearances',
    true,
    element(
      'div',
      { className: 'field near-than' },
      element('label', { htmlFor: number.id }, 'Nearer than'),
      element('span', { className: 'joint-value' }, number, element('span', { className: 'unit' }, 'mm')),
    ),
    summary,
    list,
  );
  return {
    root,
    get margin() {
      const value = number.valueAsNumber;
      return value >= 0 ? value / 1000 : 0.1;
    },
    show(pairs) {
      summary.textContent = pairs.length === 0 ? 'No pair is nearer.' : countOf(pairs.length, 'pair');
      const rows = pairs.slice(0, MOST_ROWS).map((pair) => {
        const go = element(
          'button',
          { type: 'button', className: pair.distance <= 0 ? 'place touching' : 'place', onclick: () => onChoose(pair) },
          element('span', { className: 'pair-name' }, `${pair.a} – ${pair.b}`),
          element('span', { className: 'number' }, formatDistance(pair.distance, pair.status)),
        );
        return element('li', {}, go);
      });
      if (pairs.length > MOST_ROWS) rows.push(element('li', {}, `and ${pairs.length - MOST_ROWS} more`));
      list.replaceChildren(...rows);
    },
  };
}

/** The answers: free or what touches, the nearest pair, microseconds per query. */

import type { QueryStatus } from 'clearance/narrowphase';
import { element, section } from '../dom.js';
import { countOf, formatLength, formatMicroseconds } from '../format.js';
import type { Answers, QueryTimes } from '../queries.js';

const SHOWN_CONTACTS = 12;

export interface VerdictPanel {
  readonly root: HTMLDetailsElement;
  show(answers: Answers): void;
  showTimes(times: QueryTimes): void;
}

export function createVerdictPanel(): VerdictPanel {
  const verdict = element('p', { className: 'verdict', role: 'status' });
  const contacts = element('ul', { className: 'pairs', 'aria-label': 'Pairs in contact' });
  const nearestPair = element('dd', { className: 'pair-name' });
  const nearestDistance = element('dd', { className: 'number' });
  const checkTime = element('dd', { className: 'number', id: 'check-time' });
  const nearestTime = element('dd', { className: 'number', id: 'nearest-time' });
  const root = section(
    'Verdict',
    true,
    verdict,
    contacts,
    element(
      'dl',
      { className: 'facts' },
      element('dt', {}, 'Nearest pair'),
      nearestPair,
      element('dt', {}, 'Distance'),
      nearestDistance,
      element('dt', {}, 'Check'),
      checkTime,
      element('dt', {}, 'Nearest'),
      nearestTime,
    ),
  );
  return {
    root,
    show({ contacts: touching, nearest }) {
      const text = touching.length === 0 ? 'Free' : countOf(touching.length, 'contact');
      if (verdict.textContent !== text) verdict.textContent = text;
      verdict.classList.toggle('touching', touching.length > 0);
      const rows = touching
        .slice(0, SHOWN_CONTACTS)
        .map(({ a, b, depth, status }) =>
          element(
            'li',
            {},
            element('span', { className: 'pair-name' }, `${a} – ${b}`),
            element('span', { className: 'number' }, describeDepth(depth, status)),
          ),
        );
      if (touching.length > SHOWN_CONTACTS)
        rows.push(element('li', {}, `and ${touching.length - SHOWN_CONTACTS} more`));
      contacts.replaceChildren(...rows);
      contacts.hidden = rows.length === 0;
      nearestPair.textContent = nearest ? `${nearest.a} – ${nearest.b}` : 'none';
      nearestDistance.textContent = !nearest
        ? ''
        : nearest.status === 'collides'
          ? 'in contact'
          : formatLength(nearest.distance);
    },
    showTimes({ check, nearest }) {
      checkTime.textContent = formatMicroseconds(check);
      nearestTime.textContent = formatMicroseconds(nearest);
    },
  };
}

/** Below this a pair touches and does not penetrate. Metres. */
const TOUCHING = 1e-7;

function describeDepth(depth: number, status: QueryStatus): string {
  if (status === 'collides' || Math.abs(depth) < TOUCHING) return 'touching';
  return `${status === 'depth-bound' ? '≤ ' : ''}${formatLength(depth)}`;
}

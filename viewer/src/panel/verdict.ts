/**
 * The answers as a chip over the view: free or what touches, the nearest pair and its distance in one line; opened, all contacts, what
 * the verdict rests on and microseconds per query. Its height stays: nothing moves under the hand.
 */
import type { QueryStatus } from 'clearance/narrowphase';
import type { ScenePair } from 'clearance/scene';
import { element } from '../dom.js';
import { formatDistance, formatLength, formatMicroseconds } from '../format.js';
import type { QueryTimes, Touching } from '../queries.js';
import type { VerdictState } from '../verdict-state.js';

const SHOWN_CONTACTS = 100;

export interface VerdictPanel {
  readonly root: HTMLDetailsElement;
  show(state: VerdictState, contacts: readonly Touching[]): void;
  /** Null: no two parts that may not touch. */
  showNearest(nearest: ScenePair | null): void;
  /** Null: not measured yet at this position. */
  showTimes(times: QueryTimes | null): void;
}

/** `onAllow`: the pair may touch from now on. */
export function createVerdictPanel(onAllow: (a: string, b: string) => void): VerdictPanel {
  const verdict = element('span', { className: 'verdict', role: 'status' });
  const distance = element('span', { className: 'number chip-distance' });
  const pair = element('span', { className: 'chip-pair' });
  const notes = element('ul', { className: 'verdict-notes' });
  const contacts = element('ul', { className: 'pairs', 'aria-label': 'Pairs in contact' });
  const details = element(
    'div',
    {
      className: 'verdict-details',
      tabIndex: 0,
      role: 'group',
      'aria-label': 'Contacts and what the verdict rests on',
    },
    notes,
    contacts,
  );
  const nearestPair = element('dd', { className: 'pair-name' });
  const nearestDistance = element('dd', { className: 'number' });
  const checkTime = element('dd', { className: 'number', id: 'check-time' });
  const nearestTime = element('dd', { className: 'number', id: 'nearest-time' });
  const facts = element(
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
  );
  const root = element(
    'details',
    { className: 'chip', id: 'verdict' },
    element('summary', { title: 'What touches, and what this rests on' }, verdict, distance, pair),
    element('div', { className: 'chip-body' }, details, facts),
  );
  let isTouching = false;
  return {
    root,
    show({ kind, text, notes: said }, touching) {
      if (verdict.textContent !== text) verdict.textContent = text;
      verdict.dataset.kind = kind;
      verdict.classList.toggle('touching', kind === 'contact');
      root.dataset.kind = kind;
      isTouching = touching.length > 0;
      if (isTouching) {
        const { a, b, depth, status } = findDeepest(touching);
        pair.textContent = `${a} – ${b}`;
        const bound = status === 'depth-bound' ? '≤ ' : '';
        distance.textContent = depth === undefined ? '' : `${bound}${formatLength(Math.max(depth, 0))}`;
      }
      notes.replaceChildren(...said.map((note) => element('li', {}, note)));
      const rows = touching.slice(0, SHOWN_CONTACTS).map(({ a, b, depth, status }) =>
        element(
          'li',
          { className: 'contact-row' },
          element('span', { className: 'pair-name' }, `${a} – ${b}`),
          element('span', { className: 'number' }, depth === undefined ? '…' : describeDepth(depth, status)),
          element(
            'button',
            {
              type: 'button',
              className: 'allow',
              title: 'These two may touch',
              'aria-label': `Allow ${a} and ${b} to touch`,
              onclick: () => onAllow(a, b),
            },
            'Allow',
          ),
        ),
      );
      if (touching.length > SHOWN_CONTACTS)
        rows.push(element('li', {}, `and ${touching.length - SHOWN_CONTACTS} more`));
      contacts.replaceChildren(...rows);
    },
    showNearest(nearest) {
      nearestPair.textContent = nearest ? `${nearest.a} – ${nearest.b}` : 'none';
      nearestDistance.textContent = nearest ? formatDistance(nearest.distance, nearest.status) : '';
      if (isTouching) return;
      pair.textContent = nearest ? `${nearest.a} – ${nearest.b}` : '';
      distance.textContent = nearestDistance.textContent;
    },
    showTimes(times) {
      checkTime.textContent = times ? formatMicroseconds(times.check) : '…';
      nearestTime.textContent = times ? formatMicroseconds(times.nearest) : '…';
    },
  };
}

/** The first, as long as no depth is known. */
function findDeepest(touching: readonly Touching[]): Touching {
  return touching.reduce((deepest, one) => ((one.depth ?? 0) > (deepest.depth ?? 0) ? one : deepest));
}

/** Below this a pair touches and does not penetrate. Metres. */
const TOUCHING = 1e-7;

function describeDepth(depth: number, status: QueryStatus | undefined): string {
  if (status === 'collides' || Math.abs(depth) < TOUCHING) return 'touching';
  return `${status === 'depth-bound' ? '≤ ' : ''}${formatLength(depth)}`;
}

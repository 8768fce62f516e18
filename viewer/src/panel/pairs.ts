/** Which bodies may touch each other and why: as a matrix, and as a list in which pairs are found, checked again and added. */
import type { AllowedPair } from 'clearance/scene';
import { element, field, fillSelect, section } from '../dom.js';
import { countOf } from '../format.js';

export interface PairsPanelHandlers {
  onSet(a: string, b: string, isAllowed: boolean): void;
  onSave(): void;
}

export interface PairsPanel {
  readonly root: HTMLDetailsElement;
  /** Bodies in the order of the matrix, and the pairs of them that may touch. `canSave`: there is a robot whose SRDF can be written. */
  show(names: readonly string[], pairs: readonly AllowedPair[], canSave: boolean): void;
}

/** Larger matrices are lists only. */
const MOST_BODIES = 48;
const MOST_ROWS = 60;
const REASONS: Readonly<Record<AllowedPair['reason'], string>> = {
  adjacent: 'neighbours',
  always: 'always touch',
  never: 'never touch',
  default: 'touch at rest',
  user: 'by the user',
};

export function createPairsPanel(handlers: PairsPanelHandlers): PairsPanel {
  const summary = element('p', { className: 'message', id: 'pairs-summary' });
  const matrix = element('div', { className: 'matrix', 'aria-hidden': 'true' });
  const [first, second] = [element('select', { id: 'pair-a' }), element('select', { id: 'pair-b' })];
  const allow = element('button', { type: 'button', id: 'pair-allow' }, 'Allow');
  const filter = element('input', { type: 'search', id: 'pair-filter', placeholder: 'part of a name' });
  const list = element('ul', { className: 'pairs allowed', tabIndex: 0, 'aria-label': 'Pairs that may touch' });
  const save = element('button', { type: 'button', id: 'save-srdf', onclick: () => handlers.onSave() }, 'Save SRDF');
  const root = section(
    'Pairs that may touch',
    false,
    summary,
    matrix,
    field('Between', first),
    field('and', second),
    element('div', { className: 'toolbar' }, allow, save),
    field('Filter', filter),
    list,
  );
  root.id = 'pairs';
  let names: readonly string[] = [];
  let pairs: readonly AllowedPair[] = [];
  allow.addEventListener('click', () => handlers.onSet(names[first.selectedIndex], names[second.selectedIndex], true));
  filter.addEventListener('input', showList);
  root.addEventListener('toggle', draw);

  function draw(): void {
    summary.textContent = `${countOf(pairs.length, 'pair')} of ${(names.length * (names.length - 1)) / 2} may touch and are not checked.`;
    if (!root.open) return;
    showMatrix();
    showList();
  }

  function showMatrix(): void {
    matrix.hidden = names.length > MOST_BODIES || names.length < 2;
    if (matrix.hidden) return;
    matrix.style.setProperty('--bodies', String(names.length));
    const reasons = new Map(
      pairs.flatMap((pair) => [[`${pair.a}|${pair.b}`, pair] as const, [`${pair.b}|${pair.a}`, pair] as const]),
    );
    matrix.replaceChildren(
      ...names.flatMap((a, i) =>
        names.map((b, k) => {
          const pair = reasons.get(`${a}|${b}`);
          const cell = element('i', {
            className: i === k ? 'self' : (pair?.reason ?? 'checked'),
            title: i === k ? a : `${a} – ${b}: ${pair ? describe(pair) : 'checked'}`,
          });
          if (i !== k) cell.addEventListener('click', () => handlers.onSet(a, b, !pair));
          return cell;
        }),
      ),
    );
  }

  function showList(): void {
    const wanted = filter.value.trim().toLowerCase();
    const found = pairs.filter(({ a, b }) => `${a} ${b}`.toLowerCase().includes(wanted));
    const rows = found.slice(0, MOST_ROWS).map((pair) =>
      element(
        'li',
        {},
        element('span', { className: 'pair-name' }, `${pair.a} – ${pair.b}`),
        element('span', { className: 'reason' }, describe(pair)),
        element(
          'button',
          {
            type: 'button',
            className: 'allow',
            'aria-label': `Check ${pair.a} and ${pair.b} again`,
            onclick: () => handlers.onSet(pair.a, pair.b, false),
          },
          'Check',
        ),
      ),
    );
    if (found.length > MOST_ROWS) rows.push(element('li', {}, `and ${found.length - MOST_ROWS} more`));
    list.replaceChildren(...rows);
  }

  return {
    root,
    show(nextNames, nextPairs, canSave) {
      const isNew = nextNames.join() !== names.join();
      names = nextNames;
      pairs = nextPairs;
      root.hidden = names.length < 2;
      save.hidden = !canSave;
      if (isNew) {
        fillSelect(first, names, 0);
        fillSelect(second, names, 1);
      }
      draw();
    },
  };
}

function describe({ reason, note }: AllowedPair): string {
  return note && note.toLowerCase() !== reason ? `${REASONS[reason]}: ${note}` : REASONS[reason];
}

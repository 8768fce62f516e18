/** One line over the view that says what can be done at first; gone once it was closed, for good. */
import { element } from '../dom.js';

export interface Hint {
  readonly root: HTMLElement;
  /** What is shown can be handled in this way, and what can be dropped, which a small view does not say; empty: nothing to say. */
  say(sentences: readonly string[]): void;
}

const KEY = 'clearance:hint';

export function createHint(): Hint {
  const words = element('span', {});
  const close = element('button', { type: 'button', className: 'hint-close', 'aria-label': 'Close hint' }, '×');
  const root = element('p', { className: 'hint', id: 'hint', hidden: true }, words, close);
  let isClosed = readClosed();
  close.addEventListener('click', () => {
    isClosed = root.hidden = true;
    try {
      localStorage.setItem(KEY, 'closed');
    } catch {
      // It comes again at the next visit.
    }
  });
  // Where the view is small it makes room for the first thing that is done by hand.
  window.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof HTMLCanvasElement && matchMedia('(max-width: 760px)').matches) root.hidden = true;
  });
  return {
    root,
    say([first, ...others]) {
      words.replaceChildren(
        first ?? '',
        ...others.map((text) => element('span', { className: 'hint-more' }, ` ${text}`)),
      );
      root.hidden = isClosed || first === undefined;
    },
  };
}

function readClosed(): boolean {
  try {
    return localStorage.getItem(KEY) === 'closed';
  } catch {
    return false;
  }
}

/** One line over the view that says what became of a command; it goes by itself. */
import { element } from '../dom.js';

export interface Notice {
  readonly root: HTMLElement;
  say(text: string): void;
}

const SHOWN = 6000;

export function createNotice(): Notice {
  const root = element('p', { className: 'notice', id: 'notice', role: 'status' });
  let timer = 0;
  return {
    root,
    say(text) {
      window.clearTimeout(timer);
      root.textContent = text;
      if (text !== '') timer = window.setTimeout(() => (root.textContent = ''), SHOWN);
    },
  };
}

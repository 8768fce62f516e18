/** Stored configurations: those of the SRDF and the content, and the user's own. */
import { element, field, fillSelect, section } from '../dom.js';

export interface StoredPanel {
  readonly root: HTMLDetailsElement;
  setStored(names: readonly string[]): void;
}

export function createStoredPanel(handlers: { onGo(index: number): void; onStore(): void }): StoredPanel {
  const stored = element('select', { id: 'stored' });
  const go = element('button', { type: 'button', onclick: () => handlers.onGo(stored.selectedIndex) }, 'Go there');
  const store = element('button', { type: 'button', onclick: () => handlers.onStore() }, 'Store current');
  return {
    root: section('Stored', true, field('Stored', stored), element('div', { className: 'toolbar' }, go, store)),
    setStored(names) {
      fillSelect(stored, names, stored.selectedIndex);
      go.disabled = names.length === 0;
    },
  };
}

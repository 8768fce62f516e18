/** Tabs of the panel: a list of names of which one is chosen, and what belongs to each. Arrow keys go from tab to tab. */
import { element } from '../dom.js';

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly parts: readonly HTMLElement[];
}

export interface Tabs {
  readonly root: HTMLElement;
  readonly chosen: string;
  /** One that is hidden is not. */
  choose(id: string): void;
  setVisible(id: string, visible: boolean): void;
}

export function createTabs(name: string, tabs: readonly Tab[], onChoose: (id: string) => void = () => {}): Tabs {
  let chosen = tabs[0].id;
  const buttons = tabs.map(({ id, name: label }) =>
    element(
      'button',
      { type: 'button', className: 'tab', id: `tab-${id}`, role: 'tab', 'aria-controls': `panel-${id}` },
      label,
    ),
  );
  const panels = tabs.map(({ id, parts }) =>
    element(
      'div',
      { className: 'tab-panel', id: `panel-${id}`, role: 'tabpanel', 'aria-labelledby': `tab-${id}` },
      ...parts,
    ),
  );
  const list = element('div', { className: 'tabs', role: 'tablist', 'aria-label': name }, ...buttons);
  const root = element('div', { className: 'tabbed' }, list, ...panels);

  function choose(id: string): void {
    if (buttons[tabs.findIndex((tab) => tab.id === id)].hidden) return;
    // Another one begins at its top.
    if (id !== chosen) root.parentElement?.scrollTo({ top: 0 });
    chosen = id;
    for (const [i, tab] of tabs.entries()) {
      const isChosen = tab.id === id;
      buttons[i].setAttribute('aria-selected', String(isChosen));
      buttons[i].tabIndex = isChosen ? 0 : -1;
      panels[i].hidden = !isChosen;
    }
    onChoose(id);
  }
  for (const [i, button] of buttons.entries()) button.addEventListener('click', () => choose(tabs[i].id));
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const shown = buttons.filter(({ hidden }) => !hidden);
    const next =
      shown[(shown.indexOf(document.activeElement as HTMLButtonElement) + step + shown.length) % shown.length];
    choose(tabs[buttons.indexOf(next)].id);
    next.focus();
    event.preventDefault();
  });
  choose(chosen);
  return {
    root,
    get chosen() {
      return chosen;
    },
    choose,
    setVisible(id, visible) {
      const i = tabs.findIndex((tab) => tab.id === id);
      buttons[i].hidden = !visible;
      if (!visible && chosen === id) choose(tabs[0].id);
    },
  };
}

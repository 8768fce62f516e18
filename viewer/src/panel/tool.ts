/** What the tool can do where it is, and the handles that move it. */
import type { Manipulability } from 'clearance/kinematics';
import { element, field, fillSelect, section } from '../dom.js';
import type { GizmoMode } from '../stage/gizmo.js';

export interface ToolPanel {
  readonly root: HTMLDetailsElement;
  readonly mode: GizmoMode | null;
  /** The links to choose from and the chosen one; null hides the section and lets go of the handles. */
  setTool(link: string | null, links: readonly string[]): void;
  show(shape: Manipulability): void;
  showReach(isReached: boolean): void;
}

const MODES: readonly (readonly [GizmoMode, string])[] = [
  ['translate', 'Move tool'],
  ['rotate', 'Turn tool'],
];

export function createToolPanel(onMode: (mode: GizmoMode | null) => void, onChoose: (link: string) => void): ToolPanel {
  let mode: GizmoMode | null = null;
  const buttons = MODES.map(([kind, name]) =>
    element(
      'button',
      {
        type: 'button',
        id: `tool-${kind}`,
        'aria-pressed': 'false',
        onclick: () => setMode(mode === kind ? null : kind),
      },
      name,
    ),
  );
  const choice = element('select', { id: 'tool-link' });
  let known: readonly string[] = [];
  choice.addEventListener('change', () => onChoose(known[choice.selectedIndex]));
  const measure = element('dd', { className: 'number', id: 'manipulability' });
  const condition = element('dd', { className: 'number', id: 'condition' });
  const message = element('p', { className: 'message steady-line', id: 'tool-message', role: 'status' });
  const root = section(
    'Tool',
    true,
    field('Link', choice),
    element('div', { className: 'toolbar' }, ...buttons),
    message,
    element(
      'dl',
      { className: 'facts' },
      element('dt', { title: 'Yoshikawa: product of the half-lengths of the velocity ellipsoid' }, 'Manipulability'),
      measure,
      element('dt', { title: 'Longest over shortest half-length of the velocity ellipsoid' }, 'Condition'),
      condition,
    ),
  );

  function setMode(next: GizmoMode | null): void {
    mode = next;
    for (const [i, button] of buttons.entries()) button.setAttribute('aria-pressed', String(MODES[i][0] === mode));
    message.textContent = mode ? 'Drag the handles; the arm follows.' : '';
    message.classList.remove('failed');
    onMode(mode);
  }

  return {
    root,
    get mode() {
      return mode;
    },
    setTool(name, links) {
      root.hidden = name === null;
      known = links;
      fillSelect(choice, links, name === null ? 0 : links.indexOf(name));
      if (name === null && mode) setMode(null);
    },
    show({ measure: w, conditionNumber }) {
      measure.textContent = w.toPrecision(3);
      condition.textContent = conditionNumber < 1e4 ? conditionNumber.toFixed(1) : 'singular';
    },
    showReach(isReached) {
      message.classList.toggle('failed', !isReached);
      message.textContent = isReached
        ? 'The arm follows.'
        : 'Out of reach: the arm stops at the nearest pose on the way.';
    },
  };
}

/** Ways to look into what is shown: a plane that cuts it, robots and objects as ghosts. */
import { element, section } from '../dom.js';

/** What is left is on the side of smaller coordinates, or of larger ones where it is `flipped`. `at`: 0 to 1 of the shown's extent. */
export interface SectionPlane {
  readonly axis: 0 | 1 | 2;
  readonly at: number;
  readonly flipped: boolean;
}

export interface Look {
  readonly section: SectionPlane | null;
  /** 0 to 1. */
  readonly robotOpacity: number;
  readonly objectOpacity: number;
  /** Objects that hide a robot fade. */
  readonly fades: boolean;
}

export interface LookPanel {
  readonly root: HTMLElement;
  readonly look: Look;
  /** As at the start. */
  reset(): void;
}

export function createLookPanel(onChange: (look: Look) => void): LookPanel {
  const axis = element('select', { id: 'section-axis' });
  for (const name of ['off', 'x', 'y', 'z']) axis.append(element('option', { value: name }, name));
  const at = slider('section-at', 'Place of the cut', '0.5', '0', '1', '0.005');
  const flip = element('input', { type: 'checkbox', id: 'section-flip' });
  const robots = slider('ghost-robots', 'Opacity of robots', '1', '0.1', '1', '0.05');
  const objects = slider('ghost-objects', 'Opacity of objects', '1', '0.1', '1', '0.05');
  const fade = element('input', { type: 'checkbox', id: 'fade-hiding', checked: true });
  const panel: LookPanel = {
    root: element(
      'div',
      {},
      section(
        'Cut',
        true,
        line('Across', axis),
        line('At', at),
        element('label', { className: 'check', htmlFor: flip.id }, flip, 'Other side'),
      ),
      section(
        'See through',
        true,
        line('Robots', robots),
        line('Objects', objects),
        element('label', { className: 'check', htmlFor: fade.id }, fade, 'Fade what hides a robot'),
      ),
    ),
    get look() {
      return {
        section:
          axis.selectedIndex > 0
            ? { axis: (axis.selectedIndex - 1) as 0 | 1 | 2, at: at.valueAsNumber, flipped: flip.checked }
            : null,
        robotOpacity: robots.valueAsNumber,
        objectOpacity: objects.valueAsNumber,
        fades: fade.checked,
      };
    },
    reset() {
      axis.selectedIndex = 0;
      at.value = '0.5';
      flip.checked = false;
      robots.value = objects.value = '1';
      changed();
    },
  };
  for (const control of [axis, at, flip, robots, objects, fade]) control.addEventListener('input', changed);
  function changed(): void {
    at.disabled = flip.disabled = axis.selectedIndex === 0;
    onChange(panel.look);
  }
  at.disabled = flip.disabled = true;
  return panel;
}

function slider(id: string, label: string, value: string, min: string, max: string, step: string): HTMLInputElement {
  const input = element('input', { type: 'range', id, 'aria-label': label });
  // The range first: a value outside the usual one would be cut.
  Object.assign(input, { min, max, step, value });
  return input;
}

function line(name: string, control: HTMLElement): HTMLDivElement {
  return element('div', { className: 'field' }, element('label', { htmlFor: control.id }, name), control);
}

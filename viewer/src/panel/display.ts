/** What is drawn. */
import { element, section } from '../dom.js';

export interface Layers {
  readonly visual: boolean;
  readonly collision: boolean;
  readonly objects: boolean;
  readonly nearest: boolean;
  readonly trace: boolean;
  readonly ellipsoid: boolean;
  readonly mass: boolean;
  readonly limits: boolean;
  readonly grid: boolean;
}

const NAMES: readonly (readonly [keyof Layers, string])[] = [
  ['visual', 'Visual geometry'],
  ['collision', 'Collision geometry'],
  ['objects', 'Objects'],
  ['nearest', 'Nearest pair'],
  ['trace', 'Path of the tool'],
  ['ellipsoid', 'Manipulability'],
  ['mass', 'Centre of mass'],
  ['limits', 'Joint limits'],
  ['grid', 'Grid'],
];

export interface DisplayPanel {
  readonly root: HTMLDetailsElement;
  readonly layers: Layers;
  set(layers: Layers): void;
}

export function createDisplayPanel(initial: Layers, onChange: (layers: Layers) => void): DisplayPanel {
  let layers = initial;
  const boxes = new Map<keyof Layers, HTMLInputElement>();
  const rows = NAMES.map(([key, name]) => {
    const box = element('input', { type: 'checkbox', id: `layer-${key}`, checked: layers[key] });
    boxes.set(key, box);
    box.addEventListener('change', () => {
      layers = { ...layers, [key]: box.checked };
      onChange(layers);
    });
    return element('label', { className: 'check', htmlFor: box.id }, box, name);
  });
  return {
    root: section('Show', true, element('div', { className: 'checks' }, ...rows)),
    get layers() {
      return layers;
    },
    set(next) {
      layers = next;
      for (const [key, box] of boxes) box.checked = layers[key];
    },
  };
}

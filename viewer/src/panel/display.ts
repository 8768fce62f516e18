/** What is drawn. */
import { element, fillSelect, section } from '../dom.js';
import type { SphereLevel } from '../stage/sphere-view.js';

export interface Layers {
  readonly visual: boolean;
  readonly collision: boolean;
  readonly spheres: boolean;
  readonly hulls: boolean;
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
  ['spheres', 'Link spheres'],
  ['hulls', 'Convex hulls'],
  ['objects', 'Objects'],
  ['nearest', 'Nearest pair'],
  ['trace', 'Path of the tool'],
  ['ellipsoid', 'Manipulability'],
  ['mass', 'Centre of mass'],
  ['limits', 'Joint limits'],
  ['grid', 'Grid'],
];

const LEVELS: readonly SphereLevel[] = ['bound', 'coarse', 'fine'];

export interface DisplayPanel {
  readonly root: HTMLDetailsElement;
  readonly layers: Layers;
  /** How many spheres a link is shown with. */
  readonly sphereLevel: SphereLevel;
  set(layers: Layers): void;
  /** What there is to say of the spheres. */
  showSpheres(text: string): void;
  /** And of hulls. */
  showHulls(text: string): void;
}

export function createDisplayPanel(initial: Layers, onChange: (layers: Layers) => void): DisplayPanel {
  let layers = initial;
  const boxes = new Map<keyof Layers, HTMLInputElement>();
  const rows = NAMES.map(([key, name]) => {
    const box = element('input', { type: 'checkbox', id: `layer-${key}`, checked: layers[key] });
    boxes.set(key, box);
    box.addEventListener('change', () => {
      layers = { ...layers, [key]: box.checked };
      showLevel();
      onChange(layers);
    });
    return element('label', { className: 'check', htmlFor: box.id }, box, name);
  });
  const level = element('select', { id: 'sphere-level', 'aria-label': 'Level of spheres' });
  fillSelect(level, ['one per link', 'coarse', 'fine'], 2);
  level.addEventListener('change', () => onChange(layers));
  const state = element('span', { id: 'sphere-state', 'aria-live': 'polite' });
  const spheres = element('div', { className: 'field sphere-level' }, level, state);
  const hulls = element('p', { className: 'message', id: 'hull-state', role: 'status', hidden: true });
  const showLevel = (): void => {
    spheres.hidden = !layers.spheres;
  };
  showLevel();
  return {
    root: section('Show', true, element('div', { className: 'checks' }, ...rows), spheres, hulls),
    get sphereLevel() {
      return LEVELS[level.selectedIndex];
    },
    showSpheres(text) {
      state.textContent = text;
    },
    showHulls(text) {
      hulls.textContent = text;
      hulls.hidden = text === '';
    },
    get layers() {
      return layers;
    },
    set(next) {
      layers = next;
      for (const [key, box] of boxes) box.checked = layers[key];
      showLevel();
    },
  };
}

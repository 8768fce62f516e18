/** Two points on what is shown: how far apart, along which axes, and how their faces are turned to each other. */
import { atan2, hypot } from 'clearance/math';
import type { SceneRayHit } from 'clearance/scene';
import { element, section } from '../dom.js';
import { formatLength } from '../format.js';

const DEGREE = Math.PI / 180;

export interface MeasurePanel {
  readonly root: HTMLElement;
  /** Clicks set points. */
  readonly active: boolean;
  setActive(active: boolean): void;
  /** One point waits for the other; none: nothing is measured. */
  show(points: readonly SceneRayHit[]): void;
}

export interface MeasurePanelHandlers {
  onToggle(active: boolean): void;
  onClear(): void;
}

/** What is said of two points. Lengths in metres, the angle between the outward normals in radians. */
export function measurePoints(a: SceneRayHit, b: SceneRayHit): { distance: number; step: number[]; angle: number } {
  const [x, y, z] = [0, 1, 2].map((k) => b.point[k] - a.point[k]);
  const [u, v] = [a.normal, b.normal];
  const sine = hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  const cosine = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  return { distance: hypot(x, y, z), step: [x, y, z], angle: atan2(sine, cosine) };
}

export function createMeasurePanel(handlers: MeasurePanelHandlers): MeasurePanel {
  const hint = element('p', { className: 'message', id: 'measure-hint', role: 'status' });
  const facts = element('dl', { className: 'facts', id: 'measured', hidden: true });
  const clear = element('button', { type: 'button', id: 'measure-clear', hidden: true }, 'Clear');
  clear.addEventListener('click', () => handlers.onClear());
  const root = section('Between two points', true, hint, facts, element('div', { className: 'buttons' }, clear));
  root.id = 'measure';
  let active = false;
  const panel: MeasurePanel = {
    root,
    get active() {
      return active;
    },
    setActive(next) {
      active = next;
      handlers.onToggle(active);
    },
    show([a, b]) {
      hint.textContent = a
        ? b
          ? 'Click for a new first point.'
          : `First point on ${a.body}. Click the second.`
        : 'Click two points in the view.';
      clear.hidden = !a;
      facts.hidden = !b;
      if (!a || !b) return;
      const { distance, step, angle } = measurePoints(a, b);
      facts.replaceChildren(
        ...row('From', a.body),
        ...row('To', b.body),
        ...row('Distance', formatLength(distance)),
        ...['x', 'y', 'z'].flatMap((axis, k) => row(axis, formatLength(step[k]))),
        ...row('Between the faces', `${(angle / DEGREE).toFixed(1)}°`),
      );
    },
  };
  panel.show([]);
  return panel;
}

function row(name: string, value: string): HTMLElement[] {
  return [element('dt', {}, name), element('dd', { className: 'number' }, value)];
}

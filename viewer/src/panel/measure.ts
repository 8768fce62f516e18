/** Two places on what is shown, points, edges or faces: how far apart, along which axes, how turned to each other. */
import { closestSegmentSegment } from 'clearance/geometry';
import { atan2, hypot } from 'clearance/math';
import type { SceneRayHit } from 'clearance/scene';
import { element, field, fillSelect, section } from '../dom.js';
import { formatLength } from '../format.js';
import type { Point, Segment } from '../surface-features.js';

const DEGREE = Math.PI / 180;
/** Faces less apart in angle have a distance. */
const PARALLEL = 0.05 * DEGREE;

export type MeasureKind = 'point' | 'edge' | 'face';
const KINDS: readonly MeasureKind[] = ['point', 'edge', 'face'];

/** What a click chose, in the world. */
export type Measured =
  | { readonly kind: 'point'; readonly hit: SceneRayHit }
  | { readonly kind: 'edge'; readonly hit: SceneRayHit; readonly edge: Segment }
  /** `area` null: of a shape that is no mesh. */
  | {
      readonly kind: 'face';
      readonly hit: SceneRayHit;
      readonly normal: Point;
      readonly area: number | null;
      readonly edges: readonly Segment[];
    };

export interface MeasurePanel {
  readonly root: HTMLElement;
  /** Clicks set points. */
  readonly active: boolean;
  readonly kind: MeasureKind;
  setActive(active: boolean): void;
  /** One waits for the other; none: nothing is measured. */
  show(chosen: readonly Measured[]): void;
  refuse(text: string): void;
}

export interface MeasurePanelHandlers {
  onToggle(active: boolean): void;
  onClear(): void;
}

/** What is said of two points. Lengths in metres, the angle between the outward normals in radians. */
export function measurePoints(
  a: Pick<SceneRayHit, 'point' | 'normal'>,
  b: Pick<SceneRayHit, 'point' | 'normal'>,
): { distance: number; step: number[]; angle: number } {
  const [x, y, z] = [0, 1, 2].map((k) => b.point[k] - a.point[k]);
  return { distance: hypot(x, y, z), step: [x, y, z], angle: angleBetween(a.normal, b.normal) };
}

function angleBetween(u: Point, v: Point): number {
  const sine = hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  return atan2(sine, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
}

const way = ([a, b]: Segment): Point => [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
export const edgeLength = (edge: Segment): number => hypot(...way(edge));

/** Between lines, whichever way they are gone along. */
export function measureEdges(a: Segment, b: Segment): { distance: number; angle: number; pair: Segment } {
  const angle = angleBetween(way(a), way(b));
  const closest = new Float64Array(6);
  closestSegmentSegment(closest, Float64Array.from(a.flat()), 0, Float64Array.from(b.flat()), 0);
  const pair: Segment = [toPoint(closest), toPoint(closest.subarray(3))];
  return { distance: edgeLength(pair), angle: Math.min(angle, Math.PI - angle), pair };
}

const toPoint = (list: ArrayLike<number>): Point => [list[0], list[1], list[2]];

/** Between planes: `distance` along the normal, null where they are not parallel. The angle between the planes, at most a right one. */
export function measureFaces(
  a: Extract<Measured, { readonly kind: 'face' }>,
  b: Extract<Measured, { readonly kind: 'face' }>,
): { distance: number | null; angle: number } {
  const between = angleBetween(a.normal, b.normal);
  const angle = Math.min(between, Math.PI - between);
  const [x, y, z] = [0, 1, 2].map((k) => b.hit.point[k] - a.hit.point[k]);
  const distance = Math.abs(x * a.normal[0] + y * a.normal[1] + z * a.normal[2]);
  return { distance: angle < PARALLEL ? distance : null, angle };
}

export function createMeasurePanel(handlers: MeasurePanelHandlers): MeasurePanel {
  const kind = element('select', { id: 'measure-kind' });
  fillSelect(kind, ['Points', 'Edges', 'Faces'], 0);
  kind.addEventListener('change', () => handlers.onClear());
  const hint = element('p', { className: 'message', id: 'measure-hint', role: 'status' });
  const facts = element('dl', { className: 'facts', id: 'measured', hidden: true });
  const clear = element('button', { type: 'button', id: 'measure-clear', hidden: true }, 'Clear');
  clear.addEventListener('click', () => handlers.onClear());
  const root = section(
    'Measure',
    true,
    field('Between', kind),
    hint,
    facts,
    element('div', { className: 'buttons' }, clear),
  );
  root.id = 'measure';
  let active = false;
  const panel: MeasurePanel = {
    root,
    get active() {
      return active;
    },
    get kind() {
      return KINDS[kind.selectedIndex] ?? 'point';
    },
    setActive(next) {
      active = next;
      handlers.onToggle(active);
    },
    refuse(text) {
      hint.textContent = text;
    },
    show([a, b]) {
      const { kind: wanted } = panel;
      hint.textContent = a
        ? b
          ? `Click for a new first ${wanted}.`
          : `First ${wanted} on ${a.hit.body}. Click the second.`
        : `Click two ${wanted}s in the view.`;
      clear.hidden = !a;
      const rows = a ? describe(a, b) : [];
      facts.hidden = rows.length === 0;
      facts.replaceChildren(...rows.flatMap(([name, value]) => row(name, value)));
    },
  };
  panel.show([]);
  return panel;
}

type Row = readonly [string, string];

function describe(a: Measured, b: Measured | undefined): Row[] {
  const sizes = [a, b].flatMap((one, i) => (one ? describeOne(one, i === 0 ? 'First' : 'Second') : []));
  if (!b) return sizes;
  const ends: Row[] = [
    ['From', a.hit.body],
    ['To', b.hit.body],
  ];
  const degrees = (angle: number): string => `${(angle / DEGREE).toFixed(1)}°`;
  if (a.kind === 'edge' && b.kind === 'edge') {
    const { distance, angle } = measureEdges(a.edge, b.edge);
    return [...ends, ['Distance', formatLength(distance)], ['Angle', degrees(angle)], ...sizes];
  }
  if (a.kind === 'face' && b.kind === 'face') {
    const { distance, angle } = measureFaces(a, b);
    const apart: Row = ['Distance', distance === null ? 'not parallel' : formatLength(distance)];
    return [...ends, apart, ['Angle', degrees(angle)], ...sizes];
  }
  const { distance, step, angle } = measurePoints(a.hit, b.hit);
  return [
    ...ends,
    ['Distance', formatLength(distance)],
    ...['x', 'y', 'z'].map((axis, k): Row => [axis, formatLength(step[k])]),
    ['Between the faces', degrees(angle)],
  ];
}

function describeOne(one: Measured, which: string): Row[] {
  if (one.kind === 'edge') return [[`${which} edge`, formatLength(edgeLength(one.edge))]];
  if (one.kind === 'face' && one.area !== null)
    return [
      [`${which} face`, one.area >= 0.1 ? `${one.area.toFixed(3)} m²` : `${(1e6 * one.area).toPrecision(4)} mm²`],
    ];
  return [];
}

function row(name: string, value: string): HTMLElement[] {
  return [element('dt', {}, name), element('dd', { className: 'number' }, value)];
}

/** The plane as SVG: the scene with its handles, and over it what the last answer says. y points up in the file, down here. */
import { cos, sin } from 'clearance/math';
import type { FileBody, Grip, Pair, PlaneFile } from './edited-scene.js';
import type { PlaneAnswer, Rings } from './messages.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';
/** Pixels. */
const HANDLE = 5;
const MARK = 7;
const MARGIN = 0.06;
/** Copies of the body along a path that turns. */
const COPIES = 24;

export interface Layers {
  readonly configuration: boolean;
  readonly decomposition: boolean;
  readonly graph: boolean;
  readonly answer: boolean;
}

export interface Draft {
  readonly points: readonly Pair[];
  readonly disc: number;
}

function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Readonly<Record<string, string | number>> = {}) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

export const ringsPath = (rings: Rings, isClosed = true): string =>
  rings.map((ring) => `M${ring.map(([x, y]) => `${x} ${-y}`).join('L')}${isClosed ? 'Z' : ''}`).join('');

/** The rings of a body at a place, turned; a disc has none. */
export function bodyRings(robot: FileBody, [x, y, angle = 0]: readonly number[]): Pair[][] {
  if ('disc' in robot) return [];
  const [c, s] = [cos(angle), sin(angle)];
  const parts = 'polygons' in robot ? robot.polygons : [robot];
  return parts
    .flatMap(({ polygon, holes }) => [polygon, ...(holes ?? [])])
    .map((ring) => ring.map(([u, v]): Pair => [x + c * u - s * v, y + s * u + c * v]));
}

export class PlaneDrawing {
  readonly root = svg('svg', {
    id: 'plane-drawing',
    role: 'img',
    'aria-label': 'Obstacles, start, goal and the answer',
  });
  private readonly answerLayer = svg('g');
  private readonly sceneLayer = svg('g');
  private readonly verdictLayer = svg('g', { 'pointer-events': 'none' });
  private readonly handleLayer = svg('g');
  private readonly draftLayer = svg('g', { 'pointer-events': 'none' });
  private readonly grips = new WeakMap<Element, Grip>();

  constructor() {
    this.root.append(this.answerLayer, this.sceneLayer, this.verdictLayer, this.handleLayer, this.draftLayer);
  }

  gripOf(target: EventTarget | null): Grip | null {
    return target instanceof Element ? (this.grips.get(target) ?? null) : null;
  }

  /** The element of a handle that is like another. */
  find(grip: Grip): SVGElement | null {
    const wanted = JSON.stringify(grip);
    for (const node of this.handleLayer.children)
      if (JSON.stringify(this.grips.get(node)) === wanted) return node as SVGElement;
    return null;
  }

  /** Place in the file under a point of the page. */
  toPlace(x: number, y: number): Pair {
    const matrix = this.root.getScreenCTM();
    if (matrix === null) return [0, 0];
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return [point.x, -point.y];
  }

  /** Lengths of a pixel. */
  get pixel(): number {
    const scale = this.root.getScreenCTM()?.a ?? 1;
    return scale > 0 ? 1 / scale : 1;
  }

  frame({ bounds: [x0, y0, x1, y1] }: PlaneFile): void {
    const margin = MARGIN * Math.max(x1 - x0, y1 - y0);
    this.root.setAttribute('viewBox', `${x0 - margin} ${-y1 - margin} ${x1 - x0 + 2 * margin} ${y1 - y0 + 2 * margin}`);
  }

  drawScene(file: PlaneFile, chosen: number, boxes: Rings): void {
    const [x0, y0, x1, y1] = file.bounds;
    const frame = svg('rect', { class: 'frame', x: x0, y: -y1, width: x1 - x0, height: y1 - y0 });
    this.answerLayer.querySelector('.frame')?.remove();
    this.answerLayer.prepend(frame);
    const shapes = file.obstacles.flatMap((obstacle, i) => {
      const name = i === chosen ? 'obstacle chosen' : 'obstacle';
      if ('implicit' in obstacle) return [];
      const shape =
        'disc' in obstacle
          ? svg('circle', { class: name, cx: obstacle.at[0], cy: -obstacle.at[1], r: obstacle.disc })
          : svg('path', { class: name, d: ringsPath([obstacle.polygon, ...(obstacle.holes ?? [])]) });
      this.grips.set(shape, { kind: 'obstacle', obstacle: i });
      return [shape];
    });
    if (boxes.length > 0) shapes.push(svg('path', { class: 'obstacle implicit', d: ringsPath(boxes) }));
    for (const at of [file.start, file.goal]) {
      if ('disc' in file.robot)
        shapes.push(svg('circle', { class: 'body', cx: at[0], cy: -at[1], r: file.robot.disc }));
      else shapes.push(svg('path', { class: 'body', d: ringsPath(bodyRings(file.robot, at)) }));
    }
    this.sceneLayer.replaceChildren(...shapes);
    this.drawHandles(file, chosen);
  }

  private drawHandles(file: PlaneFile, chosen: number): void {
    const { pixel } = this;
    const nodes: SVGElement[] = [];
    const handle = ([x, y]: Pair, kind: string, grip: Grip, label: string, size = HANDLE): void => {
      const node = svg('circle', {
        class: `handle ${kind}`,
        cx: x,
        cy: -y,
        r: size * pixel,
        tabindex: 0,
        role: 'button',
        'aria-label': label,
      });
      this.grips.set(node, grip);
      nodes.push(node);
    };
    const { robot, start, goal } = file;
    const from: Pair = [start[0], start[1]];
    if ('disc' in robot) {
      if (robot.disc > 0)
        handle([from[0] + robot.disc, from[1]], 'vertex', { kind: 'body-radius' }, 'Radius of the body');
    } else if ('polygon' in robot && (start[2] ?? 0) === 0)
      for (const [vertex, [x, y]] of robot.polygon.entries())
        handle(
          [from[0] + x, from[1] + y],
          'vertex',
          { kind: 'body-vertex', vertex },
          `Corner ${vertex + 1} of the body`,
        );
    const obstacle = file.obstacles[chosen];
    if (obstacle !== undefined && 'disc' in obstacle)
      handle(
        [obstacle.at[0] + obstacle.disc, obstacle.at[1]],
        'vertex',
        { kind: 'radius', obstacle: chosen },
        'Radius',
      );
    if (obstacle !== undefined && 'polygon' in obstacle)
      for (const [ring, points] of [obstacle.polygon, ...(obstacle.holes ?? [])].entries())
        for (const [vertex, p] of points.entries()) {
          const q = points[(vertex + 1) % points.length];
          const grip = { kind: 'vertex', obstacle: chosen, ring, vertex } as const;
          handle(p, 'vertex', grip, `Corner ${vertex + 1}`);
          handle([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], 'middle', grip, `Add a corner behind ${vertex + 1}`, 4);
        }
    handle([goal[0], goal[1]], 'goal', { kind: 'goal' }, 'Goal', MARK);
    handle(from, 'start', { kind: 'start' }, 'Start', MARK);
    const focused = document.activeElement === null ? undefined : this.grips.get(document.activeElement);
    this.handleLayer.replaceChildren(...nodes);
    // New elements for the same handles: the keys go on moving the one that they moved.
    if (focused !== undefined) this.find(focused)?.focus();
  }

  drawAnswer(file: PlaneFile, answer: PlaneAnswer | null, layers: Layers): void {
    const frame = this.answerLayer.querySelector('.frame');
    const under: SVGElement[] = [];
    const over: SVGElement[] = [];
    if (answer !== null) {
      if (layers.configuration) under.push(svg('path', { class: 'forbidden', d: ringsPath(answer.forbidden) }));
      if (layers.decomposition) under.push(svg('path', { class: 'trapezoids', d: ringsPath(answer.trapezoids) }));
      if (layers.graph && answer.graph !== null) {
        const { graph } = answer;
        let d = '';
        for (let k = 0; k < graph.length; k += 4) d += `M${graph[k]} ${-graph[k + 1]}L${graph[k + 2]} ${-graph[k + 3]}`;
        under.push(svg('path', { class: 'graph', d }));
      }
      if (layers.answer) {
        const places = answer.path.map(([x, y]): Pair => [x, y]);
        if (places.length > 0) over.push(svg('path', { class: 'path', d: ringsPath([places], false) }));
        if (file.turning === true) over.push(...traceBody(file.robot, answer.path));
        if (answer.chain.length > 0) over.push(svg('path', { class: 'chain', d: ringsPath([answer.chain]) }));
      }
    }
    this.answerLayer.replaceChildren(...(frame === null ? [] : [frame]), ...under);
    this.verdictLayer.replaceChildren(...over);
  }

  drawDraft(draft: Draft | null): void {
    const nodes: SVGElement[] = [];
    if (draft !== null && draft.disc > 0) {
      const [[x, y]] = draft.points;
      nodes.push(svg('circle', { class: 'draft', cx: x, cy: -y, r: draft.disc }));
    } else if (draft !== null && draft.points.length > 0)
      nodes.push(svg('path', { class: 'draft', d: ringsPath([draft.points], false) }));
    this.draftLayer.replaceChildren(...nodes);
  }
}

/** The body at poses along its path, evenly by number. */
function traceBody(robot: FileBody, path: readonly (readonly number[])[]): SVGElement[] {
  const nodes: SVGElement[] = [];
  const steps = path.length - 1;
  for (let k = 0; k <= COPIES && steps > 0; k++) {
    const t = (k / COPIES) * steps;
    const i = Math.min(Math.floor(t), steps - 1);
    const pose = path[i].map((value, c) => value + (t - i) * (path[i + 1][c] - value));
    nodes.push(svg('path', { class: 'trace', d: ringsPath(bodyRings(robot, pose)) }));
  }
  return nodes;
}

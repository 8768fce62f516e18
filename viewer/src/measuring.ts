/**
 * Points, edges and faces that the user clicks while the section Measure is open, and the line between two, which stay where they were set; and all pairs
 * that are nearer than a margin, as things move.
 */
import { hypot, inverseTransformPoint, type Transform, transformPoint } from 'clearance/math';
import { pairsWithin, type ScenePair, type SceneRayHit } from 'clearance/scene';
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';
import { findBody } from './bodies.js';
import { formatDistance, formatLength } from './format.js';
import { type ClearancePanel, createClearancePanel } from './panel/clearances.js';
import {
  createMeasurePanel,
  edgeLength,
  type Measured,
  type MeasurePanel,
  measureEdges,
  measureFaces,
  measurePoints,
} from './panel/measure.js';
import { createLabelledLine } from './stage/labelled-line.js';
import type { Stage } from './stage/stage.js';
import { facetShape, findEdge, findFace, type Point, type Segment, triangleAt } from './surface-features.js';
import type { Workspace } from './workspace.js';

const COLOR = 0x7a3db8;
/** Quiet time before all pairs are looked at. */
const LIST_DELAY = 90;

export interface Measuring {
  readonly panel: MeasurePanel;
  readonly clearances: ClearancePanel;
  /** After anything moved: the pairs follow once nothing moves for a while. */
  refresh(workspace: Workspace): void;
  add(hit: SceneRayHit): void;
  clear(): void;
}

export function createMeasuring(stage: Stage, container: HTMLElement): Measuring {
  let chosen: readonly Measured[] = [];
  const outline = createOutline(stage);
  const line = createLabelledLine(stage, container);
  const panel = createMeasurePanel({
    onToggle: (active) => {
      line.setVisible(active);
      outline.setVisible(active);
      if (active) listSoon();
    },
    onClear: () => set([]),
  });
  const clearances = createClearancePanel(listSoon, fly);
  let workspace: Workspace | null = null;
  let timer = 0;
  line.setVisible(false);

  function listSoon(): void {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (!workspace || !panel.active || workspace.scene.disposed) return;
      const { scene, objectPairs } = workspace;
      clearances.show(pairsWithin(scene, { margin: clearances.margin, objectPairs }));
    }, LIST_DELAY);
  }

  /** To the middle of the two places, and a line between them. */
  function fly({ pointA, pointB, distance, status }: ScenePair): void {
    const middle = pointA.map((x, k) => 0.5 * (x + pointB[k]));
    const apart = hypot(pointA[0] - pointB[0], pointA[1] - pointB[1], pointA[2] - pointB[2]);
    stage.flyTo(middle, Math.max(6 * apart, 0.25));
    line.show({ pointA, pointB, color: COLOR, text: formatDistance(distance, status) });
  }

  function set(next: readonly Measured[]): void {
    chosen = next;
    panel.show(chosen);
    outline.show(chosen.flatMap((one) => (one.kind === 'edge' ? [one.edge] : one.kind === 'face' ? one.edges : [])));
    const [a, b] = chosen;
    line.show(a ? { ...between(a, b), color: COLOR } : null);
  }

  function choose(hit: SceneRayHit): void {
    const one = workspace && findFeature(workspace, hit, panel.kind);
    if (one) set(chosen.length === 1 ? [...chosen, one] : [one]);
    else panel.refuse(`No ${panel.kind} there: ${hit.body} is round, or no mesh.`);
  }

  return {
    panel,
    clearances,
    refresh(next) {
      workspace = next;
      if (panel.active) listSoon();
    },
    add: choose,
    clear: () => set([]),
  };
}

/** Line and words between what was chosen. */
function between(a: Measured, b: Measured | undefined): { pointA: Point; pointB: Point; text: string } {
  const [from, to] = [a.hit.point, (b ?? a).hit.point];
  if (!b)
    return { pointA: from, pointB: from, text: a.kind === 'edge' ? formatLength(edgeLength(a.edge)) : a.hit.body };
  if (a.kind === 'edge' && b.kind === 'edge') {
    const { pair, distance } = measureEdges(a.edge, b.edge);
    return { pointA: pair[0], pointB: pair[1], text: formatLength(distance) };
  }
  if (a.kind === 'face' && b.kind === 'face') {
    const { distance, angle } = measureFaces(a, b);
    const text = distance === null ? `${((180 * angle) / Math.PI).toFixed(1)}°` : formatLength(distance);
    return { pointA: from, pointB: to, text };
  }
  return { pointA: from, pointB: to, text: formatLength(measurePoints(a.hit, b.hit).distance) };
}

/** Null where there is none at that place. */
function findFeature(workspace: Workspace, hit: SceneRayHit, kind: Measured['kind']): Measured | null {
  if (kind === 'point') return { kind, hit };
  const found = findBody(workspace, hit.body);
  const body =
    found?.kind === 'object'
      ? found.object.body
      : found?.robot.scene.links.find(({ name }) => name === found.link)?.body;
  const part = body?.parts[hit.part];
  const mesh = part && hit.child < 0 ? facetShape(part.collider.shape) : null;
  if (!part || !mesh) return null;
  const X = part.worldPlacement;
  const local = toPoint(inverseTransformPoint(new Float64Array(3), X, hit.point));
  const face = findFace(mesh, hit.triangle ?? triangleAt(mesh, local));
  if (!face) return null;
  const edge = kind === 'edge' ? findEdge(face, local) : null;
  if (kind === 'edge') return edge && { kind, hit, edge: place(X, edge) };
  return { kind, hit, normal: hit.normal, area: face.area, edges: face.edges.map((one) => place(X, one)) };
}

const toPoint = (list: ArrayLike<number>): Point => [list[0], list[1], list[2]];

function place(X: Transform, [a, b]: Segment): Segment {
  const at = (point: Point): Point => toPoint(transformPoint(new Float64Array(3), X, point));
  return [at(a), at(b)];
}

/** Edges, seen through everything. */
function createOutline(stage: Stage): { show(edges: readonly Segment[]): void; setVisible(visible: boolean): void } {
  const material = new LineBasicMaterial({ color: COLOR, depthTest: false, transparent: true });
  const lines = new LineSegments(new BufferGeometry(), material);
  lines.renderOrder = 9;
  lines.frustumCulled = false;
  stage.scene.add(lines);
  return {
    show(edges) {
      lines.geometry.dispose();
      lines.geometry = new BufferGeometry();
      lines.geometry.setAttribute('position', new BufferAttribute(Float32Array.from(edges.flat(2)), 3));
      stage.requestRender();
    },
    setVisible(visible) {
      lines.visible = visible;
      stage.requestRender();
    },
  };
}

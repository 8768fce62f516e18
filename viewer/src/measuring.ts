/**
 * Points that the user clicks while the section Measure is open, and the line between them, which stay where they were set; and all pairs
 * that are nearer than a margin, as things move.
 */
import { hypot } from 'clearance/math';
import { pairsWithin, type ScenePair, type SceneRayHit } from 'clearance/scene';
import { formatDistance, formatLength } from './format.js';
import { type ClearancePanel, createClearancePanel } from './panel/clearances.js';
import { createMeasurePanel, type MeasurePanel, measurePoints } from './panel/measure.js';
import { createLabelledLine } from './stage/labelled-line.js';
import type { Stage } from './stage/stage.js';
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
  let points: readonly SceneRayHit[] = [];
  const line = createLabelledLine(stage, container);
  const panel = createMeasurePanel({
    onToggle: (active) => {
      line.setVisible(active);
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

  function set(next: readonly SceneRayHit[]): void {
    points = next;
    panel.show(points);
    const [a, b = a] = points;
    line.show(
      a
        ? {
            pointA: a.point,
            pointB: b.point,
            color: COLOR,
            text: b === a ? a.body : formatLength(measurePoints(a, b).distance),
          }
        : null,
    );
  }

  return {
    panel,
    clearances,
    refresh(next) {
      workspace = next;
      if (panel.active) listSoon();
    },
    add: (hit) => set(points.length === 1 ? [...points, hit] : [hit]),
    clear: () => set([]),
  };
}

/** Points that the user clicks while the section Measure is open, and the line between them. They stay where they were set. */
import type { SceneRayHit } from 'clearance/scene';
import { formatLength } from './format.js';
import { createMeasurePanel, type MeasurePanel, measurePoints } from './panel/measure.js';
import { createLabelledLine } from './stage/labelled-line.js';
import type { Stage } from './stage/stage.js';

const COLOR = 0x7a3db8;

export interface Measuring {
  readonly panel: MeasurePanel;
  add(hit: SceneRayHit): void;
  clear(): void;
}

export function createMeasuring(stage: Stage, container: HTMLElement): Measuring {
  let points: readonly SceneRayHit[] = [];
  const line = createLabelledLine(stage, container);
  const panel = createMeasurePanel({
    onToggle: (active) => line.setVisible(active),
    onClear: () => set([]),
  });
  line.setVisible(false);

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
    add: (hit) => set(points.length === 1 ? [...points, hit] : [hit]),
    clear: () => set([]),
  };
}

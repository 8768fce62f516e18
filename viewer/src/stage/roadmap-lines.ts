/** The roadmap that a path was sought along: a line for each free motion, between the tool's places at its ends. */
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';
import type { Stage } from './stage.js';

const COLOR = 0x2f7d6b;

export interface RoadmapLines {
  /** Two points per motion; empty: none are shown. */
  show(points: Float32Array): void;
}

export function createRoadmapLines(stage: Stage): RoadmapLines {
  const material = new LineBasicMaterial({ color: COLOR, transparent: true, opacity: 0.35 });
  const lines = new LineSegments(new BufferGeometry(), material);
  lines.name = 'roadmap';
  lines.frustumCulled = false;
  stage.scene.add(lines);
  return {
    show(points) {
      lines.geometry.dispose();
      lines.geometry = new BufferGeometry();
      if (points.length > 0) lines.geometry.setAttribute('position', new BufferAttribute(points, 3));
      stage.requestRender();
    },
  };
}

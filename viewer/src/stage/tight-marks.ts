/** The places where a path is tightest, drawn as short lines between the two bodies that come near, with a dot at either end. */
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial } from 'three';
import type { TightPlace } from '../planning/clearance-profile.js';
import type { Stage } from './stage.js';

const COLOR = 0xb56a00;

export interface TightMarks {
  show(places: readonly TightPlace[]): void;
}

export function createTightMarks(stage: Stage): TightMarks {
  const overlay = { color: COLOR, depthTest: false, transparent: true };
  const lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial(overlay));
  const dots = new Points(lines.geometry, new PointsMaterial({ ...overlay, size: 7, sizeAttenuation: false }));
  lines.renderOrder = dots.renderOrder = 9;
  lines.frustumCulled = dots.frustumCulled = false;
  const group = new Group();
  group.name = 'tight places';
  group.add(lines, dots);
  group.visible = false;
  stage.scene.add(group);
  return {
    show(places) {
      group.visible = places.length > 0;
      if (places.length > 0) {
        const points = Float32Array.from(places.flatMap(({ pointA, pointB }) => [...pointA, ...pointB]));
        lines.geometry.dispose();
        lines.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
        dots.geometry = lines.geometry;
      }
      stage.requestRender();
    },
  };
}

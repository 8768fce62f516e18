/** The nearest pair: a line between the witness points, seen through everything, and its distance beside it. */
import type { ScenePair } from 'clearance/scene';
import { BufferAttribute, BufferGeometry, Points, PointsMaterial, Vector3 } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { formatLength } from '../format.js';
import type { Stage } from './stage.js';

const APART = 0x1463c8;
const TOUCHING = 0xd32f1e;
/** Pixels from the middle of the line, so that the label does not hide it. */
const LABEL_OFFSET = [18, -44] as const;

export interface NearestLine {
  show(pair: ScenePair | null): void;
  setVisible(visible: boolean): void;
}

export function createNearestLine(stage: Stage, container: HTMLElement): NearestLine {
  const label = document.createElement('div');
  label.className = 'distance-label';
  label.setAttribute('aria-hidden', 'true');
  container.append(label);

  const geometry = new LineGeometry();
  const material = new LineMaterial({ color: APART, linewidth: 2.5, depthTest: false, transparent: true });
  const line = new Line2(geometry, material);
  const ends = new BufferGeometry();
  ends.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
  const dots = new Points(
    ends,
    new PointsMaterial({ color: APART, size: 7, sizeAttenuation: false, depthTest: false, transparent: true }),
  );
  line.renderOrder = dots.renderOrder = 10;
  line.frustumCulled = dots.frustumCulled = false;
  stage.scene.add(line, dots);

  let pair: ScenePair | null = null;
  let wanted = true;
  const middle = new Vector3();
  const refresh = (): void => {
    const visible = wanted && pair !== null;
    line.visible = dots.visible = visible;
    label.hidden = !visible;
    stage.requestRender();
  };
  stage.onRender(() => {
    if (label.hidden || !pair) return;
    const { clientWidth: width, clientHeight: height } = container;
    middle.fromArray(pair.pointA).add(new Vector3().fromArray(pair.pointB)).multiplyScalar(0.5).project(stage.camera);
    const x = Math.min(Math.max(0.5 * (middle.x + 1) * width + LABEL_OFFSET[0], 4), width - label.offsetWidth - 4);
    const y = Math.min(Math.max(0.5 * (1 - middle.y) * height + LABEL_OFFSET[1], 4), height - label.offsetHeight - 4);
    label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    label.style.visibility = middle.z > 1 ? 'hidden' : 'visible';
  });
  refresh();
  return {
    show(next) {
      pair = next;
      if (pair) {
        const points = [...pair.pointA, ...pair.pointB];
        geometry.setPositions(points);
        (ends.getAttribute('position').array as Float32Array).set(points);
        ends.getAttribute('position').needsUpdate = true;
        const touching = pair.distance <= 0;
        material.color.set(touching ? TOUCHING : APART);
        dots.material.color.set(touching ? TOUCHING : APART);
        label.textContent = pair.status === 'collides' ? 'in contact' : formatLength(pair.distance);
        label.classList.toggle('touching', touching);
      }
      refresh();
    },
    setVisible(visible) {
      wanted = visible;
      refresh();
    },
  };
}

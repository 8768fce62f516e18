/** A line between two points with a dot at either end, seen through everything, and words beside it. */
import { BufferAttribute, BufferGeometry, type Object3D, Points, PointsMaterial, Vector3 } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { Stage } from './stage.js';

const CASING = 0xffffff;
/** Pixels from the middle of the line, so that the label does not hide it. */
const LABEL_OFFSET = [18, -44] as const;
/** Pixels: of a view's width, as in style.css; of what lies over its top. */
const NARROW = 760;
const TOOLS = 48;

export interface Labelled {
  readonly pointA: ArrayLike<number>;
  readonly pointB: ArrayLike<number>;
  readonly color: number;
  readonly text: string;
  /** The label's, besides `distance-label`. */
  readonly className?: string;
}

export interface LabelledLine {
  show(shown: Labelled | null): void;
  setVisible(visible: boolean): void;
}

export function createLabelledLine(stage: Stage, container: HTMLElement): LabelledLine {
  const label = document.createElement('div');
  label.setAttribute('aria-hidden', 'true');
  container.append(label);

  // A white casing keeps the line apart from links of its own colour.
  const casing = createLineAndDots(CASING, 5.5, 11, 10);
  const core = createLineAndDots(0, 2.5, 7, 11);
  stage.scene.add(...casing.objects, ...core.objects);

  let shown: Labelled | null = null;
  let wanted = true;
  const middle = new Vector3();
  const refresh = (): void => {
    const visible = wanted && shown !== null;
    for (const object of [...casing.objects, ...core.objects]) object.visible = visible;
    label.hidden = !visible;
    stage.requestRender();
  };
  stage.onRender(() => {
    if (label.hidden || !shown) return;
    const { clientWidth: width, clientHeight: height } = container;
    const { pointA, pointB } = shown;
    middle.fromArray(pointA).add(new Vector3().fromArray(pointB)).multiplyScalar(0.5).project(stage.camera);
    const x = Math.min(Math.max(0.5 * (middle.x + 1) * width + LABEL_OFFSET[0], 4), width - label.offsetWidth - 4);
    // Where a view is narrow, what lies over its top takes all of its width.
    const top = width <= NARROW && container.querySelector('.stage-tools') ? TOOLS : 4;
    const y = Math.min(Math.max(0.5 * (1 - middle.y) * height + LABEL_OFFSET[1], top), height - label.offsetHeight - 4);
    label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    label.style.visibility = middle.z > 1 ? 'hidden' : 'visible';
  });
  refresh();
  return {
    show(next) {
      shown = next;
      if (shown) {
        casing.place(shown);
        core.place(shown);
        core.setColor(shown.color);
        label.textContent = shown.text;
        label.className = ['distance-label', shown.className ?? ''].join(' ').trim();
      }
      refresh();
    },
    setVisible(visible) {
      wanted = visible;
      refresh();
    },
  };
}

interface LineAndDots {
  readonly objects: readonly Object3D[];
  place(shown: Labelled): void;
  setColor(color: number): void;
}

/** In pixels, drawn over everything in the given order. */
function createLineAndDots(color: number, linewidth: number, size: number, renderOrder: number): LineAndDots {
  const overlay = { color, depthTest: false, transparent: true };
  const geometry = new LineGeometry();
  const line = new Line2(geometry, new LineMaterial({ ...overlay, linewidth }));
  const ends = new BufferGeometry();
  const positions = new BufferAttribute(new Float32Array(6), 3);
  ends.setAttribute('position', positions);
  const dots = new Points(ends, new PointsMaterial({ ...overlay, size, sizeAttenuation: false }));
  line.renderOrder = dots.renderOrder = renderOrder;
  line.frustumCulled = dots.frustumCulled = false;
  return {
    objects: [line, dots],
    place({ pointA, pointB }) {
      const both = [pointA[0], pointA[1], pointA[2], pointB[0], pointB[1], pointB[2]];
      geometry.setPositions(both);
      positions.set(both);
      positions.needsUpdate = true;
    },
    setColor(next) {
      line.material.color.set(next);
      dots.material.color.set(next);
    },
  };
}

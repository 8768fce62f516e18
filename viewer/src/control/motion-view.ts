/** A motion in the drawing: the tool's path, blend zones, places near singularities, iterations of a descent. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
} from 'three';
import type { MotionAnswer, ShownPlace } from './messages.js';

const PATH = 0x7a5bc7;
const BLEND = 0x1463c8;
const NEAR = 0xb56a00;
const FAULT = 0xd32f1e;
const FIRST = new Color(0xc9cdd2);
const LAST = new Color(0x7a5bc7);
const MARK = 0.012;
const MOST_LINES = 300;

export interface MotionView {
  readonly root: Group;
  /** The tool's path with its blend zones and marked places; what was shown before goes. */
  showMotion(answer: MotionAnswer): void;
  /** The tool's paths of all iterations so far; those that are drawn stay. At most some hundred are. */
  addIterations(tools: readonly Float32Array[]): void;
  /** That of one iteration stands out. */
  chooseIteration(index: number, tool: Float32Array): void;
  clear(): void;
}

export function createMotionView(): MotionView {
  const root = new Group();
  let iterations: Line<BufferGeometry, LineBasicMaterial>[] = [];
  let chosen: Line<BufferGeometry, LineBasicMaterial> | null = null;

  const addLine = (points: Float32Array, color: Color | number, opacity = 1) => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(points, 3));
    const line = new Line(geometry, new LineBasicMaterial({ color, transparent: opacity < 1, opacity }));
    line.frustumCulled = false;
    root.add(line);
    return line;
  };
  const addBall = (at: readonly number[], radius: number, color: number, opacity: number): void => {
    const material = new MeshBasicMaterial({ color, transparent: true, opacity, depthWrite: false });
    const ball = new Mesh(new SphereGeometry(radius, 24, 16), material);
    ball.position.set(at[0], at[1], at[2]);
    root.add(ball);
  };
  const recolour = (last: number): void => {
    iterations.forEach(({ material }, i) => {
      const share = iterations.length > 1 ? i / (iterations.length - 1) : 1;
      material.color.copy(FIRST).lerp(LAST, share);
      material.opacity = i === last ? 1 : 0.25;
    });
  };

  return {
    root,
    showMotion({ tool, moves, singularities, place, status }) {
      this.clear();
      if (tool.length > 0) addLine(tool, PATH);
      for (const { corner, blended } of moves) if (corner) addBall(corner, blended, BLEND, 0.16);
      const marks: [ShownPlace, number][] = singularities.map((near) => [near, NEAR]);
      if (place && status !== 'solved') marks.push([place, FAULT]);
      for (const [{ position }, color] of marks) addBall(position, MARK, color, 0.9);
    },
    addIterations(tools) {
      while (iterations.length < Math.min(tools.length, MOST_LINES))
        iterations.push(addLine(tools[iterations.length], FIRST, 0.99));
      recolour(iterations.length - 1);
    },
    chooseIteration(index, tool) {
      chosen?.removeFromParent();
      chosen?.geometry.dispose();
      chosen = addLine(tool, PATH);
      recolour(Math.min(index, iterations.length));
    },
    clear() {
      iterations = [];
      chosen = null;
      for (const object of [...root.children]) {
        object.removeFromParent();
        if (object instanceof Line || object instanceof Mesh) {
          object.geometry.dispose();
          (object.material as LineBasicMaterial).dispose();
        }
      }
    },
  };
}

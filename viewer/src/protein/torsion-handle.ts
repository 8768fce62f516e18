/**
 * The ring about a torsion's bond, to drag it by: its full circle thin, and thick the angle itself, from the plane of the
 * first three atoms to that of the last three. Drawn over everything.
 */
import type { ProteinTorsion } from 'clearance/molecule';
import { Group, Vector3 } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { Stage } from '../stage/stage.js';
import { RENEWED } from './protein-view.js';
import type { AxisView, Point } from './torsion-drag.js';

export interface TorsionHandle {
  readonly root: Group;
  show(torsion: ProteinTorsion, positions: Float64Array): void;
  hide(): void;
  /** Null when no ring is shown. */
  readonly axis: AxisView | null;
  /** Whether the pointer is on the ring or its bond. */
  isNear(pointer: Point): boolean;
}

/** Angstrom and pixels, whichever is more. */
const RADIUS = 2.6;
const LEAST_PIXELS = 40;
const CIRCLE_STEPS = 72;
/** Pixels between pointer and ring. */
const REACH = 12;
const CASING = 0xffffff;

export function createTorsionHandle(stage: Stage): TorsionHandle {
  const circle = createLine(1.5);
  const arc = createLine(4);
  const root = new Group();
  root.add(...circle.lines, ...arc.lines);
  root.visible = false;
  const [b, c] = [new Vector3(), new Vector3()];
  const center = new Vector3();
  const axis = new Vector3();
  const [start, side] = [new Vector3(), new Vector3()];
  let sign = 1;
  let value = 0;
  let ringRadius = RADIUS;

  const pointAt = (angle: number, radius = ringRadius): Vector3 =>
    center
      .clone()
      .addScaledVector(start, radius * Math.cos(angle))
      .addScaledVector(side, radius * Math.sin(angle));

  function chooseRadius(): number {
    const { camera, canvas } = stage;
    const across = 2 * Math.tan((camera.fov * Math.PI) / 360) * camera.position.distanceTo(center);
    return Math.max(RADIUS, (LEAST_PIXELS * across) / Math.max(canvas.clientHeight, 1));
  }

  function draw(): void {
    circle.place(Array.from({ length: CIRCLE_STEPS + 1 }, (_, i) => pointAt((2 * Math.PI * i) / CIRCLE_STEPS)));
    const steps = Math.max(2, Math.ceil((Math.abs(value) / (2 * Math.PI)) * CIRCLE_STEPS));
    const curve = Array.from({ length: steps + 1 }, (_, i) => pointAt((value * i) / steps));
    arc.place([pointAt(0, 0), ...curve, pointAt(value, 0)]);
  }

  // The camera may have come nearer or gone away.
  stage.onRender(() => {
    if (!root.visible) return;
    const next = chooseRadius();
    if (Math.abs(next / ringRadius - 1) < 0.02) return;
    ringRadius = next;
    draw();
  });

  return {
    root,
    hide() {
      root.visible = false;
      stage.requestRender();
    },
    show(torsion, positions) {
      root.visible = true;
      stage.requestRender();
      const [a, d] = [new Vector3(), new Vector3()];
      for (const [i, point] of [a, b, c, d].entries()) point.fromArray(positions, 3 * torsion.atoms[i]);
      sign = torsion.bond[1] === torsion.atoms[2] ? 1 : -1;
      center.addVectors(b, c).multiplyScalar(0.5);
      axis.subVectors(c, b).normalize();
      start.subVectors(a, b);
      start.addScaledVector(axis, -start.dot(axis)).normalize();
      side.crossVectors(axis, start);
      d.sub(c);
      value = Math.atan2(d.dot(side), d.dot(start));
      ringRadius = chooseRadius();
      draw();
    },
    get axis() {
      if (!root.visible) return null;
      const eye = stage.camera.position.clone().sub(center).normalize();
      const moving = axis.clone().multiplyScalar(sign);
      const near = center
        .clone()
        .addScaledVector(eye, RADIUS)
        .addScaledVector(moving, -RADIUS * eye.dot(moving));
      const tip = near.clone().addScaledVector(moving.clone().cross(eye).normalize(), ringRadius);
      const project = createProjection(stage);
      const [p, q] = [project(near), project(tip)];
      return { center: project(center), facing: moving.dot(eye), lever: { x: q.x - p.x, y: q.y - p.y } };
    },
    isNear(pointer) {
      if (!root.visible) return false;
      const project = createProjection(stage);
      if (distanceToSegment(pointer, project(b), project(c)) <= REACH) return true;
      let before = project(pointAt(0));
      for (let i = 1; i <= CIRCLE_STEPS; i++) {
        const point = project(pointAt((2 * Math.PI * i) / CIRCLE_STEPS));
        if (distanceToSegment(pointer, before, point) <= REACH) return true;
        before = point;
      }
      return false;
    },
  };
}

/** A line with a white casing, so that it stands out from what has its colour. */
function createLine(width: number): { readonly lines: readonly Line2[]; place(points: readonly Vector3[]): void } {
  const geometry = new LineGeometry();
  const lines = [
    [CASING, width + 2.5, 12],
    [RENEWED, width, 13],
  ].map(([color, linewidth, renderOrder]) => {
    const line = new Line2(geometry, new LineMaterial({ color, linewidth, depthTest: false, transparent: true }));
    line.renderOrder = renderOrder;
    line.frustumCulled = false;
    return line;
  });
  return {
    lines,
    place(points) {
      geometry.setPositions(points.flatMap(({ x, y, z }) => [x, y, z]));
      // Its number of segments is taken when the geometry is first drawn.
      geometry.instanceCount = points.length - 1;
    },
  };
}

export type Projection = (point: Vector3) => Point & { readonly depth: number };

/** To the page's pixels, with the depth that the camera gives, as the page and the camera are now. */
export function createProjection({ canvas, camera }: Stage): Projection {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const seen = new Vector3();
  return (point) => {
    const { x, y, z } = seen.copy(point).project(camera);
    return { x: left + 0.5 * (x + 1) * width, y: top + 0.5 * (1 - y) * height, depth: z };
  };
}

export function distanceToSegment({ x, y }: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / squared)) : 0;
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
}

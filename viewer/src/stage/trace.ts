/** The way of the tool along a path, as a line. */

import { createTransform } from 'clearance/math';
import { interpolateConfiguration } from 'clearance/model';
import { robotFramePlacement, setConfiguration } from 'clearance/scene';
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial } from 'three';
import type { WorkspaceRobot } from '../workspace.js';
import { toolLink } from './tool-link.js';

const COLOR = 0x7a5bc7;
const BROKEN = 0xb56a00;
const STEPS = 40;

export interface Trace {
  readonly line: Line<BufferGeometry, LineBasicMaterial>;
  show(robot: WorkspaceRobot | null, path: readonly Float64Array[]): void;
  /** The path is no longer known to be free. */
  setBroken(broken: boolean): void;
}

export function createTrace(): Trace {
  const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: COLOR }));
  line.frustumCulled = false;
  return {
    line,
    show(robot, path) {
      line.geometry.dispose();
      line.geometry = new BufferGeometry();
      if (robot && path.length > 1)
        line.geometry.setAttribute('position', new BufferAttribute(tracePoints(robot, path), 3));
    },
    setBroken(broken) {
      line.material.color.set(broken ? BROKEN : COLOR);
    },
  };
}

function tracePoints(robot: WorkspaceRobot, path: readonly Float64Array[]): Float32Array {
  const { scene, model } = robot;
  const shown = scene.q.slice();
  const frame = toolLink(robot);
  const q = new Float64Array(model.nq);
  const placement = createTransform();
  const points: number[] = [];
  for (let i = 1; i < path.length; i++) {
    for (let k = i === 1 ? 0 : 1; k <= STEPS; k++) {
      setConfiguration(scene, interpolateConfiguration(q, model, path[i - 1], path[i], k / STEPS));
      robotFramePlacement(placement, scene, frame);
      points.push(placement[9], placement[10], placement[11]);
    }
  }
  setConfiguration(scene, shown);
  return Float32Array.from(points);
}

/** What a path sweeps as an STL file: the shown shapes of the robot at places spread evenly over it, one mesh of them all. Not a proof. */
import { writeStl } from 'clearance/io';
import { type Scene, setConfiguration, updateScene } from 'clearance/scene';
import { createRobotObject, updateRobotObject } from 'clearance/three';
import { type BufferGeometry, type Matrix4, Mesh, Vector3 } from 'three';
import { downloadBytes } from '../download.js';
import type { WorkspaceRobot } from '../workspace.js';
import { configurationAt, listTimes } from './path-times.js';

const MOST_TRIANGLES = 1_000_000;
const MOST_PLACES = 60;
const LEAST_PLACES = 8;

export function saveSwept(scene: Scene, robot: WorkspaceRobot, path: readonly Float64Array[]): void {
  const { model, scene: stood, meshes } = robot;
  const { description } = stood;
  const object = createRobotObject({ description, meshes });
  const hasVisual = description.visuals.length > 0;
  for (const { visual, collision } of object.links.values()) {
    visual.visible = hasVisual;
    collision.visible = !hasVisual;
  }
  const parts: { readonly geometry: BufferGeometry; readonly matrix: Matrix4 }[] = [];
  object.root.traverseVisible((child) => {
    if (child instanceof Mesh) parts.push({ geometry: child.geometry as BufferGeometry, matrix: child.matrixWorld });
  });
  const count = parts.reduce((sum, { geometry }) => sum + cornersOf(geometry) / 3, 0);
  const places = Math.max(LEAST_PLACES, Math.min(MOST_PLACES, Math.floor(MOST_TRIANGLES / Math.max(count, 1))));
  const vertices = new Float64Array(9 * count * places);
  const times = listTimes(model, path);
  const before = stood.q.slice();
  const q = new Float64Array(model.nq);
  const point = new Vector3();
  let at = 0;
  for (let i = 0; i < places; i++) {
    setConfiguration(stood, configurationAt(q, model, path, times, (i / (places - 1)) * times[times.length - 1]));
    updateScene(scene);
    updateRobotObject(object, model, stood.data);
    object.root.updateMatrixWorld(true);
    for (const { geometry, matrix } of parts) {
      const { position } = geometry.attributes;
      for (let k = 0; k < cornersOf(geometry); k++) {
        point.fromBufferAttribute(position, geometry.index ? geometry.index.getX(k) : k).applyMatrix4(matrix);
        vertices.set([point.x, point.y, point.z], at);
        at += 3;
      }
    }
  }
  setConfiguration(stood, before);
  updateScene(scene);
  object.dispose();
  const triangles = Uint32Array.from({ length: vertices.length / 3 }, (_, i) => i);
  downloadBytes('swept.stl', writeStl({ vertices, triangles }), 'model/stl');
}

const cornersOf = ({ index, attributes }: BufferGeometry): number => index?.count ?? attributes.position.count;

/** What a path sweeps: the robot at places spread evenly over it, translucent. Shown, not measured. */
import type { Model } from 'clearance/model';
import { type Scene, type SceneRobot, setConfiguration, updateScene } from 'clearance/scene';
import { createRobotObject, type RobotObject, updateRobotObject } from 'clearance/three';
import { MeshStandardMaterial } from 'three';
import { configurationAt, listTimes } from '../planning/path-times.js';
import type { WorkspaceRobot } from '../workspace.js';
import type { Stage } from './stage.js';

const PLACES = 14;
const COLOR = 0x7a5bc7;

export interface Swept {
  /** Null: nothing is shown. The robot is left where it stood. */
  show(scene: Scene, robot: WorkspaceRobot | null, path: readonly Float64Array[]): void;
}

export function createSwept(stage: Stage): Swept {
  const material = new MeshStandardMaterial({ color: COLOR, transparent: true, opacity: 0.1, depthWrite: false });
  const shown: RobotObject[] = [];
  function clear(): void {
    for (const object of shown.splice(0)) {
      object.root.removeFromParent();
      object.dispose();
    }
    stage.requestRender();
  }
  return {
    show(scene, robot, path) {
      clear();
      if (!robot || path.length < 2) return;
      const { model, scene: stood, meshes } = robot;
      const { description } = stood;
      const hasVisual = description.visuals.length > 0;
      forEachPlace(model, stood, path, () => {
        updateScene(scene);
        const object = createRobotObject({ description, meshes, createMaterial: () => material });
        for (const { visual, collision } of object.links.values()) {
          visual.visible = hasVisual;
          collision.visible = !hasVisual;
        }
        updateRobotObject(object, model, stood.data);
        object.root.name = 'swept';
        stage.scene.add(object.root);
        shown.push(object);
      });
      updateScene(scene);
      stage.requestRender();
    },
  };
}

function forEachPlace(model: Model, robot: SceneRobot, path: readonly Float64Array[], act: () => void): void {
  const before = robot.q.slice();
  const times = listTimes(model, path);
  const q = new Float64Array(model.nq);
  for (let i = 0; i < PLACES; i++) {
    setConfiguration(robot, configurationAt(q, model, path, times, (i / (PLACES - 1)) * times[times.length - 1]));
    act();
  }
  setConfiguration(robot, before);
}

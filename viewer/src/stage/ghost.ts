/** A robot where it is meant to go: translucent, in a context of the scene of its own, with handles on its tool. */
import { createTransform, type Pose, poseToTransform } from 'clearance/math';
import {
  createContext,
  disposeScene,
  isSceneFree,
  moveObject,
  robotIn,
  type Scene,
  type SceneRobot,
  setConfiguration,
  updateScene,
} from 'clearance/scene';
import { createRobotObject, placeObject, updateRobotObject } from 'clearance/three';
import { MeshStandardMaterial, Object3D } from 'three';
import { createToolArm, type ToolArm } from '../tool-arm.js';
import type { WorkspaceRobot } from '../workspace.js';
import { createGizmo, type GizmoMode } from './gizmo.js';
import type { Stage } from './stage.js';

const FREE = 0x1463c8;
const TOUCHING = 0xd32f1e;

export interface Ghost {
  /** Null where none is shown. */
  readonly q: Float64Array | null;
  /** A handle is held or under the pointer. */
  readonly isHandled: boolean;
  readonly dragging: boolean;
  /** Shows the robot at a configuration. */
  show(scene: Scene, robot: WorkspaceRobot, q: ArrayLike<number>): void;
  /** After something moved in the scene. */
  refresh(): void;
  setMode(mode: GizmoMode): void;
  hide(): void;
}

interface Shown {
  readonly robot: WorkspaceRobot;
  readonly object: ReturnType<typeof createRobotObject>;
  readonly material: MeshStandardMaterial;
  readonly scene: Scene;
  readonly context: Scene;
  readonly stood: SceneRobot;
  readonly arm: ToolArm | null;
}

/** @param onDrag the tool was dragged; whether it got where the hand is */
export function createGhost(stage: Stage, onDrag: (q: Float64Array, isReached: boolean) => void): Ghost {
  const handle = new Object3D();
  stage.scene.add(handle);
  const wished = createTransform();
  const placement = createTransform();
  let shown: Shown | null = null;

  const gizmo = createGizmo(stage, (pose: Pose) => {
    if (!shown?.arm) return;
    const isReached = shown.arm.reach(poseToTransform(wished, pose));
    if (isReached !== null) follow(shown, isReached);
  });

  function follow(moved: Shown, isReached: boolean): void {
    draw(moved);
    onDrag(moved.stood.q.slice(), isReached);
  }

  function draw({ robot, object, material, context, stood, arm }: Shown): void {
    updateScene(context);
    updateRobotObject(object, robot.model, stood.data);
    material.color.set(isSceneFree(context) ? FREE : TOUCHING);
    if (arm && !gizmo.dragging) placeObject(handle, arm.place(placement));
    stage.requestRender();
  }

  function hide(): void {
    if (!shown) return;
    gizmo.attach(null);
    shown.object.root.removeFromParent();
    shown.object.dispose();
    disposeScene(shown.context);
    shown = null;
    stage.requestRender();
  }

  return {
    get q() {
      return shown ? shown.stood.q.slice() : null;
    },
    get isHandled() {
      return gizmo.dragging || gizmo.hovered;
    },
    get dragging() {
      return gizmo.dragging;
    },
    show(scene, robot, q) {
      if (shown?.robot !== robot) {
        hide();
        const material = new MeshStandardMaterial({ transparent: true, opacity: 0.32, depthWrite: false });
        const { description } = robot.scene;
        const object = createRobotObject({ description, meshes: robot.meshes, createMaterial: () => material });
        const hasVisual = description.visuals.length > 0;
        for (const { visual, collision } of object.links.values()) {
          visual.visible = hasVisual;
          collision.visible = !hasVisual;
        }
        object.root.name = 'goal';
        stage.scene.add(object.root);
        const context = createContext(scene);
        const stood = robotIn(context, robot.scene);
        shown = {
          robot,
          object,
          material,
          scene,
          context,
          stood,
          arm: createToolArm({ ...robot, scene: stood }, stage.whenReady()),
        };
        const made = shown;
        made.arm?.onLate((isReached) => made === shown && follow(made, isReached));
        gizmo.attach(shown.arm ? handle : null);
      }
      setConfiguration(shown.stood, Float64Array.from(q));
      draw(shown);
    },
    refresh() {
      if (!shown) return;
      const { scene, context } = shown;
      for (const [name, { attachment, body }] of scene.objects) {
        const own = context.objects.get(name);
        if (own && !attachment && !own.attachment) moveObject(context, own, body.worldPlacement);
      }
      draw(shown);
    },
    setMode: (mode) => gizmo.setMode(mode),
    hide,
  };
}

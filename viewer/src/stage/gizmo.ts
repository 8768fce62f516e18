/** Handles to drag something by: an object of the scene, or a robot's tool. */
import type { Pose } from 'clearance/math';
import { toPose } from 'clearance/three';
import type { Object3D } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Stage } from './stage.js';

export type GizmoMode = 'translate' | 'rotate';
export type ObjectGizmoMode = GizmoMode | 'scale';

export interface Gizmo {
  /** Null takes the handles away. */
  attach(object: Object3D | null): void;
  setMode(mode: ObjectGizmoMode): void;
  /** The object was moved by other means. */
  follow(): void;
  /** A handle is held, or was let go within this event. */
  readonly dragging: boolean;
  /** The pointer is over a handle. */
  readonly hovered: boolean;
}

/** `onScale`: factors along the object's axes since the handle was taken; the object itself keeps its scale. */
export function createGizmo(
  stage: Stage,
  onMove: (pose: Pose) => void,
  onScale?: (factors: readonly [number, number, number], isStart: boolean) => void,
): Gizmo {
  const controls = new TransformControls(stage.camera, stage.canvas);
  controls.setSize(0.8);
  stage.scene.add(controls.getHelper());
  let dragging = false;
  let isStart = false;
  controls.addEventListener('dragging-changed', ({ value }) => {
    stage.controls.enabled = !value;
    // The pointer's release ends the drag and may be taken for a click right after.
    isStart = value === true;
    if (value) dragging = true;
    else
      setTimeout(() => {
        dragging = false;
      });
  });
  controls.addEventListener('change', () => stage.requestRender());
  controls.addEventListener('objectChange', () => {
    const { object } = controls;
    if (object && controls.mode === 'scale') {
      const factors = object.scale.toArray();
      object.scale.setScalar(1);
      onScale?.(factors, isStart);
      isStart = false;
    } else if (object) onMove(toPose(object.position, object.quaternion));
  });
  return {
    attach(object) {
      if (object) controls.attach(object);
      else controls.detach();
      stage.requestRender();
    },
    setMode: (mode) => controls.setMode(mode),
    follow: () => stage.requestRender(),
    get dragging() {
      return dragging;
    },
    get hovered() {
      return controls.object !== undefined && controls.axis !== null;
    },
  };
}

/** Handles to drag something by: an object of the scene, or a robot's tool. */
import type { Pose } from 'clearance/math';
import { toPose } from 'clearance/three';
import type { Object3D } from 'three';
import type { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Stage } from './stage.js';

const SNAP_ANGLE = Math.PI / 12;

export type GizmoMode = 'translate' | 'rotate';
export type ObjectGizmoMode = GizmoMode | 'scale';

export interface Gizmo {
  /** Null takes the handles away. */
  attach(object: Object3D | null): void;
  setMode(mode: ObjectGizmoMode): void;
  /** To the grid's cells, and to SNAP_ANGLE. */
  setSnap(snaps: boolean): void;
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
  let controls: TransformControls | null = null;
  let mode: ObjectGizmoMode = 'translate';
  let wanted: Object3D | null = null;
  let dragging = false;
  let snaps = false;
  let isStart = false;

  /** Fetched when something is first to be dragged. */
  async function begin(): Promise<void> {
    const { TransformControls } = await import('three/addons/controls/TransformControls.js');
    if (controls) return;
    controls = listen(new TransformControls(stage.camera, stage.canvas));
    show();
  }

  function listen(made: TransformControls): TransformControls {
    made.setSize(0.8);
    stage.scene.add(made.getHelper());
    made.addEventListener('dragging-changed', ({ value }) => {
      stage.controls.enabled = !value;
      // The pointer's release ends the drag and may be taken for a click right after.
      isStart = value === true;
      if (value) dragging = true;
      else
        setTimeout(() => {
          dragging = false;
        });
    });
    made.addEventListener('change', () => stage.requestRender());
    made.addEventListener('objectChange', () => {
      const { object } = made;
      if (object && made.mode === 'scale') {
        const factors = object.scale.toArray();
        object.scale.setScalar(1);
        onScale?.(factors, isStart);
        isStart = false;
      } else if (object) onMove(toPose(object.position, object.quaternion));
    });
    return made;
  }

  function show(): void {
    if (!controls && wanted) void begin();
    controls?.setMode(mode);
    controls?.setTranslationSnap(snaps ? stage.gridCell() : null);
    controls?.setRotationSnap(snaps ? SNAP_ANGLE : null);
    if (wanted) controls?.attach(wanted);
    else controls?.detach();
    stage.requestRender();
  }

  return {
    attach(object) {
      wanted = object;
      show();
    },
    setMode(next) {
      mode = next;
      controls?.setMode(mode);
    },
    setSnap(next) {
      snaps = next;
      show();
    },
    follow: () => stage.requestRender(),
    get dragging() {
      return dragging;
    },
    get hovered() {
      return controls !== null && controls.object !== undefined && controls.axis !== null;
    },
  };
}

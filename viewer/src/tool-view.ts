/** All about the tool and the mechanics of the shown robot: handles, ellipsoid, centre of mass, joint limits. */
import {
  computeCenterOfMass,
  computeFrameJacobian,
  computeManipulability,
  createManipulability,
  type Manipulability,
} from 'clearance/kinematics';
import { createTransform, poseToTransform } from 'clearance/math';
import { placeObject } from 'clearance/three';
import { Box3, Group, Object3D, Sphere } from 'three';
import type { Layers } from './panel/display.js';
import { createToolPanel, type ToolPanel } from './panel/tool.js';
import { createEllipsoid } from './stage/ellipsoid.js';
import { createGizmo } from './stage/gizmo.js';
import { createLimitArcs } from './stage/limit-arcs.js';
import { createMassPoint } from './stage/mass-point.js';
import type { Stage } from './stage/stage.js';
import { listTools } from './stage/tool-link.js';
import { createToolArm, type ToolArm } from './tool-arm.js';
import type { WorkspaceRobot } from './workspace.js';

export interface ToolView {
  readonly panel: ToolPanel;
  /** A handle is held. */
  readonly dragging: boolean;
  /** A handle is held or under the pointer. */
  readonly isHandled: boolean;
  setRobot(robot: WorkspaceRobot | null): void;
  /** After another link was made the tool elsewhere. */
  renew(): void;
  /** After the robot moved. */
  refresh(): void;
  applyLayers(layers: Layers): void;
}

/** @param onMove after a drag moved the robot */
export function createToolView(stage: Stage, onMove: () => void): ToolView {
  const handle = new Object3D();
  const ellipsoid = createEllipsoid();
  const massPoint = createMassPoint();
  const arcs = createLimitArcs();
  const marks = new Group();
  marks.add(handle, ellipsoid.object, massPoint.object, arcs.object);
  stage.scene.add(marks);
  let robot: WorkspaceRobot | null = null;
  let arm: ToolArm | null = null;
  let shape: Manipulability | null = null;
  let jacobian = new Float64Array(0);
  let size = 1;
  const placement = createTransform();
  const wished = createTransform();
  const center = new Float64Array(3);

  const gizmo = createGizmo(stage, (pose) => {
    const isReached = arm?.reach(poseToTransform(wished, pose)) ?? null;
    if (isReached !== null) follow(isReached);
  });
  const panel = createToolPanel(
    (mode) => {
      if (mode) gizmo.setMode(mode);
      placeHandle();
      gizmo.attach(mode && arm ? handle : null);
    },
    (link) => {
      if (robot) robot.tool = link;
      chooseTool();
      onMove();
    },
  );

  function follow(isReached: boolean): void {
    panel.showReach(isReached);
    onMove();
  }

  function chooseTool(): void {
    arm = robot && createToolArm(robot, stage.whenReady());
    const made = arm;
    made?.onLate((isReached) => made === arm && follow(isReached));
    shape = robot && arm && createManipulability(robot.model.nv, 'linear');
    panel.setTool(arm?.link ?? null, robot ? listTools(robot) : []);
    placeHandle();
    gizmo.attach(panel.mode && arm ? handle : null);
  }

  function placeHandle(): void {
    if (arm && !gizmo.dragging) placeObject(handle, arm.place(placement));
  }

  return {
    panel,
    get isHandled() {
      return gizmo.dragging || gizmo.hovered;
    },
    get dragging() {
      return gizmo.dragging;
    },
    setRobot(next) {
      robot = next;
      jacobian = new Float64Array(6 * (robot?.model.nv ?? 0));
      size = robot ? 2 * new Box3().setFromObject(robot.object.root).getBoundingSphere(new Sphere()).radius : 1;
      arcs.setRobot(robot, size);
      chooseTool();
    },
    renew: chooseTool,
    refresh() {
      if (!robot) return;
      const { model, scene } = robot;
      computeCenterOfMass(center, model, scene.data);
      massPoint.show(center, size);
      arcs.refresh();
      if (!arm || !shape) return;
      placeHandle();
      arm.place(placement);
      computeFrameJacobian(jacobian, model, scene.data, arm.frame, 'local-world-aligned');
      ellipsoid.show(placement.subarray(9, 12), computeManipulability(shape, jacobian));
      panel.show(shape);
    },
    applyLayers(layers) {
      ellipsoid.object.visible = layers.ellipsoid && arm !== null;
      massPoint.object.visible = layers.mass && robot !== null;
      arcs.object.visible = layers.limits;
    },
  };
}

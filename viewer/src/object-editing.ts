/** Objects of the scene under the user's hands: chosen, moved, turned, resized by handles or numbers, added, duplicated, deleted. */
import type { Shape } from 'clearance/geometry';
import type { Pose } from 'clearance/math';
import { touchingPairs } from 'clearance/scene';
import { letGo, takeObject } from './holding.js';
import { uniqueName } from './load/mesh-objects.js';
import { type AddedKind, createAddedShape, isSized, scaleShape } from './object-shapes.js';
import { createObjectPanel } from './panel/objects.js';
import type { SceneEdit } from './planning/plan-answer.js';
import { createGizmo, type Gizmo } from './stage/gizmo.js';
import type { Stage } from './stage/stage.js';
import {
  addWorkspaceObject,
  describeObject,
  placeWorkspaceObject,
  removeWorkspaceObject,
  reshapeWorkspaceObject,
  type Workspace,
  type WorkspaceObject,
} from './workspace.js';

export interface ObjectEditingHandlers {
  /** An object was changed: what follows the scene has to know. */
  onEdit(edit: SceneEdit): void;
  /** What takes objects: the place of a robot and its tool's link; null: nothing does. */
  tool(): { readonly robot: number; readonly link: string } | null;
  /** Something new is chosen that the panel should show. */
  onNew(): void;
}

const LIFTS = 40;

export class ObjectEditing {
  readonly panel = createObjectPanel({
    onSelect: (index) => {
      const object = this.workspace?.objects[index];
      // Objects held by a robot get no handles.
      this.gizmo.attach(object && object.scene.attachment === null ? object.mesh : null);
    },
    onMove: (index, pose) => this.move(index, pose),
    onReshape: (index, shape) => this.reshape(index, shape),
    onMode: (mode) => this.gizmo.setMode(mode),
    onSnap: (snaps) => this.gizmo.setSnap(snaps),
    onAdd: (kind) => this.add(kind),
    onDuplicate: (index) => this.duplicate(index),
    onDelete: (index) => this.delete(index),
    onHold: (index) => this.hold(index),
  });
  private workspace: Workspace | null = null;
  private shapeBefore: Shape | null = null;
  readonly gizmo: Gizmo;

  constructor(
    private readonly stage: Stage,
    private readonly handlers: ObjectEditingHandlers,
  ) {
    this.gizmo = createGizmo(
      stage,
      (pose) => {
        if (this.panel.selected >= 0) this.move(this.panel.selected, pose);
      },
      (factors, isStart) => {
        const object = this.workspace?.objects[this.panel.selected];
        if (!object) return;
        if (isStart) this.shapeBefore = object.scene.shape;
        if (this.shapeBefore && isSized(this.shapeBefore))
          this.reshape(this.panel.selected, scaleShape(this.shapeBefore, factors));
      },
    );
  }

  setWorkspace(workspace: Workspace | null): void {
    this.panel.select(-1);
    this.workspace = workspace;
    this.panel.setObjects(workspace?.objects ?? [], (workspace?.robots.length ?? 0) > 0);
  }

  /** After objects came, went or changed by other means; what was chosen stays chosen where it is still there. */
  refresh(): void {
    if (!this.workspace) return;
    const { objects } = this.workspace;
    const name = this.chosen?.scene.name;
    this.panel.setObjects(objects);
    this.panel.select(objects.findIndex(({ scene }) => scene.name === name));
    this.gizmo.follow();
  }

  get chosen(): WorkspaceObject | null {
    return this.workspace?.objects[this.panel.selected] ?? null;
  }

  private move(index: number, pose: Pose): void {
    const object = this.workspace?.objects[index];
    if (!this.workspace || !object || object.scene.attachment) return;
    placeWorkspaceObject(this.workspace, object, pose);
    this.show(object);
  }

  private reshape(index: number, shape: Shape): void {
    const object = this.workspace?.objects[index];
    if (!this.workspace || !object || object.scene.attachment) return;
    reshapeWorkspaceObject(this.workspace, object, shape);
    this.show(object);
  }

  /** After an object was moved or changed. */
  private show(object: WorkspaceObject): void {
    this.panel.refresh();
    this.handlers.onEdit(describeObject(object));
    this.gizmo.follow();
  }

  /** Where the camera looks, lifted until it touches nothing. */
  private add(kind: AddedKind): void {
    if (!this.workspace) return;
    const size = this.stage.chooseSize();
    const [x, y, z] = this.stage.view().slice(3);
    this.placeNew(kind, createAddedShape(kind, size), [x, y, z, 0, 0, 0, 1], size);
  }

  private duplicate(index: number): void {
    const object = this.workspace?.objects[index];
    if (!object) return;
    const name = object.scene.name.replace(/ \d+$/, '');
    this.placeNew(name, object.scene.shape, object.pose, this.stage.chooseSize());
  }

  private placeNew(wanted: string, shape: Shape, pose: Pose, step: number): void {
    const { workspace } = this;
    if (!workspace) return;
    const taken = new Set([...workspace.scene.objects.keys(), ...workspace.scene.robots.map(({ name }) => name)]);
    const name = uniqueName(wanted, taken);
    const object = addWorkspaceObject(workspace, name, shape, pose);
    for (let k = 1; k <= LIFTS && touches(workspace, name); k++) {
      const [x, y, z, ...turn] = pose;
      placeWorkspaceObject(workspace, object, [x, y, z + 0.5 * k * step, ...turn]);
    }
    this.panel.setObjects(workspace.objects);
    this.panel.select(workspace.objects.length - 1);
    this.handlers.onNew();
    this.show(object);
  }

  /** The tool takes it, or lets it go. */
  private hold(index: number): void {
    const { workspace, handlers } = this;
    const object = workspace?.objects[index];
    if (!workspace || !object) return;
    const tool = handlers.tool();
    const isHeld = object.scene.attachment !== null;
    const edits = isHeld ? letGo(workspace, object) : tool ? takeObject(workspace, object, tool.robot, tool.link) : [];
    this.panel.refresh();
    this.gizmo.attach(object.scene.attachment ? null : object.mesh);
    for (const edit of edits) handlers.onEdit(edit);
  }

  private delete(index: number): void {
    const object = this.workspace?.objects[index];
    if (!this.workspace || !object || object.scene.attachment) return;
    this.panel.select(-1);
    removeWorkspaceObject(this.workspace, object);
    this.panel.setObjects(this.workspace.objects);
    this.handlers.onEdit({ type: 'remove', object: object.scene.name });
  }
}

function touches({ scene }: Workspace, name: string): boolean {
  return touchingPairs(scene, { objectPairs: true }).some(({ a, b }) => a === name || b === name);
}

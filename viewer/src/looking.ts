/** The section plane, the ghosts and what fades before a robot, applied to what is drawn. */
import { Box3, Plane, Vector3 } from 'three';
import { createLookPanel, type Look } from './panel/look.js';
import { watchPointer } from './pointer-held.js';
import { findHiding } from './stage/hiding.js';
import { markedMaterials, setOpacity } from './stage/materials.js';
import type { Stage } from './stage/stage.js';
import type { Workspace } from './workspace.js';

/** Milliseconds. */
const LOOK_DELAY = 150;
const FADED = 0.28;

export class Looking {
  readonly panel = createLookPanel((look) => this.apply(look));
  private workspace: Workspace | null = null;
  /** Names of objects that hide a robot from the camera. */
  private hiding: readonly string[] = [];
  private timer = 0;
  private readonly pointer = watchPointer();

  constructor(
    private readonly stage: Stage,
    private readonly hidden: () => readonly string[],
  ) {
    stage.onRender(() => {
      this.timer ||= window.setTimeout(() => this.findHiding(), LOOK_DELAY);
    });
  }

  /** Once the view rests, or turns: not while something is dragged through it. */
  private findHiding(): void {
    this.timer = 0;
    const { workspace, stage } = this;
    if (!workspace || (this.pointer.isHeld && stage.controls.enabled === false)) return;
    const found =
      this.panel.look.fades && workspace.robots.length > 0
        ? findHiding(workspace.scene, stage.camera.position.toArray(), this.hidden())
        : [];
    if (found.length === this.hiding.length && found.every((name) => this.hiding.includes(name))) return;
    this.hiding = found;
    this.apply(this.panel.look);
    stage.requestShadows();
  }

  setWorkspace(workspace: Workspace | null): void {
    this.workspace = workspace;
    this.hiding = [];
    this.panel.reset();
  }

  /** After objects came. */
  refresh(): void {
    const { look } = this.panel;
    if (look.section || look.robotOpacity < 1 || look.objectOpacity < 1 || this.hiding.length > 0) this.apply(look);
  }

  private apply({ section, robotOpacity, objectOpacity }: Look): void {
    const { workspace, stage } = this;
    for (const { object } of workspace?.robots ?? [])
      for (const material of markedMaterials(object.root)) setOpacity(material, robotOpacity);
    for (const { mesh } of workspace?.objects ?? [])
      for (const material of markedMaterials(mesh))
        setOpacity(material, objectOpacity * (this.hiding.includes(mesh.name) ? FADED : 1));
    if (!section || !workspace) {
      stage.cut(null);
      return;
    }
    const { min, max } = new Box3().setFromObject(workspace.root);
    const low = min.getComponent(section.axis);
    const at = low + section.at * (max.getComponent(section.axis) - low);
    const normal = new Vector3().setComponent(section.axis, section.flipped ? 1 : -1);
    stage.cut(new Plane(normal, section.flipped ? -at : at));
  }
}

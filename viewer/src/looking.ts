/** The section plane and the ghosts, applied to what is drawn. */
import { Box3, Plane, Vector3 } from 'three';
import { createLookPanel, type Look } from './panel/look.js';
import { markedMaterials, setOpacity } from './stage/materials.js';
import type { Stage } from './stage/stage.js';
import type { Workspace } from './workspace.js';

export class Looking {
  readonly panel = createLookPanel((look) => this.apply(look));
  private workspace: Workspace | null = null;

  constructor(private readonly stage: Stage) {}

  setWorkspace(workspace: Workspace | null): void {
    this.workspace = workspace;
    this.panel.reset();
  }

  /** After objects came. */
  refresh(): void {
    const { look } = this.panel;
    if (look.section || look.robotOpacity < 1 || look.objectOpacity < 1) this.apply(look);
  }

  private apply({ section, robotOpacity, objectOpacity }: Look): void {
    const { workspace, stage } = this;
    for (const { object } of workspace?.robots ?? [])
      for (const material of markedMaterials(object.root)) setOpacity(material, robotOpacity);
    for (const { mesh } of workspace?.objects ?? [])
      for (const material of markedMaterials(mesh)) setOpacity(material, objectOpacity);
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

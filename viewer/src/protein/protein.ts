/** The protein on the page: its panel and its drawing, in place of robots and objects. */
import { byId } from '../dom.js';
import type { Stage } from '../stage/stage.js';
import type { LoadedProtein } from './load-protein.js';
import { createProteinPanel, type ProteinLayers } from './protein-panel.js';
import { createProteinView, type ProteinView } from './protein-view.js';

export interface ProteinDisplay {
  show(protein: LoadedProtein): void;
  clear(): void;
  /** Moves the camera so that the protein fills the view; false when none is shown. */
  frame(): boolean;
}

export function createProteinDisplay(stage: Stage): ProteinDisplay {
  let view: ProteinView | null = null;
  const panel = createProteinPanel(applyLayers);

  function applyLayers({ backbone, atoms, clashes, level }: ProteinLayers): void {
    if (!view) return;
    view.backbone.visible = backbone;
    view.atoms.visible = atoms;
    view.clashes.visible = clashes;
    view.showLevel(level);
    stage.requestRender();
  }

  return {
    show(protein) {
      view?.dispose();
      view = createProteinView(protein);
      stage.scene.add(view.root);
      // A floor means nothing to a molecule.
      stage.grid.visible = false;
      panel.show(protein);
      byId('panel').prepend(panel.root);
      // The atoms reach farther than the backbone: the view is chosen with all of them shown.
      view.showLevel(null);
      stage.frame(view.root);
      applyLayers(panel.layers);
    },
    clear() {
      view?.dispose();
      view = null;
      panel.root.remove();
    },
    frame() {
      if (view) stage.frame(view.root);
      return view !== null;
    },
  };
}

/** The protein on the page: its panels and its drawing, in place of robots and objects. */
import { type Clash, describeResidue, type Molecule, type ResidueKind } from 'clearance/molecule';
import { Vector3 } from 'three';
import { byId, element } from '../dom.js';
import { countOf } from '../format.js';
import { createTabs } from '../panel/tabs.js';
import type { Stage } from '../stage/stage.js';
import { listenForAtoms } from './atom-hover.js';
import type { LoadedProtein, ProteinChoice } from './load-protein.js';
import { createMonteCarlo } from './monte-carlo.js';
import { createProteinPanel, type ProteinLayers } from './protein-panel.js';
import { buildProteinView, type ProteinView } from './protein-view.js';
import { createResiduePanel } from './residue-panel.js';
import { TorsionEditor } from './torsion-editor.js';
import { symbolOf } from './torsion-panel.js';
import { findTurnAway } from './turn-away.js';

export interface ProteinDisplay {
  /** In parts, so that the page stays alive; what is shown or cleared meanwhile counts. */
  show(protein: LoadedProtein): Promise<void>;
  clear(): void;
  /** Moves the camera so that the protein fills the view; false when none is shown. */
  frame(): boolean;
  /** One turn back (-1) or forth (1). */
  step(direction: -1 | 1): void;
}

/** How near the camera goes to atoms, angstrom. */
const CLOSE = 22;
const NONE: ReadonlySet<number> = new Set();
/** Milliseconds of work between two pauses. */
const STEP = 12;
const isLarge = ({ atomCount }: Molecule): boolean => atomCount > 5000;

/** Atoms that no torsion moves, by what they are of. */
function countLeftOut(molecule: Molecule, moved: ArrayLike<number>): Map<ResidueKind, number> {
  const isMoved = new Uint8Array(molecule.atomCount);
  for (let i = 0; i < moved.length; i++) isMoved[moved[i]] = 1;
  const counts = new Map<ResidueKind, number>();
  for (const { kind, first, count } of molecule.residues) {
    let left = 0;
    for (let atom = first; atom < first + count; atom++) left += 1 - isMoved[atom];
    if (left > 0) counts.set(kind, (counts.get(kind) ?? 0) + left);
  }
  return counts;
}

/** `onSteps`: whether there is a turn to take back, and one to make again; `onChoose`: another model, or other hydrogens. */
export function createProteinDisplay(
  stage: Stage,
  onSteps: (canUndo: boolean, canRedo: boolean) => void,
  onChoose: (choice: ProteinChoice) => void,
): ProteinDisplay {
  let protein: LoadedProtein | null = null;
  let view: ProteinView | null = null;
  const panel = createProteinPanel({
    onChange: applyLayers,
    onClash: ({ a, b }) => fly([a, b]),
    onTurnAway: turnAway,
    onChoose,
  });
  const editor = new TorsionEditor(stage, { onTurn: follow, onSteps, onPick: () => tabs.choose('turn') });
  const residues = createResiduePanel(chooseResidue);
  const monteCarlo = createMonteCarlo({
    onStart() {
      center.fromArray(protein!.conformation!.center);
      editor.remember();
      editor.setEnabled(false);
    },
    onMove() {
      editor.refresh();
      follow();
      keepInView();
    },
    onEnd() {
      editor.setEnabled(true);
      editor.refresh();
    },
  });
  const hover = listenForAtoms(stage, byId('stage'), () => protein);
  /** Where the camera last took the protein to be. */
  const center = new Vector3();
  const tabs = createTabs('What to do with the protein', [
    { id: 'clashes', name: 'Clashes', parts: [panel.root] },
    { id: 'turn', name: 'Turn', parts: [editor.panel.root, residues.root] },
    { id: 'run', name: 'Run', parts: [monteCarlo.root] },
  ]);
  const root = element('div', { className: 'protein' }, tabs.root);

  /** To the middle of some atoms. */
  function fly(atoms: readonly number[]): void {
    if (!protein) return;
    const positions = protein.conformation?.positions ?? protein.molecule.positions;
    const middle = [0, 1, 2].map((k) => atoms.reduce((sum, atom) => sum + positions[3 * atom + k], 0) / atoms.length);
    stage.flyTo(middle, CLOSE);
  }

  function turnAway(clash: Clash): string {
    const conformation = protein?.conformation;
    if (!conformation || !editor.isEnabled) return 'Nothing can be turned now.';
    const found = findTurnAway(conformation, clash);
    if (!found) return 'No turn of one torsion frees it and leaves fewer clashes. Turn several by hand.';
    const torsion = conformation.protein.torsions[found.torsion];
    const by = ((found.value - conformation.torsions[found.torsion]) * 180) / Math.PI;
    editor.turnOne(found.torsion, found.value);
    const residue = describeResidue(protein!.molecule.residues[torsion.residue]);
    return `${symbolOf(torsion)} ${residue} turned by ${(by - 360 * Math.round(by / 360)).toFixed(0)}°: ${countOf(found.clashes, 'clash', 'clashes')} left.`;
  }

  /** Its first torsion is chosen where it has one, and it comes to the middle. */
  function chooseResidue(residue: number): void {
    const torsions = protein?.conformation?.protein.torsions ?? [];
    const torsion = torsions.findIndex((entry) => entry.residue === residue);
    if (!protein) return;
    editor.choose(torsion);
    if (torsion < 0) residues.mark(residue);
    const { first, count } = protein.molecule.residues[residue];
    fly(Array.from({ length: count }, (_, i) => first + i));
  }

  let areElements = false;
  function applyLayers({ backbone, bonds, atoms, clashes, elements }: ProteinLayers): void {
    if (!view) return;
    if (elements !== areElements) view.colorBy(elements);
    areElements = elements;
    view.backbone.visible = backbone;
    view.bonds.visible = bonds;
    view.atoms.visible = atoms;
    view.clashes.visible = clashes;
    drawBoxes();
    stage.requestRender();
  }

  function drawBoxes(): void {
    const conformation = protein?.conformation;
    const { level } = panel.layers;
    if (!conformation || level === null) {
      view?.showBoxes(null, NONE);
      return;
    }
    const renewed = editor.chosen >= 0 ? conformation.listRenewed(level, editor.chosen) : NONE;
    view?.showBoxes(conformation.writeBoxes(level), renewed);
    panel.showBoxes(conformation.boxCount(level), renewed.size);
  }

  /** After torsions changed: what moved, its clashes, its boxes. */
  function follow(): void {
    if (!protein || !view) return;
    const { molecule, report, conformation } = protein;
    if (!conformation) return;
    if (conformation.moved) view.move(conformation.positions, conformation.moved);
    conformation.moved = null;
    const shown = conformation.isAsRead
      ? report
      : { ...report, clashes: conformation.listClashes(), atomCount: conformation.protein.atoms.length };
    residues.show(conformation.torsions);
    residues.mark(editor.chosen >= 0 ? conformation.protein.torsions[editor.chosen].residue : -1);
    view.showClashes(shown.clashes, conformation.positions);
    panel.showClashes(molecule, shown);
    drawBoxes();
    stage.requestRender();
  }

  /** A run turns the chain about its first link, which would soon swing the rest out of sight. */
  function keepInView(): void {
    const next = new Vector3().fromArray(protein!.conformation!.center);
    stage.follow(next.clone().sub(center));
    center.copy(next);
  }

  /** Of what is shown last. */
  let request = 0;
  function clear(): void {
    request++;
    monteCarlo.setProtein(null);
    editor.setConformation(null).next();
    protein?.conformation?.dispose();
    protein = null;
    view?.dispose();
    view = null;
    hover.clear();
    root.remove();
    panel.chip.remove();
  }

  return {
    async show(given) {
      clear();
      const own = request;
      /** Between two parts of the work; false once something else counts. */
      const goOn = async (): Promise<boolean> => {
        await new Promise((resolve) => setTimeout(resolve));
        return own === request;
      };
      /** Null once something else counts, or when `steps` end with nothing. */
      const run = async <Result>(steps: Generator<void, Result>): Promise<Result | null> => {
        for (let since = performance.now(); ; ) {
          const { done, value } = steps.next();
          if (done) return value;
          if (performance.now() - since < STEP) continue;
          if (!(await goOn())) return null;
          since = performance.now();
        }
      };
      const built = await run(buildProteinView(given));
      if (!built || !(await goOn())) {
        built?.dispose();
        given.conformation?.dispose();
        return;
      }
      protein = given;
      view = built;
      stage.scene.add(view.root);
      // A floor means nothing to a molecule.
      stage.grid.visible = false;
      const { conformation, molecule, report } = given;
      panel.setProtein(
        conformation?.levelCount ?? 0,
        conformation ? countLeftOut(molecule, conformation.protein.atoms) : new Map(),
      );
      panel.showClashes(molecule, report);
      panel.showChoice(given.choice, given.modelCount);
      areElements = false;
      tabs.choose('clashes');
      byId('panel').append(root);
      byId('stage').append(panel.chip);
      // The atoms reach farther than the backbone: the view is chosen with all of them shown.
      stage.frame(view.root);
      applyLayers(panel.layers);
      if (isLarge(molecule) && !(await goOn())) return;
      await run(residues.setProtein(conformation?.protein ?? null));
      if (own !== request) return;
      if (isLarge(molecule) && !(await goOn())) return;
      if (conformation) residues.show(conformation.torsions);
      await run(editor.setConformation(given.conformation));
      if (own !== request) return;
      if (isLarge(molecule) && !(await goOn())) return;
      monteCarlo.setProtein(given);
    },
    clear,
    step: (direction) => editor.step(direction),
    frame() {
      if (view) stage.frame(view.root);
      return view !== null;
    },
  };
}

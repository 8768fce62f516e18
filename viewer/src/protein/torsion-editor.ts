/** Turning torsions: bonds are chosen and dragged in the view, or by the panel; every turn can be taken back. */
import { describeResidue } from 'clearance/molecule';
import { byId, element } from '../dom.js';
import type { Stage } from '../stage/stage.js';
import type { Conformation } from './conformation.js';
import { createTorsionHandle, type TorsionHandle } from './torsion-handle.js';
import { createTorsionPanel, symbolOf, type TorsionPanel } from './torsion-panel.js';
import { listenForTorsions } from './torsion-pointer.js';
import { TurnHistory } from './turn-history.js';

export interface TorsionEditor {
  readonly panel: TorsionPanel;
  /** The torsion that the handle is on, -1 for none. */
  readonly chosen: number;
  /** Null when nothing can be turned. */
  setConformation(conformation: Conformation | null): void;
  /** What is shown after anything but a turn made here. */
  refresh(): void;
  /** Notes how things stand before a change made elsewhere, so that it can be undone here. */
  remember(): void;
  setEnabled(enabled: boolean): void;
}

/** Pixels between ring and label. */
const LABEL_GAP = 6;

/** @param onTurn after torsions changed, or another one was chosen */
export function createTorsionEditor(stage: Stage, onTurn: () => void): TorsionEditor {
  const handle = createTorsionHandle(stage);
  stage.scene.add(handle.root);
  const { canvas } = stage;
  const container = byId('stage');
  const label = element('div', { className: 'distance-label torsion-label', 'aria-hidden': 'true', hidden: true });
  container.append(label);
  let conformation: Conformation | null = null;
  let chosen = -1;
  let enabled = true;
  const history = new TurnHistory();

  const panel = createTorsionPanel({
    onChoose: choose,
    onTurn: (value, isLast) => {
      turnTo(value);
      if (isLast) finish();
    },
    onUndo: undo,
    onReset: () => {
      if (!conformation || conformation.isAsRead) return;
      remember();
      conformation.reset();
      changed();
    },
  });

  function choose(torsion: number): void {
    chosen = torsion;
    panel.choose(torsion);
    refresh();
    // Boxes that a turn computes anew are marked by the torsion chosen.
    onTurn();
  }

  function refresh(): void {
    const torsion = conformation && chosen >= 0 ? conformation.protein.torsions[chosen] : null;
    const value = torsion ? conformation!.torsions[chosen] : null;
    panel.show(value, conformation?.work ?? null);
    panel.setUndo(history.canUndo, conformation !== null && !conformation.isAsRead);
    label.hidden = torsion === null || !enabled;
    if (!torsion || !conformation || !enabled) {
      handle.hide();
      return;
    }
    const { protein, positions } = conformation;
    handle.show(torsion, positions);
    const residue = describeResidue(protein.molecule.residues[torsion.residue]);
    label.textContent = `${symbolOf(torsion)} ${residue} ${((value! * 180) / Math.PI).toFixed(1)}°`;
  }

  function changed(): void {
    refresh();
    onTurn();
  }

  function turnTo(value: number): void {
    if (!conformation || chosen < 0) return;
    history.begin(conformation.torsions);
    conformation.turn(chosen, value);
    changed();
  }

  function finish(): void {
    if (conformation) history.end(conformation.torsions);
    refresh();
  }

  function remember(): void {
    finish();
    if (conformation) history.push(conformation.torsions.slice());
  }

  function undo(): void {
    finish();
    const last = history.pop();
    if (!last || !conformation) return;
    conformation.turnAll(last);
    changed();
  }

  const pointer = listenForTorsions(stage, container, handle, {
    conformation: () => (enabled ? conformation : null),
    onTurnBy: (angle) => conformation && turnTo(conformation.torsions[chosen] + angle),
    onRelease: finish,
    onChoose: choose,
  });
  /** Esc takes a drag back, then the choice; Ctrl+Z the last turn. */
  function hearKey(event: KeyboardEvent): void {
    if (!conformation || !enabled) return;
    if (event.key === 'Escape') {
      pointer.end();
      const before = history.takeBack();
      if (before) {
        conformation.turnAll(before);
        changed();
      } else if (chosen >= 0) choose(-1);
    } else if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'number';
      if (isTyping) return;
      event.preventDefault();
      undo();
    }
  }
  window.addEventListener('keydown', hearKey);
  stage.onRender(() => placeLabel(label, handle, canvas));

  return {
    panel,
    get chosen() {
      return chosen;
    },
    setConformation(next) {
      pointer.end();
      conformation = next;
      chosen = -1;
      history.clear();
      panel.setProtein(next?.protein ?? null);
      panel.choose(-1);
      refresh();
    },
    refresh,
    remember,
    setEnabled(next) {
      enabled = next;
      pointer.end();
      finish();
      panel.setEnabled(next);
      refresh();
    },
  };
}

/** Over the ring, within the view. */
function placeLabel(label: HTMLElement, { axis }: TorsionHandle, canvas: HTMLElement): void {
  if (label.hidden || !axis) return;
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const away = Math.hypot(axis.lever.x, axis.lever.y) + LABEL_GAP;
  const x = axis.center.x - left - 0.5 * label.offsetWidth;
  const y = axis.center.y - top - away - label.offsetHeight;
  const limit = (value: number, most: number): number => Math.round(Math.min(Math.max(value, 4), most - 4));
  label.style.transform = `translate(${limit(x, width - label.offsetWidth)}px, ${limit(y, height - label.offsetHeight)}px)`;
}

/** Turning torsions: bonds are chosen and dragged in the view, or by the panel; every turn can be taken back and made again. */
import { describeResidue } from 'clearance/molecule';
import { byId, element } from '../dom.js';
import type { Stage } from '../stage/stage.js';
import type { Conformation } from './conformation.js';
import { createTorsionHandle, type TorsionHandle } from './torsion-handle.js';
import { createTorsionPanel, symbolOf } from './torsion-panel.js';
import { listenForTorsions, type TorsionPointer } from './torsion-pointer.js';
import { TurnHistory } from './turn-history.js';

export interface TorsionEditorHandlers {
  /** After torsions changed, or another one was chosen. */
  onTurn(): void;
  /** Whether there is a turn to take back, and one to make again. */
  onSteps(canUndo: boolean, canRedo: boolean): void;
  /** A bond was clicked in the view. */
  onPick(): void;
}

/** Pixels between ring and label. */
const LABEL_GAP = 6;

export class TorsionEditor {
  /** The torsion that the handle is on, -1 for none. */
  chosen = -1;
  readonly panel = createTorsionPanel({
    onChoose: (torsion) => this.choose(torsion),
    onTurn: (value, isLast) => {
      this.turnTo(value);
      if (isLast) this.finish();
    },
    onReset: () => this.reset(),
  });
  private readonly handle: TorsionHandle;
  private readonly pointer: TorsionPointer;
  private readonly label = element('div', {
    className: 'distance-label torsion-label',
    'aria-hidden': 'true',
    hidden: true,
  });
  private readonly history = new TurnHistory();
  private conformation: Conformation | null = null;
  private enabled = true;

  constructor(
    stage: Stage,
    private readonly handlers: TorsionEditorHandlers,
  ) {
    this.handle = createTorsionHandle(stage);
    stage.scene.add(this.handle.root);
    const container = byId('stage');
    container.append(this.label);
    this.pointer = listenForTorsions(stage, container, this.handle, {
      conformation: () => (this.enabled ? this.conformation : null),
      onTurnBy: (angle) => this.conformation && this.turnTo(this.conformation.torsions[this.chosen] + angle),
      onRelease: () => this.finish(),
      onChoose: (torsion) => {
        this.choose(torsion);
        if (torsion >= 0) this.handlers.onPick();
      },
    });
    window.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.escape();
    });
    stage.onRender(() => placeLabel(this.label, this.handle, stage.canvas));
  }

  choose(torsion: number): void {
    this.chosen = torsion;
    this.panel.choose(torsion);
    this.refresh();
    // Boxes that a turn computes anew are marked by the torsion chosen.
    this.handlers.onTurn();
  }

  get isEnabled(): boolean {
    return this.enabled;
  }

  /** Chooses a torsion and turns it, as one turn that can be taken back. Radians. */
  turnOne(torsion: number, value: number): void {
    this.finish();
    this.choose(torsion);
    this.turnTo(value);
    this.finish();
  }

  /** What is shown after anything but a turn made here. */
  refresh(): void {
    const { conformation, chosen, history, handle, label, enabled } = this;
    const torsion = conformation && chosen >= 0 ? conformation.protein.torsions[chosen] : null;
    const value = torsion ? conformation!.torsions[chosen] : null;
    this.panel.show(value, conformation?.work ?? null);
    this.panel.setReset(conformation !== null && !conformation.isAsRead);
    if (conformation) this.handlers.onSteps(enabled && history.canUndo, enabled && history.canRedo);
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

  /** Null when nothing can be turned. In parts, of which null takes one. */
  *setConformation(next: Conformation | null): Generator<void> {
    this.pointer.end();
    this.conformation = next;
    this.chosen = -1;
    this.history.clear();
    yield* this.panel.setProtein(next?.protein ?? null);
    this.panel.choose(-1);
    this.refresh();
  }

  /** Notes how things stand before a change made elsewhere, so that it can be undone here. */
  remember(): void {
    this.finish();
    if (this.conformation) this.history.push(this.conformation.torsions.slice());
  }

  setEnabled(enabled: boolean): void {
    this.enabled = enabled;
    this.pointer.end();
    this.finish();
    this.panel.setEnabled(enabled);
    this.refresh();
  }

  /** One turn back (-1) or forth (1). */
  step(direction: -1 | 1): void {
    const { conformation, history } = this;
    if (!conformation || !this.enabled) return;
    this.finish();
    const other = direction < 0 ? history.undo(conformation.torsions) : history.redo(conformation.torsions);
    if (!other) return;
    conformation.turnAll(other);
    this.changed();
  }

  private changed(): void {
    this.refresh();
    this.handlers.onTurn();
  }

  private turnTo(value: number): void {
    const { conformation, chosen } = this;
    if (!conformation || chosen < 0) return;
    this.history.begin(conformation.torsions);
    conformation.turn(chosen, value);
    this.changed();
  }

  private finish(): void {
    if (this.conformation) this.history.end(this.conformation.torsions);
    this.refresh();
  }

  private reset(): void {
    const { conformation } = this;
    if (!conformation || conformation.isAsRead) return;
    this.remember();
    conformation.reset();
    this.changed();
  }

  /** Takes a drag back, then the choice. */
  private escape(): void {
    const { conformation } = this;
    if (!conformation || !this.enabled) return;
    this.pointer.end();
    const before = this.history.takeBack();
    if (before) {
      conformation.turnAll(before);
      this.changed();
    } else if (this.chosen >= 0) this.choose(-1);
  }
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

/** Turning torsions: bonds are chosen and dragged in the view, or by the panel; every turn can be taken back. */
import { describeResidue } from 'clearance/molecule';
import { Vector3 } from 'three';
import { byId, element } from '../dom.js';
import type { Stage } from '../stage/stage.js';
import type { Conformation } from './conformation.js';
import { type Point, turnByDrag } from './torsion-drag.js';
import { createProjection, createTorsionHandle, distanceToSegment } from './torsion-handle.js';
import { createTorsionPanel, symbolOf, type TorsionPanel } from './torsion-panel.js';

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

/** Pixels from a bond within which a click means it, and that the pointer may move in a click. */
const REACH = 9;
const STILL = 4;
const MOST_UNDO = 100;
/** Pixels between ring and label. */
const LABEL_GAP = 6;

/** @param onTurn after torsions changed, or another one was chosen */
export function createTorsionEditor(stage: Stage, onTurn: () => void): TorsionEditor {
  const handle = createTorsionHandle(stage);
  stage.scene.add(handle.root);
  const { canvas, controls } = stage;
  const container = byId('stage');
  const label = element('div', { className: 'distance-label torsion-label', 'aria-hidden': 'true', hidden: true });
  container.append(label);
  let conformation: Conformation | null = null;
  let chosen = -1;
  let enabled = true;
  /** Torsions before each change that can be undone, oldest first. */
  let history: Float64Array[] = [];
  /** A change by slider or drag that is going on: how things stood before. */
  let before: Float64Array | null = null;
  let drag: { pointer: number; at: Point } | null = null;
  let pressed: Point | null = null;

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
    panel.setUndo(history.length > 0, conformation !== null && !conformation.isAsRead);
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
    before ??= conformation.torsions.slice();
    conformation.turn(chosen, value);
    changed();
  }

  function finish(): void {
    if (before && conformation && before.some((value, i) => value !== conformation!.torsions[i])) push(before);
    before = null;
    refresh();
  }

  function push(torsions: Float64Array): void {
    history.push(torsions);
    if (history.length > MOST_UNDO) history.shift();
  }

  function remember(): void {
    finish();
    if (conformation) push(conformation.torsions.slice());
  }

  function undo(): void {
    finish();
    const last = history.pop();
    if (!last || !conformation) return;
    conformation.turnAll(last);
    changed();
  }

  function endDrag(): void {
    if (!drag) return;
    if (canvas.hasPointerCapture(drag.pointer)) canvas.releasePointerCapture(drag.pointer);
    drag = null;
    controls.enabled = true;
    canvas.style.cursor = '';
  }

  /** The torsion whose bond is under the pointer, the foremost of several; -1 for none. */
  function findBond(pointer: Point): number {
    if (!conformation) return -1;
    const { protein, positions } = conformation;
    const project = createProjection(stage);
    const [b, c] = [new Vector3(), new Vector3()];
    let [found, nearest] = [-1, Infinity];
    protein.torsions.forEach(({ atoms }, i) => {
      const p = project(b.fromArray(positions, 3 * atoms[1]));
      const q = project(c.fromArray(positions, 3 * atoms[2]));
      const depth = p.depth + q.depth;
      if (depth < nearest && p.depth < 1 && distanceToSegment(pointer, p, q) <= REACH) {
        found = i;
        nearest = depth;
      }
    });
    return found;
  }

  const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY });
  // Ahead of the camera's own listener, which gets no press that begins a drag of the ring.
  container.addEventListener(
    'pointerdown',
    (event) => {
      pressed = null;
      if (!conformation || !enabled || event.target !== canvas || event.button !== 0) return;
      pressed = pointOf(event);
      if (!handle.isNear(pressed)) return;
      event.stopPropagation();
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      controls.enabled = false;
      canvas.style.cursor = 'grabbing';
      drag = { pointer: event.pointerId, at: pressed };
      pressed = null;
    },
    { capture: true },
  );
  canvas.addEventListener('pointermove', (event) => {
    if (!conformation || !enabled) return;
    const to = pointOf(event);
    if (!drag) {
      if (event.buttons === 0) canvas.style.cursor = handle.isNear(to) ? 'grab' : findBond(to) >= 0 ? 'pointer' : '';
      return;
    }
    const { axis } = handle;
    if (event.pointerId !== drag.pointer || !axis) return;
    turnTo(conformation.torsions[chosen] + turnByDrag(axis, drag.at, to));
    drag.at = to;
  });
  canvas.addEventListener('pointerup', (event) => {
    if (drag) {
      endDrag();
      finish();
    } else if (pressed && conformation) {
      const { x, y } = pointOf(event);
      if (Math.hypot(x - pressed.x, y - pressed.y) <= STILL) choose(findBond(pressed));
    }
    pressed = null;
  });
  canvas.addEventListener('pointercancel', () => {
    endDrag();
    finish();
  });
  window.addEventListener('keydown', (event) => {
    if (!conformation || !enabled) return;
    if (event.key === 'Escape') {
      endDrag();
      if (before) {
        const values = before;
        before = null;
        conformation.turnAll(values);
        changed();
      } else if (chosen >= 0) choose(-1);
    } else if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'number';
      if (isTyping) return;
      event.preventDefault();
      undo();
    }
  });
  stage.onRender(() => {
    const { axis } = handle;
    if (label.hidden || !axis) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const away = Math.hypot(axis.lever.x, axis.lever.y) + LABEL_GAP;
    const x = axis.center.x - left - 0.5 * label.offsetWidth;
    const y = axis.center.y - top - away - label.offsetHeight;
    const limit = (value: number, most: number): number => Math.round(Math.min(Math.max(value, 4), most - 4));
    label.style.transform = `translate(${limit(x, width - label.offsetWidth)}px, ${limit(y, height - label.offsetHeight)}px)`;
  });

  return {
    panel,
    get chosen() {
      return chosen;
    },
    setConformation(next) {
      endDrag();
      conformation = next;
      chosen = -1;
      history = [];
      before = null;
      panel.setProtein(next?.protein ?? null);
      panel.choose(-1);
      refresh();
    },
    refresh,
    remember,
    setEnabled(next) {
      enabled = next;
      endDrag();
      finish();
      panel.setEnabled(next);
      refresh();
    },
  };
}

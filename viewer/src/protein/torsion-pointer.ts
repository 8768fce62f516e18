/** The pointer over a protein: bonds under it are chosen by a click, the ring about the chosen one is dragged. */
import { hypot } from 'clearance/math';
import { Vector3 } from 'three';
import type { Stage } from '../stage/stage.js';
import type { Conformation } from './conformation.js';
import { type Point, turnByDrag } from './torsion-drag.js';
import { createProjection, distanceToSegment, type TorsionHandle } from './torsion-handle.js';

export interface TorsionPointerHandlers {
  /** What can be turned now; null: nothing. */
  conformation(): Conformation | null;
  /** The ring was dragged by so many radians. */
  onTurnBy(angle: number): void;
  /** The ring was let go. */
  onRelease(): void;
  /** A click: the bond's torsion, -1 beside all bonds. */
  onChoose(torsion: number): void;
}

export interface TorsionPointer {
  /** Lets go of the ring. */
  end(): void;
}

/** Pixels from a bond within which a click means it, and that the pointer may move in a click. */
const REACH = 9;
const STILL = 4;

export function listenForTorsions(
  stage: Stage,
  container: HTMLElement,
  handle: TorsionHandle,
  handlers: TorsionPointerHandlers,
): TorsionPointer {
  const { canvas, controls } = stage;
  let drag: { pointer: number; at: Point } | null = null;
  let pressed: Point | null = null;

  function end(): void {
    if (!drag) return;
    if (canvas.hasPointerCapture(drag.pointer)) canvas.releasePointerCapture(drag.pointer);
    drag = null;
    controls.enabled = true;
    canvas.style.cursor = '';
  }

  const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY });
  // Ahead of the camera's own listener, which gets no press that begins a drag of the ring.
  container.addEventListener(
    'pointerdown',
    (event) => {
      pressed = null;
      if (!handlers.conformation() || event.target !== canvas || event.button !== 0) return;
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
    const conformation = handlers.conformation();
    if (!conformation) return;
    const to = pointOf(event);
    if (!drag) {
      if (event.buttons === 0)
        canvas.style.cursor = handle.isNear(to) ? 'grab' : findBond(stage, conformation, to) >= 0 ? 'pointer' : '';
      return;
    }
    const { axis } = handle;
    if (event.pointerId !== drag.pointer || !axis) return;
    handlers.onTurnBy(turnByDrag(axis, drag.at, to));
    drag.at = to;
  });
  canvas.addEventListener('pointerup', (event) => {
    const conformation = handlers.conformation();
    if (drag) {
      end();
      handlers.onRelease();
    } else if (pressed && conformation) {
      const { x, y } = pointOf(event);
      if (hypot(x - pressed.x, y - pressed.y) <= STILL) handlers.onChoose(findBond(stage, conformation, pressed));
    }
    pressed = null;
  });
  canvas.addEventListener('pointercancel', () => {
    end();
    handlers.onRelease();
  });
  return { end };
}

/** The torsion whose bond is under the pointer, the foremost of several; -1 for none. */
function findBond(stage: Stage, { protein, positions }: Conformation, pointer: Point): number {
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

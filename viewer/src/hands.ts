/** The pointer over links: which one it is over is said and marked, one that is dragged turns the joint it hangs on. */
import { castSceneRay, type SceneRay } from 'clearance/scene';
import { findBody, findMover } from './bodies.js';
import { type Coordinate, listCoordinates } from './coordinates.js';
import { element } from './dom.js';
import { dragJoint, type HeldJoint } from './joint-drag.js';
import { markedMaterials, markHover } from './stage/materials.js';
import { rayOf } from './stage/picking.js';
import type { Stage } from './stage/stage.js';
import type { Workspace, WorkspaceRobot } from './workspace.js';

export interface HandsHandlers {
  /** Null while something else is under the hands. */
  workspace(): Workspace | null;
  /** Objects that are not drawn. */
  hidden(): readonly string[];
  /** A handle is under the pointer or held: it comes first. */
  isTaken(): boolean;
  /** The joint that would turn, of the robot of that index; null: none. */
  onHover(robot: number, joint: string | null): void;
  onTurn(robot: number, q: Float64Array): void;
}

interface Drag {
  readonly pointer: number;
  readonly robot: WorkspaceRobot;
  readonly index: number;
  readonly held: HeldJoint;
  readonly coordinate: Coordinate;
  readonly q: Float64Array;
}

export interface Hands {
  readonly dragging: boolean;
  /** Other content, or another robot. */
  clear(): void;
}

/** Pixels from the pointer to its label. */
const BESIDE = 14;

export function createHands(stage: Stage, container: HTMLElement, handlers: HandsHandlers): Hands {
  const { canvas, controls } = stage;
  const label = element('div', { className: 'hover-label', id: 'hover', hidden: true });
  container.append(label);
  let drag: Drag | null = null;
  let marked: string | null = null;
  let frame = 0;
  let wasDragged = false;

  function pick(workspace: Workspace, ray: SceneRay) {
    const { hit } = castSceneRay(workspace.scene, ray, { leaveOut: handlers.hidden() });
    return hit && { hit, body: findBody(workspace, hit.body) };
  }

  function mark(workspace: Workspace | null, name: string | null): void {
    if (name === marked) return;
    marked = name;
    for (const { object, scene } of workspace?.robots ?? [])
      for (const link of object.links.values())
        for (const material of markedMaterials(link.group))
          markHover(material, name === link.name || name === `${scene.name}/${link.name}`);
    for (const { mesh } of workspace?.objects ?? [])
      for (const material of markedMaterials(mesh)) markHover(material, name === mesh.name);
    stage.requestRender();
  }

  function hover(event: PointerEvent): void {
    const workspace = handlers.workspace();
    const found = workspace && !handlers.isTaken() ? pick(workspace, rayOf(stage, event)) : null;
    label.hidden = !found;
    mark(workspace, found?.hit.body ?? null);
    if (!found) {
      canvas.style.cursor = '';
      handlers.onHover(-1, null);
      return;
    }
    const { hit, body } = found;
    const mover = body?.kind === 'link' ? findMover(body.robot, body.link) : -1;
    const joint = mover > 0 && body?.kind === 'link' ? body.robot.model.jointNames[mover] : null;
    label.textContent = joint === null ? hit.body : `${hit.body} · ${joint}`;
    const { left, top, width } = container.getBoundingClientRect();
    const x = Math.min(event.clientX - left + BESIDE, width - label.offsetWidth - 4);
    label.style.transform = `translate(${Math.round(x)}px, ${Math.round(event.clientY - top + BESIDE)}px)`;
    canvas.style.cursor = joint === null ? 'pointer' : 'grab';
    handlers.onHover(body?.kind === 'link' ? body.index : -1, joint);
  }

  function begin(event: PointerEvent): Drag | null {
    const workspace = handlers.workspace();
    if (!workspace || handlers.isTaken()) return null;
    const found = pick(workspace, rayOf(stage, event));
    if (found?.body?.kind !== 'link') return null;
    const { robot, index, link } = found.body;
    const held = hold(robot, findMover(robot, link), found.hit.point);
    return held && { ...held, robot, index, pointer: event.pointerId, q: robot.scene.q.slice() };
  }

  function end(): void {
    if (!drag) return;
    if (canvas.hasPointerCapture(drag.pointer)) canvas.releasePointerCapture(drag.pointer);
    drag = null;
    controls.enabled = true;
    canvas.style.cursor = '';
  }

  // Ahead of the camera's own listener, which gets no press that takes a link.
  container.addEventListener(
    'pointerdown',
    (event) => {
      wasDragged = false;
      if (event.target !== canvas || event.button !== 0 || !event.isPrimary) return;
      drag = begin(event);
      if (!drag) return;
      controls.enabled = false;
      canvas.setPointerCapture(event.pointerId);
    },
    { capture: true },
  );
  canvas.addEventListener('pointermove', (event) => {
    if (drag && event.pointerId === drag.pointer) {
      const { robot, index, held, coordinate, q } = drag;
      const way = dragJoint(held, rayOf(stage, event));
      if (way === 0 && !wasDragged) return;
      wasDragged = true;
      canvas.style.cursor = 'grabbing';
      const value = coordinate.read(q) + way;
      const next = robot.scene.q.slice();
      coordinate.write(
        next,
        coordinate.limited ? Math.min(Math.max(value, coordinate.lower), coordinate.upper) : value,
      );
      handlers.onTurn(index, next);
      return;
    }
    if (event.buttons !== 0 || event.pointerType === 'touch') return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => hover(event));
  });
  canvas.addEventListener('pointerleave', () => {
    cancelAnimationFrame(frame);
    label.hidden = true;
    mark(handlers.workspace(), null);
    handlers.onHover(-1, null);
  });
  for (const kind of ['pointerup', 'pointercancel'] as const)
    canvas.addEventListener(kind, () => {
      end();
      // The release of a drag is no click.
      setTimeout(() => {
        wasDragged = false;
      });
    });
  return {
    get dragging() {
      return wasDragged;
    },
    clear() {
      end();
      marked = null;
      label.hidden = true;
    },
  };
}

/** Null where nothing is to be turned, or by more than one number. */
function hold(
  { model, scene }: WorkspaceRobot,
  joint: number,
  point: readonly [number, number, number],
): Pick<Drag, 'held' | 'coordinate'> | null {
  const kind = joint > 0 ? model.jointKinds[joint] : null;
  if (!kind || kind.motion === 'general') return null;
  const own = listCoordinates(model).filter((coordinate) => coordinate.joint === model.jointNames[joint]);
  if (own.length !== 1) return null;
  const X = scene.data.jointPlacements.subarray(12 * joint, 12 * joint + 12);
  const [x, y, z] = model.axes.subarray(3 * joint, 3 * joint + 3);
  const row = (k: number): number => X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z;
  const held: HeldJoint = {
    motion: kind.motion === 'rotation' ? 'rotation' : 'translation',
    origin: [X[9], X[10], X[11]],
    axis: [row(0), row(1), row(2)],
    point,
  };
  return { held, coordinate: own[0] };
}

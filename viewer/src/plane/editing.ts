/** Pointer and keys on the drawing: handles are dragged, shapes drawn, corners added and taken away. */
import type { Draft, PlaneDrawing } from './drawing.js';
import {
  addVertex,
  type EditedScene,
  type FileObstacle,
  type Grip,
  moveGrip,
  type Pair,
  removeObstacle,
  removeVertex,
} from './edited-scene.js';

export type Tool = 'edit' | 'polygon' | 'disc';

/** Pixels within which a polygon's first point closes it. */
const CLOSE = 10;

export interface Editing {
  tool: Tool;
  /** Obstacle whose handles are shown, or -1. */
  chosen: number;
  setTool(tool: Tool): void;
  removeChosen(): void;
}

export interface EditingHost {
  readonly scene: EditedScene;
  readonly drawing: PlaneDrawing;
  round(value: number): number;
  /** The file or the choice changed. */
  changed(): void;
}

export function createEditing({ scene, drawing, round, changed }: EditingHost): Editing {
  const { root } = drawing;
  let drag: { readonly grip: Grip; last: Pair; isFirst: boolean } | null = null;
  let draft: Draft | null = null;
  const editing: Editing = {
    tool: 'edit',
    chosen: -1,
    setTool(tool) {
      editing.tool = tool;
      setDraft(null);
      root.classList.toggle('drawing', tool !== 'edit');
    },
    removeChosen() {
      if (editing.chosen < 0) return;
      scene.set(removeObstacle(scene.file, editing.chosen));
      editing.chosen = -1;
      changed();
    },
  };

  function setDraft(next: Draft | null): void {
    draft = next;
    drawing.drawDraft(next);
  }
  const rounded = ([x, y]: Pair): Pair => [round(x), round(y)];

  function addObstacle(obstacle: FileObstacle): void {
    scene.set({ ...scene.file, obstacles: [...scene.file.obstacles, obstacle] });
    editing.chosen = scene.file.obstacles.length - 1;
    setDraft(null);
    changed();
  }

  function closePolygon(): void {
    if (draft === null || draft.points.length < 3) return;
    addObstacle({ polygon: draft.points });
  }

  root.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const at = drawing.toPlace(event.clientX, event.clientY);
    if (editing.tool === 'polygon') {
      const [first] = draft?.points ?? [];
      const near = CLOSE * drawing.pixel;
      const isClosing =
        draft !== null &&
        draft.points.length > 2 &&
        Math.abs(first[0] - at[0]) < near &&
        Math.abs(first[1] - at[1]) < near;
      if (isClosing) closePolygon();
      else setDraft({ points: [...(draft?.points ?? []), rounded(at)], disc: 0 });
      return;
    }
    root.setPointerCapture(event.pointerId);
    if (editing.tool === 'disc') {
      setDraft({ points: [rounded(at)], disc: 0 });
      return;
    }
    const grip = drawing.gripOf(event.target);
    const before = editing.chosen;
    if (grip === null) editing.chosen = -1;
    else if (grip.kind === 'obstacle') editing.chosen = grip.obstacle;
    const isMiddle = event.target instanceof Element && event.target.classList.contains('middle');
    if (grip !== null && grip.kind === 'vertex' && isMiddle) {
      const next = addVertex(scene.file, grip.obstacle, grip.ring, grip.vertex, rounded(at));
      scene.set(next);
      drag = { grip: { ...grip, vertex: grip.vertex + 1 }, last: at, isFirst: false };
      changed();
      return;
    }
    drag = grip === null ? null : { grip, last: grip.kind === 'obstacle' ? rounded(at) : at, isFirst: true };
    if (before !== editing.chosen) changed();
  });

  root.addEventListener('pointermove', (event) => {
    const at = drawing.toPlace(event.clientX, event.clientY);
    if (draft !== null && editing.tool === 'disc') {
      const [[x, y]] = draft.points;
      const radius = round(Math.sqrt((at[0] - x) ** 2 + (at[1] - y) ** 2));
      setDraft({ ...draft, disc: radius });
      return;
    }
    if (drag === null) return;
    const to = drag.grip.kind === 'obstacle' ? rounded(at) : at;
    const next = moveGrip(scene.file, drag.grip, drag.last, to, round);
    if (JSON.stringify(next) === JSON.stringify(scene.file)) return;
    scene.set(next, drag.isFirst);
    drag.isFirst = false;
    drag.last = to;
    changed();
  });

  root.addEventListener('pointerup', () => {
    drag = null;
    if (editing.tool !== 'disc' || draft === null) return;
    const { points, disc } = draft;
    setDraft(null);
    if (disc > 0) addObstacle({ disc, at: points[0] });
  });
  root.addEventListener('pointercancel', () => {
    drag = null;
    setDraft(null);
  });
  root.addEventListener('dblclick', (event) => {
    // The event itself goes to the drawing, which has captured the pointer.
    const grip = drawing.gripOf(document.elementFromPoint(event.clientX, event.clientY));
    if (editing.tool === 'polygon') closePolygon();
    else if (grip?.kind === 'vertex') takeVertex(grip);
  });

  function takeVertex({ obstacle, ring, vertex }: Extract<Grip, { kind: 'vertex' }>): void {
    const count = scene.file.obstacles.length;
    scene.set(removeVertex(scene.file, obstacle, ring, vertex));
    if (scene.file.obstacles.length < count) editing.chosen = -1;
    changed();
  }

  root.addEventListener('keydown', (event) => {
    const grip = drawing.gripOf(event.target);
    const steps: Readonly<Record<string, Pair>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const step = steps[event.key];
    if (grip === null || (step === undefined && event.key !== 'Delete')) return;
    event.preventDefault();
    if (step === undefined) {
      if (grip.kind === 'vertex') takeVertex(grip);
      return;
    }
    const node = event.target as SVGCircleElement;
    const by = 0.05;
    const from: Pair = [node.cx.baseVal.value, -node.cy.baseVal.value];
    scene.set(moveGrip(scene.file, grip, from, [from[0] + by * step[0], from[1] + by * step[1]], round));
    changed();
    drawing.find(grip)?.focus();
  });

  window.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === 'Escape') setDraft(null);
    if (event.key === 'Enter' && draft !== null) closePolygon();
    if (event.key === 'Delete' && drawing.gripOf(event.target) === null) editing.removeChosen();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
      event.preventDefault();
      if (event.shiftKey) scene.redo();
      else scene.undo();
      editing.chosen = -1;
      changed();
    }
  });
  return editing;
}

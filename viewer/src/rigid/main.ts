/** The page of free bodies: parts, one of them dragged, taken out, played on its certified way; a sequence as timeline and exploded view. */
import type { Pose } from 'clearance/math';
import { type Mesh, Raycaster, Vector3 } from 'three';
import { byId, element, field, fillSelect, section } from '../dom.js';
import { listenForFiles } from '../open-files.js';
import { createGizmo, type GizmoMode } from '../stage/gizmo.js';
import { createLabelledLine } from '../stage/labelled-line.js';
import { listenForPicks } from '../stage/picking.js';
import { createStage } from '../stage/stage.js';
import { rigidExamples } from './examples.js';
import type { ContactAnswer, FromRigid, PartData, ToRigid, WayAnswer } from './messages.js';
import { createPartsView, type PartsView } from './parts-view.js';
import { createSequencePanel } from './sequence-panel.js';
import { createWayPanel } from './way-panel.js';

let worker = startWorker();
const stage = createStage(byId('stage'));
const nearest = createLabelledLine(stage, byId('stage'));
let parts: readonly PartData[] = [];
let view: PartsView | null = null;
let chosen = -1;
/** Of the chosen part, where it was dragged to. */
let pose: Float64Array = new Float64Array(7);
/** What the places of the parts come from. */
let shows: 'drag' | 'way' | 'sequence' = 'drag';
/** A pose that the worker has not answered, and the one to ask next. */
let isAsked = false;
let next: Float64Array | null = null;

const send = (message: ToRigid, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
const button = (id: string, text: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', id, onclick }, text);

const list = element('ul', { id: 'rigid-parts', className: 'toolbar', 'aria-label': 'Parts' });
const contact = element('p', { id: 'rigid-contact', className: 'note', role: 'status' });
const failed = element('p', { id: 'rigid-failed', className: 'note', role: 'alert' });
const move = button('rigid-move', 'Move', () => setMode('translate'));
const turn = button('rigid-turn', 'Turn', () => setMode('rotate'));
const back = button('rigid-back', 'Back to its place', () => {
  if (chosen >= 0) drag(Float64Array.from(parts[chosen].pose));
});
const through = element('input', {
  id: 'rigid-through',
  type: 'range',
  min: '0',
  max: '0.95',
  step: '0.05',
  value: '0.7',
});
through.addEventListener('input', () => {
  view?.choose(shows === 'sequence' ? -1 : chosen, Number(through.value));
  stage.requestShadows();
});

const way = createWayPanel({
  takeOut(seed) {
    if (chosen < 0) return;
    view?.clearSearch();
    view?.showWay(null);
    show('drag');
    send({ type: 'take-out', pose: [...pose], seed });
  },
  cancel: () => send({ type: 'cancel' }),
  show(at) {
    show('way');
    if (at && view && chosen >= 0) {
      view.place(chosen, at.pose);
      view.setBalls(at.balls, at.motion, at.t);
      view.setTight(at.tight);
      byId('rigid-way').dataset.balls = String(view.ballCount);
    }
    stage.requestShadows();
  },
});

const sequence = createSequencePanel({
  plan: () => send({ type: 'sequence' }),
  cancel() {
    worker.terminate();
    worker = startWorker();
    send({ type: 'restore', parts });
    if (chosen >= 0) send({ type: 'choose', part: chosen });
  },
  show(poses, hidden) {
    show('sequence');
    poses.forEach((at, i) => {
      view?.place(i, at);
      view?.setVisible(i, !hidden[i]);
    });
    stage.requestShadows();
  },
  frame: () => view && stage.frame(view.root),
});

const gizmo = createGizmo(stage, (moved: Pose) => drag(Float64Array.from(moved)));

byId('panel').append(
  section('Parts', true, failed, list, field('See through', through)),
  section('Drag', true, element('div', { className: 'toolbar' }, move, turn, back), contact),
  section('Take out', true, ...way.elements),
  section('Sequence', true, ...sequence.elements),
);

function startWorker(): Worker {
  const started = new Worker(new URL('./rigid-worker.ts', import.meta.url), { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<FromRigid>) => {
    // Of a worker that was ended nothing is taken any more.
    if (started === worker) take(data);
  };
  return started;
}

function take(message: FromRigid): void {
  switch (message.type) {
    case 'parts':
      showParts(message.title, message.parts);
      return;
    case 'contact':
      isAsked = false;
      showContact(message.answer);
      ask();
      return;
    case 'progress':
      view?.addEdges(message.edges, message.sides);
      way.setProgress(message.queries, message.poses, view?.edgeCount ?? 0);
      stage.requestRender();
      return;
    case 'way':
      showWay(message.answer);
      return;
    case 'step':
      sequence.addStep(message.step);
      return;
    case 'sequence':
      sequence.end(message.answer);
      return;
    case 'failed':
      failed.textContent = message.message;
      way.stop();
      sequence.stop();
      isAsked = false;
  }
}

function showParts(title: string, given: readonly PartData[]): void {
  if (view) {
    stage.scene.remove(view.root);
    view.dispose();
  }
  gizmo.attach(null);
  nearest.show(null);
  failed.textContent = '';
  contact.textContent = 'Choose a part, in the list or by a click on it.';
  parts = given;
  chosen = -1;
  shows = 'drag';
  isAsked = false;
  next = null;
  view = createPartsView(parts);
  stage.scene.add(view.root);
  byId('title').textContent = title;
  list.replaceChildren(
    ...parts.map(({ name }, i) =>
      element(
        'li',
        {},
        button(`rigid-part-${i}`, name, () => choose(i)),
      ),
    ),
  );
  way.clear();
  sequence.setParts(parts);
  stage.frame(view.root);
  const wanted = rigidExamples.find((example) => example.title === title)?.chosen;
  const first = parts.findIndex(({ name }) => name === wanted);
  if (first >= 0) choose(first);
}

function choose(part: number): void {
  if (!view || sequence.isPlanning) return;
  if (chosen >= 0) view.place(chosen, parts[chosen].pose);
  chosen = part;
  pose = Float64Array.from(parts[part].pose);
  way.clear();
  view.clearSearch();
  view.showWay(null);
  [...list.querySelectorAll('button')].forEach((node, i) => {
    node.setAttribute('aria-pressed', String(i === part));
  });
  show('drag');
  isAsked = true;
  next = null;
  send({ type: 'choose', part });
}

/** Puts all parts where what is shown now has them. */
function show(what: typeof shows): void {
  if (!view) return;
  const before = shows;
  shows = what;
  if (what !== 'sequence')
    parts.forEach((part, i) => {
      view?.setVisible(i, true);
      view?.place(i, i === chosen ? pose : part.pose);
    });
  if (what !== 'way') {
    view.setBalls(false, 0, 0);
    view.setTight(false);
  }
  if (what !== 'drag') nearest.show(null);
  if (what === 'sequence' && before !== what) {
    view.showWay(null);
    view.clearSearch();
  }
  view.choose(what === 'sequence' ? -1 : chosen, Number(through.value));
  gizmo.attach(what === 'drag' && chosen >= 0 && !way.isSearching ? view.meshes[chosen] : null);
  stage.requestShadows();
}

function setMode(mode: GizmoMode): void {
  gizmo.setMode(mode);
  move.setAttribute('aria-pressed', String(mode === 'translate'));
  turn.setAttribute('aria-pressed', String(mode === 'rotate'));
  if (shows !== 'drag') show('drag');
  stage.requestRender();
}

function drag(to: Float64Array): void {
  if (chosen < 0 || !view) return;
  pose = to;
  way.clear();
  view.clearSearch();
  view.showWay(null);
  show('drag');
  next = to;
  ask();
}

/** One question at a time, the newest pose. */
function ask(): void {
  if (isAsked || next === null) return;
  isAsked = true;
  send({ type: 'pose', pose: [...next] });
  next = null;
}

function showContact({ pose: asked, touches, distance, points, other }: ContactAnswer): void {
  if (chosen < 0 || shows !== 'drag') return;
  const { name } = parts[chosen];
  view?.setTouching(touches);
  contact.dataset.distance = String(distance);
  contact.dataset.pose = asked.join();
  const far = Number.isFinite(distance) ? distance.toPrecision(4) : 'nothing is near';
  contact.textContent = touches ? `${name} touches ${other}` : other ? `${name}: ${far} to ${other}` : far;
  nearest.show(
    other
      ? {
          pointA: points.slice(0, 3),
          pointB: points.slice(3),
          color: touches ? 0xd32f1e : 0x1463c8,
          text: touches ? 'in contact' : far,
          className: touches ? 'touching' : '',
        }
      : null,
  );
  stage.requestShadows();
}

function showWay(answer: WayAnswer): void {
  if (!view) return;
  view.showWay(answer.path.length > 1 ? answer : null);
  way.show(answer, parts[chosen]?.name ?? '');
  if (answer.path.length > 1) stage.frame(view.root);
  else show('drag');
}

listenForPicks(stage, ({ origin, direction }) => {
  if (!view || gizmo.dragging || gizmo.hovered || shows === 'sequence') return;
  const ray = new Raycaster(new Vector3().fromArray(origin), new Vector3().fromArray(direction));
  const [hit] = ray.intersectObjects(view.meshes.filter(({ visible }) => visible));
  if (hit) choose(view.meshes.indexOf(hit.object as Mesh));
});

const example = byId<HTMLSelectElement>('example');
fillSelect(
  example,
  rigidExamples.map(({ title }) => title),
);
example.addEventListener('change', () => openExample(Number(example.value)));

function openExample(number: number): void {
  const { title, parts: listed } = rigidExamples[number];
  example.selectedIndex = number;
  restart();
  send({ type: 'example', title, parts: listed });
}

/** What another set of parts was asked is left. */
function restart(): void {
  if (!sequence.isPlanning && !way.isSearching) return;
  worker.terminate();
  worker = startWorker();
}

async function openFiles(files: Iterable<File>): Promise<void> {
  const read = await Promise.all(
    Array.from(files, async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })),
  );
  if (read.length === 0) return;
  restart();
  failed.textContent = 'Reading';
  send(
    { type: 'files', files: read },
    read.map(({ bytes }) => bytes),
  );
}

listenForFiles((files) => void openFiles(files));

setMode('translate');
const asked = new URLSearchParams(location.search).get('example');
openExample(
  Math.max(
    0,
    rigidExamples.findIndex(({ id }) => id === asked),
  ),
);

/** The fleets' page: a floor of robots that runs in a worker, or a recording, drawn and asked about. */
import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import { byId, element, field, section } from '../dom.js';
import { listenForFiles } from '../open-files.js';
import { createStage } from '../stage/stage.js';
import { createFloorView, type FloorView } from './floor-view.js';
import type { FleetFloor, FromFleet, RobotAnswer, ToFleet } from './messages.js';
import type { Colouring } from './robot-instances.js';

/** Frames over which the page's own work is told. */
const WORK_FRAMES = 300;

const worker = new Worker(new URL('./fleet-worker.ts', import.meta.url), { type: 'module' });
const stage = createStage(byId('stage'));
stage.grid.visible = false;
let view: FloorView | null = null;
let floor: FleetFloor | null = null;
let frame: Extract<FromFleet, { type: 'frame' }> | null = null;
let chosen = -1;
let isRunning = true;
let isAdding = false;
let isDragging = false;
const work: number[] = [];

const send = (message: ToFleet, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
const button = (id: string, text: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', id, onclick }, text);
const select = (id: string, choices: readonly (readonly [string, string])[], onchange: (value: string) => void) => {
  const control = element('select', { id, onchange: () => onchange(control.value) });
  control.append(...choices.map(([value, text]) => element('option', { value }, text)));
  return control;
};

const words = element('p', { id: 'fleet-words', className: 'note' }, 'Starting');
const pageWork = element('p', { id: 'fleet-work', className: 'note' });
const play = button('fleet-play', 'Pause', () => setRunning(!isRunning));
const pace = select(
  'fleet-pace',
  [
    ['1', 'as in life'],
    ['4', '4 times as fast'],
    ['20', '20 times as fast'],
    ['0', 'as fast as can be'],
  ],
  (value) => send({ type: 'pace', factor: Number(value) }),
);
pace.value = '4';
const slider = element('input', { id: 'fleet-time', type: 'range', min: '0', max: '0', step: '1', value: '0' });
slider.addEventListener('input', () => {
  isDragging = true;
  const at = Number(slider.value);
  send({ type: 'seek', frame: !floor?.isReplay && at >= Number(slider.max) ? -1 : at });
});
slider.addEventListener('change', () => {
  isDragging = false;
});
const live = button('fleet-live', 'Now', () => send({ type: 'seek', frame: -1 }));
const colouring = select(
  'fleet-colour',
  [
    ['speed', 'speed'],
    ['task', 'task'],
    ['contact', 'waits and contacts'],
  ],
  () => redraw(),
);
const heat = element('input', { id: 'fleet-heat', type: 'checkbox' });
heat.addEventListener('change', () => {
  send({ type: 'heat', isOn: heat.checked });
  if (!heat.checked) {
    view?.setHeat(null);
    stage.requestRender();
  }
});
const add = button('fleet-add', 'Add an obstacle', () => {
  isAdding = !isAdding;
  add.setAttribute('aria-pressed', String(isAdding));
});
const told = element('p', { id: 'fleet-told', className: 'note', role: 'status' });
const robotName = element('p', { id: 'fleet-robot' }, 'Click a robot.');
const robotQueue = element('ol', { id: 'fleet-queue' });

byId('panel').append(
  section('Run', true, words, play, field('Pace', pace), field('Time', slider), live, pageWork),
  section(
    'Look',
    true,
    field('Colour by', colouring),
    element('label', { className: 'check', htmlFor: heat.id }, heat, 'Where robots wait'),
  ),
  section('Floor', true, add, told),
  section('Robot', true, robotName, robotQueue),
);

worker.onmessage = ({ data }: MessageEvent<FromFleet>) => {
  switch (data.type) {
    case 'floor':
      showFloor(data.floor);
      return;
    case 'frame': {
      const start = performance.now();
      frame = data;
      redraw();
      measure(performance.now() - start);
      // The next one is asked for once this one is drawn.
      requestAnimationFrame(() => send({ type: 'ready' }));
      return;
    }
    case 'robot':
      showRobot(data.answer);
      return;
    case 'obstacle':
      if (data.state === 'closed') view?.addObstacle(data.x, data.y);
      told.textContent = {
        closed: `An obstacle stands at cell ${data.x}, ${data.y}.`,
        closing: `Robots still come through cell ${data.x}, ${data.y}.`,
        refused: `Cell ${data.x}, ${data.y} is no free cell, or somebody's goal.`,
      }[data.state];
      stage.requestRender();
      return;
    case 'failed':
      words.textContent = data.message;
  }
};

function showFloor(next: FleetFloor): void {
  if (view !== null) {
    stage.scene.remove(view.root);
    view.dispose();
  }
  floor = next;
  chosen = -1;
  view = createFloorView(next);
  stage.scene.add(view.root);
  byId('title').textContent = next.title;
  add.disabled = next.isReplay;
  heat.disabled = next.isReplay;
  live.disabled = next.isReplay;
  stage.frame(view.root, [0, -0.55, 0.85]);
  const middle = new Vector3(
    next.origin[0] + ((next.width - 1) * next.cellSize) / 2,
    -next.origin[1] - ((next.height - 1) * next.cellSize) / 2,
    0,
  );
  const far = 1.25 * Math.max(next.width, next.height) * next.cellSize;
  stage.camera.near = 0.1;
  stage.camera.far = 20 * far;
  stage.camera.updateProjectionMatrix();
  stage.look([middle.x, middle.y - 0.65 * far, 1.1 * far, ...middle.toArray()]);
}

function redraw(): void {
  if (view === null || frame === null) return;
  view.setFrame(frame.data, frame.places, colouring.value as Colouring);
  if (frame.heat !== null && heat.checked) view.setHeat(frame.heat);
  words.textContent = `${frame.time.toFixed(1)} s: ${frame.words}`;
  slider.max = String(floor?.isReplay ? frame.frames - 1 : frame.frames);
  if (!isDragging) slider.value = String(frame.frame);
  if (chosen >= 0 && !document.hidden) send({ type: 'robot', robot: chosen });
  stage.requestRender();
}

function measure(milliseconds: number): void {
  work.push(milliseconds);
  if (work.length > WORK_FRAMES) work.shift();
  const sorted = [...work].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const high = sorted[Math.floor(0.95 * sorted.length)];
  pageWork.textContent = `The page's own work: ${median.toFixed(1)} ms per frame, 95 of 100 under ${high.toFixed(1)} ms`;
  pageWork.dataset.median = median.toFixed(3);
  pageWork.dataset.high = high.toFixed(3);
  pageWork.dataset.frames = String(sorted.length);
  pageWork.dataset.most = sorted[sorted.length - 1].toFixed(3);
}

function setRunning(next: boolean): void {
  isRunning = next;
  play.textContent = next ? 'Pause' : 'Run';
  send({ type: 'run', isRunning });
}

function showRobot({ robot, name, doing, path }: RobotAnswer): void {
  if (robot !== chosen) return;
  robotName.textContent = name;
  robotQueue.replaceChildren(...doing.map((text) => element('li', {}, text)));
  view?.setPath(path);
  stage.requestRender();
}

/** Where on the floor the pointer is: x, y of the drawing. */
function pointOnFloor(event: MouseEvent): Vector3 | null {
  const box = stage.canvas.getBoundingClientRect();
  const at = new Vector2(
    ((event.clientX - box.left) / box.width) * 2 - 1,
    1 - ((event.clientY - box.top) / box.height) * 2,
  );
  const ray = new Raycaster();
  ray.setFromCamera(at, stage.camera);
  return ray.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), 0), new Vector3());
}

stage.canvas.addEventListener('click', (event) => {
  const point = pointOnFloor(event);
  if (point === null || view === null || floor === null) return;
  if (isAdding) {
    const [x, y] = [point.x - floor.origin[0], -point.y - floor.origin[1]];
    send({ type: 'obstacle', x: Math.round(x / floor.cellSize), y: Math.round(y / floor.cellSize) });
    return;
  }
  // Some pixels beside it are still it.
  chosen = view.find(point.x, point.y, Math.max(2 * floor.radius, 0.01 * stage.camera.position.distanceTo(point)));
  if (chosen >= 0) send({ type: 'robot', robot: chosen });
  else {
    robotName.textContent = 'Click a robot.';
    robotQueue.replaceChildren();
    view.setPath(null);
    stage.requestRender();
  }
});

async function openFiles(files: Iterable<File>): Promise<void> {
  const list = await Promise.all(
    Array.from(files, async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })),
  );
  if (list.length === 0) return;
  words.textContent = 'Reading';
  setRunning(true);
  send(
    { type: 'files', files: list },
    list.map(({ bytes }) => bytes),
  );
}

listenForFiles((files) => void openFiles(files));

const asked = Number(new URLSearchParams(location.search).get('robots') ?? 10_000);
send({ type: 'floor', robots: Number.isInteger(asked) && asked > 0 && asked <= 20_000 ? asked : 10_000 });

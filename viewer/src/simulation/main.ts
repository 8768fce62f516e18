/** The page of simulations: a world that runs, stops, steps and goes back, pulled by a spring; or a recording played again. */
import { readSimulationRecording, type SimulationRecording } from 'clearance/io';
import {
  computeEnergy,
  createSimulation,
  createWorld,
  restoreSnapshot,
  type Simulation,
  stepSimulation,
  takeSnapshot,
  type WorldOptions,
} from 'clearance/simulation';
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Plane, Raycaster, Vector2, Vector3 } from 'three';
import { byId, element, field, section } from '../dom.js';
import { loadKernel } from '../kernel.js';
import { listenForFiles } from '../open-files.js';
import { createStage } from '../stage/stage.js';
import { createEnergyPlot, type EnergyPlot } from './energy-plot.js';
import { createSpring, type Spring } from './spring.js';
import { createWorldView, type WorldView } from './world-view.js';
import { EXAMPLES, openWorld } from './worlds.js';

/** Milliseconds of a frame that steps may take: a world that is too heavy runs slower than life instead of stopping the page. */
const BUDGET = 12;

const stage = createStage(byId('stage'));
let simulation: Simulation | null = null;
let start: Float64Array | null = null;
let view: WorldView | null = null;
let recording: SimulationRecording | null = null;
let spring: Spring | null = null;
let isRunning = false;
let owed = 0;
let last = 0;

const button = (id: string, text: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', id, onclick }, text);
const choose = (id: string, choices: readonly (readonly [string, string])[], onchange: (value: string) => void) => {
  const control = element('select', { id, onchange: () => onchange(control.value) });
  control.append(...choices.map(([value, text]) => element('option', { value }, text)));
  return control;
};

const example = choose(
  'sim-world',
  EXAMPLES.map(({ id, name }) => [id, name]),
  (id) => void open(EXAMPLES.find((entry) => entry.id === id)!.files, EXAMPLES.find((e) => e.id === id)!.name),
);
const words = element('p', { id: 'sim-words', className: 'note' }, 'Starting');
const numbers = element('p', { id: 'sim-numbers', className: 'note' });
const told = element('p', { id: 'sim-told', className: 'note', role: 'status' });
const play = button('sim-play', 'Run', () => setRunning(!isRunning));
const single = button('sim-step', 'Step', () => {
  setRunning(false);
  advance(1);
});
const tenth = button('sim-tenth', '0.1 s on', () => {
  setRunning(false);
  if (recording) advance(1);
  else if (simulation) advance(Math.round(0.1 / simulation.world.step.step));
});
const reset = button('sim-reset', 'Reset', () => goToStart());
const pace = choose(
  'sim-pace',
  [
    ['1', 'as in life'],
    ['0.25', '4 times slower'],
    ['0.05', '20 times slower'],
  ],
  () => undefined,
);
const arrows = element('input', { id: 'sim-forces', type: 'checkbox', checked: true, onchange: () => draw() });
const slider = element('input', { id: 'sim-time', type: 'range', min: '0', max: '0', step: '1', value: '0' });
slider.addEventListener('input', () => {
  setRunning(false);
  showFrame(Number(slider.value));
});
const played = field('Time', slider);
played.hidden = true;
let plot: EnergyPlot = createEnergyPlot();
const plotPlace = element('div', {}, plot.root);

byId('panel').append(
  section('World', true, field('World', example), told),
  section(
    'Run',
    true,
    words,
    element('div', { className: 'toolbar' }, play, single, tenth, reset),
    field('Pace', pace),
    played,
  ),
  section(
    'Look',
    true,
    element('label', { className: 'check', htmlFor: arrows.id }, arrows, 'Contact forces'),
    numbers,
  ),
  section('Energy', true, plotPlace),
);

const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0xd0a000, depthTest: false }));
line.visible = false;
line.frustumCulled = false;
line.renderOrder = 3;
stage.scene.add(line);

/** Worlds of boxes and balls do without, where it is refused. */
const kernel = loadKernel().catch(() => {});

async function open(files: ReadonlyMap<string, Uint8Array>, title: string): Promise<void> {
  try {
    await kernel;
    const { options, notes } = await openWorld(files);
    begin(options, title);
    told.textContent = notes.length === 0 ? 'Drag a body: a spring pulls it.' : notes.join('; ');
  } catch (error) {
    told.textContent = (error as Error).message;
  }
}

function begin(options: WorldOptions, title: string): void {
  const world = createWorld(options);
  setRunning(false);
  release();
  if (view) {
    stage.scene.remove(view.root);
    view.dispose();
    simulation?.world.dispose();
  }
  recording = null;
  played.hidden = true;
  simulation = createSimulation(world);
  start = takeSnapshot(simulation);
  view = createWorldView(simulation);
  stage.scene.add(view.root);
  byId('title').textContent = title;
  freshPlot();
  draw();
  // The ground is endless: what moves is what is looked at.
  const still = view.root.children.filter((child) => !view!.meshes.includes(child as never) && child.type === 'Mesh');
  for (const child of still) view.root.remove(child);
  stage.frame(view.root, [0.6, -1, 0.4]);
  for (const child of still) view.root.add(child);
}

function freshPlot(): void {
  plot = createEnergyPlot();
  plotPlace.replaceChildren(plot.root);
}

function goToStart(): void {
  setRunning(false);
  if (recording) {
    showFrame(0);
    return;
  }
  if (!simulation || !start) return;
  release();
  restoreSnapshot(simulation, start);
  freshPlot();
  draw();
}

function setRunning(next: boolean): void {
  isRunning = next;
  owed = 0;
  play.textContent = next ? 'Pause' : 'Run';
  if (next) {
    last = performance.now();
    requestAnimationFrame(tick);
  }
}

function tick(now: number): void {
  if (!isRunning) return;
  owed += (Number(pace.value) * Math.max(0, now - last)) / 1000;
  last = now;
  if (recording) {
    const { times } = recording;
    let at = Number(slider.value);
    while (at + 1 < times.length && times[at + 1] - times[at] <= owed) {
      owed -= times[at + 1] - times[at];
      at++;
    }
    showFrame(at);
    if (at + 1 === times.length) setRunning(false);
  } else if (simulation) {
    const { step } = simulation.world.step;
    const begun = performance.now();
    let steps = 0;
    while (owed >= step && performance.now() - begun < BUDGET) {
      stepSimulation(simulation);
      owed -= step;
      steps++;
    }
    if (owed > 0.1) owed = 0;
    if (steps > 0) advanced();
  }
  if (isRunning) requestAnimationFrame(tick);
}

function advance(steps: number): void {
  if (recording) {
    showFrame(Math.min(recording.times.length - 1, Number(slider.value) + steps));
    return;
  }
  if (!simulation) return;
  stepSimulation(simulation, steps);
  advanced();
}

function advanced(): void {
  if (!simulation) return;
  const { kinetic, potential } = computeEnergy(simulation);
  plot.add({ t: simulation.state[0], kinetic, potential });
  plot.draw();
  draw();
}

function draw(): void {
  if (!simulation || !view || recording) return;
  const count = view.show(simulation, arrows.checked);
  const { contacts, penetration, residual, iterations, status } = simulation.report;
  const energy = computeEnergy(simulation).total;
  tell({ t: simulation.state[0], energy, contacts, penetration, residual, iterations, status });
  numbers.dataset.arrows = String(count);
  drawSpring();
  stage.requestShadows();
}

/** Numbers as they are, for whoever reads them out of the page. */
function tell(report: Readonly<Record<string, unknown>>): void {
  const { t, energy, contacts, penetration, residual, iterations, status } = report as Record<string, number>;
  words.textContent = `${t.toFixed(3)} s, ${Number(energy.toPrecision(6))} J`;
  numbers.textContent =
    `${contacts} contacts, ${(1000 * penetration).toPrecision(2)} mm deep, residual ${residual.toExponential(1)} m/s, ` +
    `${iterations} iterations, ${status}`;
  words.dataset.report = JSON.stringify(report);
}

function showFrame(at: number): void {
  if (!recording || !view) return;
  slider.value = String(at);
  view.showPoses(recording.names, recording.poses[at]);
  tell({ status: 'recorded', ...recording.reports[at] });
  stage.requestShadows();
}

function replay(next: SimulationRecording, title: string): void {
  const known = new Set(simulation?.world.carriers.map(({ name }) => name));
  const strange = next.names.filter((name) => !known.has(name));
  if (strange.length > 0) {
    told.textContent = `The recording is of another world: "${strange[0]}" is not in this one. Open its world first.`;
    return;
  }
  release();
  recording = next;
  slider.max = String(next.times.length - 1);
  played.hidden = false;
  byId('title').textContent = title;
  told.textContent = `${next.times.length} recorded states.`;
  showFrame(0);
}

const pointerAt = ({ clientX, clientY }: PointerEvent): Vector2 => {
  const { left, top, width, height } = stage.canvas.getBoundingClientRect();
  return new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
};
const raycaster = new Raycaster();
const screen = new Plane();

stage.canvas.addEventListener(
  'pointerdown',
  (event) => {
    if (event.button !== 0 || !simulation || !view || recording) return;
    raycaster.setFromCamera(pointerAt(event), stage.camera);
    const [hit] = raycaster.intersectObjects([...view.meshes]);
    if (!hit) return;
    // The camera stays while something is held.
    event.stopImmediatePropagation();
    stage.canvas.setPointerCapture(event.pointerId);
    spring = createSpring(simulation, hit.object.userData.carrier as number, hit.point.toArray());
    simulation.controllers.push(spring.control);
    screen.setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new Vector3()), hit.point);
    drawSpring();
  },
  { capture: true },
);
stage.canvas.addEventListener('pointermove', (event) => {
  if (!spring) return;
  raycaster.setFromCamera(pointerAt(event), stage.camera);
  const point = raycaster.ray.intersectPlane(screen, new Vector3());
  if (point) spring.target.set(point.toArray());
  drawSpring();
});
for (const name of ['pointerup', 'pointercancel'] as const) stage.canvas.addEventListener(name, () => release());

function release(): void {
  if (spring && simulation) {
    spring.release(simulation);
    simulation.controllers.length = 0;
  }
  spring = null;
  drawSpring();
}

function drawSpring(): void {
  line.visible = spring !== null;
  words.dataset.pull = spring ? String(new Vector3().fromArray(spring.force).length()) : '';
  if (spring) {
    const ends = new Float32Array([...spring.held, ...spring.target]);
    line.geometry.dispose();
    line.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(ends, 3));
  }
  stage.requestRender();
}

async function openFiles(files: Iterable<File>): Promise<void> {
  const list = await Promise.all(
    Array.from(files, async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const),
  );
  const recorded = list.find(([name]) => name.endsWith('.mcap'));
  const rest = list.filter(([name]) => !name.endsWith('.mcap'));
  const world = rest.find(([name]) => name.endsWith('.json'));
  if (rest.length > 0) await open(new Map(rest), world?.[0] ?? '');
  if (!recorded) return;
  const { value, issues } = await readSimulationRecording(recorded[1]);
  if (value) replay(value, recorded[0]);
  else told.textContent = issues.map(({ message }) => message).join('\n');
}

listenForFiles((files) => void openFiles(files));

const asked = new URLSearchParams(location.search).get('world');
const first = EXAMPLES.find(({ id }) => id === asked) ?? EXAMPLES[0];
example.value = first.id;
void open(first.files, first.name);

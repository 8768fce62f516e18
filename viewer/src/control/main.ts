/** The motions' page: programs of moves are written, planned and played, paths are optimised and watched while they are. */
import { setConfiguration } from 'clearance/scene';
import { collectDropped, type GivenFile } from 'clearance/web';
import { type CurvePanel, createCurvePanel, strokeOf } from '../curve-panel.js';
import { byId, element, field, section } from '../dom.js';
import { countOf } from '../format.js';
import { loadKernel } from '../kernel.js';
import type { Content } from '../load/content.js';
import { createLoader } from '../load/loader.js';
import { createPlayer } from '../player.js';
import { createStage } from '../stage/stage.js';
import { createSwept } from '../stage/swept.js';
import { createWorkspace, showPlacements, type Workspace } from '../workspace.js';
import type { FromControl, IterationAnswer, MotionAnswer, OptimisationAnswer, ToControl } from './messages.js';
import { createMotionView } from './motion-view.js';
import { formatMoves, parseMoves } from './move-lines.js';
import { controlExamples, readTask, type Task } from './programs.js';

/** Iterations that are kept for being looked at, beside the result. */
const MOST_ITERATIONS = 2000;

const stage = createStage(byId('stage'));
const view = createMotionView();
stage.scene.add(view.root);
const swept = createSwept(stage);
const loader = createLoader();
let workspace: Workspace | null = null;
let content: Content | null = null;
let worker: Worker | null = null;
/** Of the shown motion: seconds. */
let duration = 0;
let iterations: IterationAnswer[] = [];
/** The newest of all, kept or not, and the frame that will show it. */
let latest: IterationAnswer | null = null;
let drawing = 0;

const player = createPlayer((q) => {
  if (q) stand(q);
  showTime();
});

const button = (id: string, text: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', id, onclick }, text);
const number = (id: string, value: string, min: string, step: string): HTMLInputElement =>
  element('input', { type: 'number', id, value, min, step });
const note = (id: string): HTMLParagraphElement => element('p', { id, className: 'note', role: 'status' });

const example = element('select', { id: 'control-example' });
example.append(...controlExamples.map(({ name, id }) => element('option', { value: id }, name)));
example.addEventListener('change', () => void openExample(example.selectedIndex));
const moves = element('textarea', { id: 'control-moves', rows: 10, spellcheck: false, wrap: 'off' });
const rest = element('textarea', { id: 'control-rest', rows: 8, spellcheck: false, wrap: 'off' });
const acceleration = number('control-acceleration', '5', '0.1', '0.5');
acceleration.title = 'Of every joint, rad/s² or m/s²';
const isProven = element('input', { type: 'checkbox', id: 'control-proven', checked: true });
const planButton = button('control-plan', 'Plan', () => plan());
const haltButton = button('control-halt', 'Stop', () => stop());
const saveButton = button('control-save', 'Save program', () => save());
const verdict = note('control-verdict');
const report = element('ol', { id: 'control-report', className: 'control-rows' });
const near = element('ul', { id: 'control-near', className: 'control-rows' });

const problem = element('textarea', { id: 'control-problem', rows: 8, spellcheck: false, wrap: 'off' });
const method = element('select', { id: 'control-method' });
method.append(...['trajopt', 'chomp'].map((value) => element('option', { value }, value)));
const seeds = number('control-seeds', '8', '1', '1');
const optimiseButton = button('control-optimise', 'Optimise', () => optimise());
const stopButton = button('control-stop', 'Stop', () => stop());
const result = note('control-result');
const choice = element('input', { id: 'control-iteration', type: 'range', min: '0', max: '0', step: '1', value: '0' });
choice.addEventListener('input', () => showIteration(Number(choice.value)));
const iterationWords = note('control-iteration-words');

const play = button('control-play', 'Play', () => (player.playing ? player.pause() : player.play()));
const slider = element('input', { id: 'control-time', type: 'range', min: '0', max: '1000', step: '1', value: '0' });
slider.addEventListener('input', () => player.seek(Number(slider.value) / 1000));
const clock = note('control-clock');

const seconds = { formatAxis: (at: number) => `${at} s`, onPick: (at: number) => player.seek(at / duration) };
const speedPlot = createCurvePanel('Speed of the tool, m/s', [{ name: 'speed', stroke: strokeOf('blue') }], seconds);
const sharePlot = createCurvePanel(
  'Fastest joint, share of its limit',
  [{ name: 'share', stroke: strokeOf('vermilion') }],
  seconds,
);
const byIteration = { onPick: (at: number) => pickIteration(Math.round(at)) };
const costPlot = createCurvePanel('Cost by iteration', [{ name: 'cost', stroke: strokeOf('green') }], byIteration);
const missedPlot = createCurvePanel(
  'Missed clearance, mm',
  [{ name: 'missed', stroke: strokeOf('vermilion') }],
  byIteration,
);

const programSection = section(
  'Program',
  true,
  field('Moves, one a line', moves, 'field-tall'),
  field('Tool, frames, points, start, defaults', rest, 'field-tall'),
  field('Acceleration', acceleration, 'field wide-name'),
  element('label', { className: 'check', htmlFor: isProven.id }, isProven, 'Prove it free'),
  element('div', { className: 'toolbar' }, planButton, haltButton, saveButton),
  verdict,
);
const reportSection = section('Moves', true, report, near);
const problemSection = section(
  'Path',
  true,
  field('Ends and settings', problem, 'field-tall'),
  field('Method', method),
  field('First paths', seeds),
  element('div', { className: 'toolbar' }, optimiseButton, stopButton),
  result,
  costPlot.root,
  missedPlot.root,
  field('Iteration', choice),
  iterationWords,
);
const motionSection = section('Motion', true, play, field('Time', slider), clock, speedPlot.root, sharePlot.root);
byId('panel').append(
  section('Example', true, field('Show', example)),
  programSection,
  problemSection,
  motionSection,
  reportSection,
);

const send = (message: ToControl): void => worker?.postMessage(message);

/** A fresh worker: what the old one was at is ended. */
function startWorker(): void {
  worker?.terminate();
  worker = new Worker(new URL('./control-worker.ts', import.meta.url), { type: 'module' });
  const own = worker;
  // What an ended one had sent is not heard any more.
  worker.onmessage = ({ data }: MessageEvent<FromControl>) => {
    if (worker === own) hear(data);
  };
  // Trees stay here: the worker makes its own.
  if (content) send({ type: 'open', content: { ...content, prepared: new Map(), issues: [] } });
  setBusy(false);
}

function hear(message: FromControl): void {
  switch (message.type) {
    case 'motion':
      setBusy(false);
      showMotion(message.answer);
      return;
    case 'iteration':
      addIteration(message.iteration);
      return;
    case 'optimisation':
      setBusy(false);
      showOptimisation(message.answer);
      return;
    case 'failed':
      setBusy(false);
      for (const words of [verdict, result]) words.textContent = message.message;
  }
}

function setBusy(isBusy: boolean): void {
  planButton.disabled = isBusy;
  optimiseButton.disabled = isBusy;
  for (const end of [stopButton, haltButton]) end.disabled = !isBusy;
}

/** Moves the shown robot. */
function stand(q: Float64Array): void {
  if (!workspace || workspace.robots.length === 0) return;
  setConfiguration(workspace.robots[0].scene, q);
  showPlacements(workspace);
  stage.requestShadows();
}

function showTime(): void {
  const at = player.position;
  slider.value = String(Math.round(1000 * at));
  play.textContent = player.playing ? 'Pause' : 'Play';
  clock.textContent = duration > 0 ? `${(at * duration).toFixed(2)} of ${duration.toFixed(4)} s` : '';
  for (const plot of [speedPlot, sharePlot]) plot.mark(duration > 0 ? at * duration : null);
}

function plan(): void {
  try {
    const text = readProgram();
    setBusy(true);
    verdict.textContent = 'Planning';
    delete verdict.dataset.status;
    send({
      type: 'motion',
      ask: { program: text, acceleration: Number(acceleration.value), isProven: isProven.checked },
    });
  } catch (error) {
    verdict.textContent = (error as Error).message;
  }
}

/** The program's file. Throws with the line that is wrong. */
function readProgram(): string {
  const others = JSON.parse(rest.value) as Record<string, unknown>;
  return JSON.stringify({ format: 'clearance.motion/1', ...others, moves: parseMoves(moves.value) }, null, 2);
}

function save(): void {
  try {
    const url = URL.createObjectURL(new Blob([readProgram()], { type: 'application/json' }));
    element('a', { href: url, download: 'program.json' }).click();
    setTimeout(() => URL.revokeObjectURL(url));
  } catch (error) {
    verdict.textContent = (error as Error).message;
  }
}

function showMotion(answer: MotionAnswer): void {
  const { status, reason, place, moves: made, singularities, isCertified, clearance, times, speed, share } = answer;
  const free = isCertified
    ? `free at every time${clearance === null ? '' : `, nothing nearer than ${(1000 * clearance).toFixed(1)} mm`}`
    : 'not compared with anything';
  verdict.textContent =
    status === 'solved'
      ? `solved: ${answer.duration.toFixed(4)} s, ${countOf(made.length, 'move')}; ${free}`
      : `${status}: ${reason}${place ? `; ${place.words}` : ''}`;
  verdict.dataset.status = status;
  report.replaceChildren(
    ...made.map(({ name, begin, end, fastest, radius, blended, slowest }) => {
      const corner = radius > 0 ? `, radius ${blended.toFixed(3)} m` : '';
      const slow = slowest ? `; slowed to ${slowest.speed.toFixed(3)} m/s by ${slowest.joint}` : '';
      const words = `${name}: ${begin.toFixed(3)} to ${end.toFixed(3)} s, up to ${fastest.toFixed(3)} m/s${corner}${slow}`;
      return element(
        'li',
        {},
        element('button', { type: 'button', onclick: () => player.seek(begin / duration) }, words),
      );
    }),
  );
  near.replaceChildren(...singularities.map(({ words }) => element('li', {}, `near a singularity: ${words}`)));
  view.showMotion(answer);
  reportSection.hidden = false;
  showSamples(answer);
  plotOver(speedPlot, times, speed);
  plotOver(sharePlot, times, share);
}

const plotOver = (plot: CurvePanel, times: Float64Array, values: Float64Array): void =>
  plot.show([Array.from(times), Array.from(values)]);

/** A motion to be played: nq numbers a row. */
function showSamples({ rows, times }: { readonly rows: Float64Array; readonly times: Float64Array }): void {
  const model = workspace?.robots[0]?.model;
  duration = times.length > 0 ? times[times.length - 1] : 0;
  player.clear();
  if (model && times.length > 1) {
    const path = cutRows(rows, model.nq);
    player.setPath(model, path, Array.from(times));
    stand(path[0]);
  }
  motionSection.hidden = times.length < 2;
  showTime();
  stage.requestRender();
}

function cutRows(rows: Float64Array, nq: number): Float64Array[] {
  return Array.from({ length: rows.length / nq }, (_, i) => rows.slice(i * nq, (i + 1) * nq));
}

function optimise(): void {
  startIterations();
  clearShown();
  setBusy(true);
  result.textContent = 'Optimising';
  delete result.dataset.status;
  send({
    type: 'optimise',
    ask: {
      problem: problem.value,
      method: method.value as 'trajopt' | 'chomp',
      seeds: Math.max(1, Math.round(Number(seeds.value))),
    },
  });
}

function clearShown(): void {
  view.clear();
  if (workspace) swept.show(workspace.scene, null, []);
}

function startIterations(): void {
  cancelAnimationFrame(drawing);
  drawing = 0;
  latest = null;
  iterations = [];
}

/** Ends the worker, whatever it is at: what it had sent can be looked at. */
function stop(): void {
  cancelAnimationFrame(drawing);
  drawing = 0;
  startWorker();
  if (problemSection.hidden) {
    verdict.textContent = 'Stopped';
    return;
  }
  result.textContent = `Stopped after ${countOf(iterations.length, 'iteration')}`;
  view.addIterations(iterations.map(({ tool }) => tool));
  plotCosts();
  chooseLast();
}

function chooseLast(): void {
  choice.max = String(Math.max(iterations.length - 1, 0));
  choice.value = choice.max;
  showIteration(iterations.length - 1);
}

/** Drawn once a frame, however many come. */
function addIteration(iteration: IterationAnswer): void {
  if (iterations.length < MOST_ITERATIONS) iterations.push(iteration);
  latest = iteration;
  if (drawing !== 0) return;
  drawing = requestAnimationFrame(() => {
    drawing = 0;
    if (latest) showProgress(latest);
  });
}

function showProgress(iteration: IterationAnswer): void {
  view.addIterations(iterations.map(({ tool }) => tool));
  result.textContent = `first path ${iteration.seed}, iteration ${iteration.iteration}: cost ${iteration.cost.toFixed(4)}, ${(1000 * iteration.violation).toFixed(2)} mm missed`;
  plotCosts();
  stage.requestRender();
}

function plotCosts(): void {
  const axis = iterations.map((_, i) => i);
  costPlot.show([axis, iterations.map(({ cost }) => cost)]);
  missedPlot.show([axis, iterations.map(({ violation }) => 1000 * violation)]);
}

function showOptimisation({ status, reason, certified, clearance, length, ...answer }: OptimisationAnswer): void {
  const free = clearance === null ? '' : `, nothing nearer than ${(1000 * clearance).toFixed(1)} mm`;
  const effort = `${countOf(answer.iterations, 'iteration')} over ${countOf(answer.attempts.length, 'first path')}`;
  result.textContent = certified
    ? `${status}: length ${length.toFixed(3)}, cost ${answer.cost.toFixed(4)}, free at every time${free}; ${effort}`
    : `${status}: ${reason}; ${effort}`;
  result.dataset.status = status;
  // What came of it is the last of what is looked at.
  cancelAnimationFrame(drawing);
  drawing = 0;
  if (answer.rows.length > 0) {
    const { seed = 0, iteration = 0, violation = 0 } = iterations.at(-1) ?? {};
    iterations.push({ seed, iteration, violation, cost: answer.cost, rows: answer.rows, tool: answer.tool });
    view.addIterations(iterations.map(({ tool }) => tool));
    plotCosts();
  }
  chooseLast();
}

function pickIteration(index: number): void {
  const last = Number(choice.max);
  choice.value = String(Math.min(Math.max(index, 0), last));
  showIteration(Number(choice.value));
}

function showIteration(index: number): void {
  const shown = iterations[index];
  const [robot] = workspace?.robots ?? [];
  if (!shown || !workspace || !robot) return;
  const path = cutRows(shown.rows, robot.model.nq);
  view.chooseIteration(index, shown.tool);
  swept.show(workspace.scene, robot, path);
  iterationWords.textContent = `${index + 1} of ${iterations.length}: cost ${shown.cost.toFixed(4)}, ${(1000 * shown.violation).toFixed(2)} mm missed`;
  for (const plot of [costPlot, missedPlot]) plot.mark(index);
  player.clear();
  player.setPath(robot.model, path);
  duration = 0;
  motionSection.hidden = false;
  speedPlot.root.hidden = true;
  sharePlot.root.hidden = true;
  showTime();
  stage.requestRender();
}

function showTask(task: Task | null): void {
  const isProgram = task === null || 'program' in task;
  programSection.hidden = !isProgram;
  problemSection.hidden = isProgram;
  motionSection.hidden = true;
  reportSection.hidden = true;
  speedPlot.root.hidden = !isProgram;
  sharePlot.root.hidden = !isProgram;
  report.replaceChildren();
  near.replaceChildren();
  if (task === null) return;
  if ('program' in task) {
    const { format: _, moves: listed, ...others } = JSON.parse(task.program) as Record<string, unknown>;
    moves.value = formatMoves(listed as Record<string, unknown>[]);
    rest.value = JSON.stringify(others, null, 1);
    plan();
  } else {
    problem.value = task.problem;
    optimise();
  }
}

async function openExample(index: number): Promise<void> {
  const { session, task } = controlExamples[index];
  await open({ kind: 'session', session, base: document.baseURI }, task);
}

type Request = Parameters<typeof loader.load>[0];

async function open(request: Request, task: Task | null): Promise<void> {
  byId('title').textContent = 'Loading';
  try {
    const loaded = await loader.load(request, ({ file }) => {
      byId('title').textContent = `Loading ${file}`;
    });
    if (!loaded) return;
    show(loaded.content);
    showTask(task);
  } catch (error) {
    byId('title').textContent = (error as Error).message;
  }
}

function show(next: Content): void {
  clearShown();
  player.clear();
  if (workspace) workspace.root.removeFromParent();
  content = next;
  workspace = createWorkspace(next);
  for (const { object } of workspace.robots)
    for (const { visual, collision } of object.links.values()) {
      visual.visible = true;
      collision.visible = visual.children.length === 0;
    }
  stage.scene.add(workspace.root);
  if (workspace.robots.length > 0) stand(workspace.robots[0].scene.q.slice());
  byId('title').textContent = next.title;
  stage.frame(workspace.root, next.view);
  startWorker();
}

async function openFiles(files: readonly GivenFile[]): Promise<void> {
  let task: Task | null = null;
  const others: GivenFile[] = [];
  for (const given of files) {
    const [path, file] = given instanceof File ? [given.name, given] : given;
    const found = /\.json$/i.test(path) ? readTask(await new Response(file as BodyInit).text()) : null;
    if (found) task = found;
    else others.push(given);
  }
  if (others.length > 0) await open({ kind: 'files', files: others }, task);
  else showTask(task);
}

const input = byId<HTMLInputElement>('file-input');
byId('open-files').addEventListener('click', () => input.click());
input.addEventListener('change', () => {
  const files = Array.from(input.files ?? [], (file): GivenFile => [file.name, file]);
  void openFiles(files);
  input.value = '';
});
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', (event) => {
  event.preventDefault();
  if (event.dataTransfer) void collectDropped(event.dataTransfer).then(openFiles);
});

await loadKernel();
const asked = controlExamples.findIndex(({ id }) => id === new URLSearchParams(location.search).get('example'));
example.selectedIndex = Math.max(asked, 0);
await openExample(example.selectedIndex);

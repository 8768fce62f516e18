/** The plane's page: obstacles are drawn, start and goal dragged; each change is planned anew in a worker and drawn at once. */
import { parsePlaneProblem, parseTurningProblem } from 'clearance/io';
import { byId, element, field, section } from '../dom.js';
import { downloadText } from '../download.js';
import { listenForFiles } from '../open-files.js';
import { PlaneDrawing } from './drawing.js';
import { bodies, EditedScene, examples, type PlaneFile } from './edited-scene.js';
import { createEditing, type Tool } from './editing.js';
import type { PlaneAnswer, PlaneQuestion } from './messages.js';

const worker = new Worker(new URL('./plane-worker.ts', import.meta.url), { type: 'module' });
const drawing = new PlaneDrawing();
byId('stage').append(drawing.root);
const names = Object.keys(examples);
const scene = new EditedScene(examples[names[0]]);
let answer: PlaneAnswer | null = null;
let asked = 0;
let isBusy = false;
let isWaiting = false;

const select = (id: string, choices: readonly (readonly [string, string])[], onchange: () => void) => {
  const control = element('select', { id, onchange });
  control.append(...choices.map(([value, text]) => element('option', { value }, text)));
  return control;
};
const check = (id: string, isOn: boolean, onchange: () => void): HTMLInputElement => {
  const box = element('input', { id, type: 'checkbox', checked: isOn });
  box.addEventListener('change', onchange);
  return box;
};
const labelled = (text: string, box: HTMLInputElement): HTMLLabelElement =>
  element('label', { className: 'check' }, box, text);
const button = (id: string, text: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', id, onclick }, text);

const words = element('p', { id: 'plane-words', role: 'status' }, 'Planning');
const facts = element('p', { id: 'plane-facts', className: 'note' });
const method = select(
  'plane-method',
  [
    ['shortest', 'shortest'],
    ['clearance', 'most clearance'],
    ['trapezoids', 'through trapezoids'],
  ],
  ask,
);
const touching = select(
  'plane-touching',
  [
    ['blocked', 'blocked'],
    ['free', 'free'],
  ],
  () => edit({ touching: touching.value as 'free' | 'blocked' }),
);
const body = select(
  'plane-body',
  [...Object.keys(bodies), 'own'].map((name) => [name, name]),
  () => {
    const chosen = bodies[body.value];
    if (chosen !== undefined) edit({ robot: chosen });
  },
);
const turns = check('plane-turns', false, () => edit({ turning: turns.checked }));
const snap = select(
  'plane-snap',
  [
    ['100', '0.01'],
    ['20', '0.05'],
    ['4', '0.25'],
    ['0', 'off'],
  ],
  () => undefined,
);
const layers = {
  configuration: check('plane-configuration', true, redraw),
  decomposition: check('plane-decomposition', true, redraw),
  graph: check('plane-graph', false, ask),
  answer: check('plane-answer', true, redraw),
};
/** Whole multiples of the step: divided, not multiplied, so that they are what a hand would write. */
const round = (value: number): number => {
  const per = Number(snap.value);
  return per === 0 ? value : Math.round(value * per) / per + 0;
};

const editing = createEditing({ scene, drawing, round, changed });
const tools: Readonly<Record<Tool, HTMLButtonElement>> = {
  edit: button('tool-edit', 'Edit', () => setTool('edit')),
  polygon: button('tool-polygon', 'Draw a polygon', () => setTool('polygon')),
  disc: button('tool-disc', 'Draw a disc', () => setTool('disc')),
};
const remove = button('plane-remove', 'Remove', () => editing.removeChosen());
const undo = button('undo', 'Undo', () => travel(() => scene.undo()));
const redo = button('redo', 'Redo', () => travel(() => scene.redo()));
const hint = element('p', { className: 'note', id: 'plane-hint' });

byId('panel').append(
  section('Answer', true, words, facts),
  section(
    'Question',
    true,
    field('Path', method),
    field('Touching is', touching),
    field('Body', body),
    labelled('It may turn', turns),
  ),
  section(
    'Edit',
    true,
    element('div', { className: 'toolbar' }, tools.edit, tools.polygon, tools.disc),
    element('div', { className: 'toolbar' }, remove, undo, redo),
    hint,
    field('Snap to', snap),
  ),
  section(
    'Look',
    true,
    labelled('Configuration space', layers.configuration),
    labelled('Decomposition', layers.decomposition),
    labelled('Visibility graph', layers.graph),
    labelled('Path or closing chain', layers.answer),
  ),
);

function setTool(tool: Tool): void {
  editing.setTool(tool);
  for (const [name, control] of Object.entries(tools)) control.setAttribute('aria-pressed', String(name === tool));
  hint.textContent = {
    edit: 'Drag start, goal, corners and obstacles. A faint dot between corners makes one; a double click takes one away.',
    polygon: 'Click corners; Enter, a double click or the first corner ends.',
    disc: 'Press at the middle and drag.',
  }[tool];
}

function edit(change: Partial<PlaneFile>): void {
  scene.set({ ...scene.file, ...change });
  changed();
}

function travel(step: () => void): void {
  step();
  editing.chosen = -1;
  changed();
}

function load(file: PlaneFile): void {
  scene.set(file);
  editing.chosen = -1;
  drawing.frame(file);
  changed();
}

function changed(): void {
  const { file } = scene;
  touching.value = file.touching ?? 'blocked';
  turns.checked = file.turning === true;
  method.disabled = turns.checked;
  const own = JSON.stringify(file.robot);
  body.value = Object.keys(bodies).find((name) => JSON.stringify(bodies[name]) === own) ?? 'own';
  remove.disabled = editing.chosen < 0;
  undo.disabled = !scene.canUndo;
  redo.disabled = !scene.canRedo;
  drawing.drawScene(file, editing.chosen, answer?.boxes ?? []);
  ask();
}

/** One question at a time: what was asked meanwhile is dropped but for the last. */
function ask(): void {
  words.setAttribute('aria-busy', 'true');
  if (isBusy) {
    isWaiting = true;
    return;
  }
  isBusy = true;
  isWaiting = false;
  worker.postMessage({
    number: ++asked,
    text: JSON.stringify(scene.file),
    method: method.value as PlaneQuestion['method'],
    withGraph: layers.graph.checked,
  } satisfies PlaneQuestion);
}

worker.onmessage = ({ data }: MessageEvent<PlaneAnswer>) => {
  isBusy = false;
  answer = data;
  redraw();
  if (isWaiting) ask();
};

const metres = (value: number): string => `${value.toPrecision(7)} m`;

function redraw(): void {
  const shown = {
    configuration: layers.configuration.checked,
    decomposition: layers.decomposition.checked,
    graph: layers.graph.checked,
    answer: layers.answer.checked,
  };
  drawing.drawScene(scene.file, editing.chosen, answer?.boxes ?? []);
  drawing.drawAnswer(scene.file, answer, shown);
  if (answer === null) return;
  const { status, reason, length, verified, clearance, width, ms } = answer;
  words.dataset.status = status;
  words.setAttribute('aria-busy', String(isBusy || isWaiting));
  words.dataset.length = String(length);
  const kept = clearance > 0 ? `, at least ${clearance.toPrecision(3)} m clear` : '';
  const doubt = verified ? '' : ', not verified in doubles';
  words.textContent =
    status === 'solved' ? `Solved: ${metres(length)}${kept}${doubt}` : `${status.replace('-', ' ')}: ${reason}`;
  const counts = [
    `${answer.forbidden.length} forbidden pieces`,
    `${answer.trapezoids.length} trapezoids with ${answer.neighbours} openings in ${answer.components} ${answer.components === 1 ? 'part' : 'parts'}`,
    ...(answer.graph === null ? [] : [`${answer.graph.length / 4} edges of the visibility graph`]),
    ...(answer.links > 0 ? [`${answer.links} links in the closing chain`] : []),
    ...(width > 0 ? [`curves as polygons, ${width.toPrecision(2)} m off at most`] : []),
    ...(shown.graph && answer.graph === null ? ['the visibility graph is too large to draw'] : []),
  ];
  const planned = scene.file.turning === true ? [`${answer.path.length} poses`] : counts;
  facts.textContent = status === 'invalid' ? '' : `${planned.join(', ')}; ${ms.toFixed(0)} ms.`;
}

/** Refuses what `plan-2d` would refuse, and keeps what is shown. */
async function openFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const text = await file.text();
  const translating = parsePlaneProblem(text);
  const { value, issues } = translating.value !== null ? translating : parseTurningProblem(text);
  if (value === null) {
    words.dataset.status = 'invalid';
    words.textContent = `${file.name}: ${issues.map(({ message }) => message).join('; ')}`;
    return;
  }
  byId('title').textContent = file.name;
  load(JSON.parse(text.replace(/^\uFEFF/, '')) as PlaneFile);
}

const example = byId<HTMLSelectElement>('plane-example');
example.append(...names.map((name) => element('option', { value: name }, name)));
example.addEventListener('change', () => {
  byId('title').textContent = 'The plane';
  load(examples[example.value]);
});
listenForFiles(([file]) => void openFile(file));
byId('plane-save').addEventListener('click', () =>
  downloadText('plane.json', `${JSON.stringify(scene.file, null, 1)}\n`, 'application/json'),
);
new ResizeObserver(() => drawing.drawScene(scene.file, editing.chosen, answer?.boxes ?? [])).observe(drawing.root);

drawing.frame(scene.file);
setTool('edit');
changed();

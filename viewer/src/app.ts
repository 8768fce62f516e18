/** Ties the page together: where content comes from, what is shown of it, and the page's own buttons. */
import { collectDropped, type GivenFile } from 'clearance/web';
import { byId, element, fillSelect } from './dom.js';
import { examples } from './load/examples.js';
import { ShownScene } from './shown-scene.js';
import { Sources } from './sources.js';

export interface App {
  /** What the history says was shown last, else the server's session, else a bundled example. */
  start(): Promise<void>;
}

export function createApp(): App {
  const scene = new ShownScene(() => sources.saveSoon());
  const sources = new Sources(scene);
  bindFiles((files) => sources.showFiles(files));
  bindExamples((index) => void sources.showExample(index));
  byId('frame-view').addEventListener('click', () => scene.frame());
  return { start: () => sources.start() };
}

function bindExamples(show: (index: number) => void): void {
  const select = byId<HTMLSelectElement>('example');
  fillSelect(
    select,
    examples.map(({ name }) => name),
    0,
  );
  // Shown while something else than an example is.
  select.append(element('option', { hidden: true }, 'Own files'));
  select.addEventListener('change', () => show(select.selectedIndex));
}

function bindFiles(show: (files: readonly GivenFile[]) => Promise<void>): void {
  const stageElement = byId('stage');
  const hint = byId('drop-hint');
  for (const [button, input] of [
    ['open-files', 'file-input'],
    ['open-folder', 'folder-input'],
  ] as const) {
    const field = byId<HTMLInputElement>(input);
    byId(button).addEventListener('click', () => field.click());
    field.addEventListener('change', () => {
      const files = Array.from(field.files ?? [], (file): GivenFile => [file.webkitRelativePath || file.name, file]);
      // The same files can be picked again after they changed on disk.
      field.value = '';
      void show(files);
    });
  }
  window.addEventListener('dragover', (event) => {
    event.preventDefault();
    hint.hidden = false;
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) hint.hidden = true;
  });
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    hint.hidden = true;
    if (event.dataTransfer) void collectDropped(event.dataTransfer).then(show);
  });
  stageElement.addEventListener('pointerdown', () =>
    stageElement.querySelector('canvas')?.focus({ preventScroll: true }),
  );
}

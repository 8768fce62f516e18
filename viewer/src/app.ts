/** Ties the page together: where content comes from, what is shown of it, and the page's own buttons. */
import { collectDropped, type GivenFile } from 'clearance/web';
import { byId, element, fillSelect } from './dom.js';
import { downloadBytes } from './download.js';
import { examples } from './load/examples.js';
import { createGallery } from './panel/gallery.js';
import { ShownScene } from './shown-scene.js';
import { Sources } from './sources.js';

export { useKernel } from 'clearance/kernel';

export interface App {
  /** What the history says was shown last, else the server's session, else a bundled example. */
  start(): Promise<void>;
}

export function createApp(): App {
  const [undo, redo] = [byId<HTMLButtonElement>('undo'), byId<HTMLButtonElement>('redo')];
  const showSteps = (canUndo: boolean, canRedo: boolean): void => {
    undo.disabled = !canUndo;
    redo.disabled = !canRedo;
  };
  const scene = new ShownScene(
    () => sources.saveSoon(),
    () => sources.begin(),
    showSteps,
    (choice) => void sources.chooseProtein(choice),
  );
  const sources = new Sources(scene, showSteps);
  undo.addEventListener('click', () => sources.step(-1));
  redo.addEventListener('click', () => sources.step(1));
  bindKeys((direction) => sources.step(direction));
  bindSheet();
  bindFiles((files) => sources.showFiles(files));
  bindExamples((index) => void sources.showExample(index));
  const say = (text: string): void => scene.notice.say(text);
  byId('share').addEventListener(
    'click',
    () => void share(sources, say).catch((error) => say((error as Error).message)),
  );
  byId('save').addEventListener('click', () => void save(sources, say).catch((error) => say((error as Error).message)));
  const gallery = createGallery(examples, (index) => void sources.showExample(index));
  document.body.append(gallery.root);
  byId('open-gallery').addEventListener('click', () => gallery.open());
  byId('frame-view').addEventListener('click', () => scene.frame());
  return { start: () => sources.start() };
}

/** Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y; words that are being typed have steps of their own. */
function bindKeys(step: (direction: -1 | 1) => void): void {
  window.addEventListener('keydown', (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y')) return;
    if (event.target instanceof HTMLInputElement && ['search', 'text'].includes(event.target.type)) return;
    event.preventDefault();
    step(key === 'y' || event.shiftKey ? 1 : -1);
  });
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

const SHEETS = ['half', 'full', 'peek'] as const;

/** On a phone the panel is a sheet of three heights: its handle is clicked through them or dragged. */
function bindSheet(): void {
  const [handle, main] = [byId('sheet-handle'), byId('work')];
  let drag: { readonly y: number; readonly height: number } | null = null;
  let isDragged = false;
  const panel = byId('panel');
  handle.addEventListener('click', () => {
    if (isDragged) return;
    main.style.removeProperty('--sheet');
    const next =
      SHEETS[(SHEETS.indexOf((main.dataset.sheet ?? 'half') as (typeof SHEETS)[number]) + 1) % SHEETS.length];
    main.dataset.sheet = next;
    handle.setAttribute('aria-expanded', String(next !== 'peek'));
  });
  handle.addEventListener('pointerdown', (event) => {
    drag = { y: event.clientY, height: panel.clientHeight };
    isDragged = false;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointermove', ({ clientY }) => {
    if (!drag || (!isDragged && Math.abs(clientY - drag.y) < 5)) return;
    isDragged = true;
    const height = Math.min(Math.max(drag.height + drag.y - clientY, 40), 0.85 * main.clientHeight);
    main.style.setProperty('--sheet', `${Math.round(height)}px`);
  });
  for (const kind of ['pointerup', 'pointercancel'] as const)
    handle.addEventListener(kind, () => {
      drag = null;
    });
}

/** A link to an example goes to the clipboard, files of the user's own into a zip. */
async function share(sources: Sources, say: (text: string) => void): Promise<void> {
  const link = await sources.link();
  if (link === null) return save(sources, say);
  try {
    await navigator.clipboard.writeText(link);
    say('Link copied: it opens this example as it stands');
  } catch {
    // No clipboard without a secure connection, or none is allowed: the address bar then holds the link.
    history.replaceState(history.state, '', link);
    say('The link is in the address bar');
  }
}

async function save(sources: Sources, say: (text: string) => void): Promise<void> {
  const packed = await sources.pack();
  if (!packed) return say('A protein is saved by its own panel');
  downloadBytes(
    `${document.title.replace(/ · .*/, '').replace(/[^\w.-]+/g, '-') || 'scene'}.clearance.zip`,
    packed.bytes,
  );
  say(packed.leftOut.length > 0 ? `Saved without ${packed.leftOut.join(', ')}` : 'Saved: drop the zip here to go on');
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

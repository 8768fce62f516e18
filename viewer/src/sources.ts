/** Where what is shown comes from: bundled examples, a server's session, files that were given; kept, so that a reload finds it. */

import { loadChains } from 'virtual:late-chains';
import type { Issue } from 'clearance/io';
import type { GivenFile } from 'clearance/web';
import { startComputing } from './computing.js';
import { byId, element } from './dom.js';
import { early } from './early.js';
import { countOf } from './format.js';
import { createKeeper, type Source } from './keep.js';
import { decodeLink, encodeLink, LONGEST_LINK } from './link.js';
import { type ConfigurationValues, type Content, createEmptyContent } from './load/content.js';
import { examples } from './load/examples.js';
import { fetchSession } from './load/fetch-session.js';
import type { GivenContent } from './load/given-files.js';
import { createLoader, type Loaded, type Loader, type PreparedProtein } from './load/loader.js';
import { withObjects } from './load/mesh-objects.js';
import { keepTrees } from './load/prepare.js';
import { NO_CHOICES, type Reading, type ReadingChoices } from './load/reading.js';
import type { Session } from './load/session.js';
import { watchPointer } from './pointer-held.js';
import type { GivenProtein, ProteinChoice } from './protein/load-protein.js';
import type { ShownScene } from './shown-scene.js';
import type { Work } from './work.js';
import { WorkHistory } from './work-history.js';

/** Quiet time after a change before work is saved. */
const SAVE_DELAY = 300;

type GivenFiles = Loaded & Pick<GivenContent, 'holds'>;

const PATH_WITHOUT_ROBOT: Issue = {
  severity: 'error',
  code: 'path-without-robot',
  message: 'a path needs a robot to go along it; give the robot first, or with it',
};

export class Sources {
  private readonly loader: Loader;
  private readonly keeper = createKeeper();
  private source: Source = { base: 'none', batches: [] };
  /** About the files of the source. */
  private choices: ReadingChoices = NO_CHOICES;
  private readonly history = new WorkHistory();
  /** Of the protein that was shown last, and what its file's reader said. */
  private protein: { readonly given: GivenProtein; readonly issues: readonly Issue[] } | null = null;
  private saveTimer = 0;
  /** A pointer is down. */
  private readonly pointer = watchPointer();
  /** Does not make entries of the history while it is being gone through. */
  private quietly = false;

  /** `onSteps`: whether there is something to take back, and something to do again. */
  constructor(
    private readonly scene: ShownScene,
    private readonly onSteps: (canUndo: boolean, canRedo: boolean) => void,
  ) {
    this.loader = createLoader(early.takeReader, startComputing, loadChains);
    this.keeper.onReturn(() => {
      void this.keeper.recall().then(async (kept) => {
        if (kept) await this.restore(kept.source, kept.work).catch((error) => this.showFailure(error));
      });
    });
    window.addEventListener('pagehide', () => this.saveNow());
  }

  /** What the history says was shown last, else the server's session, else a bundled example. */
  async start(): Promise<void> {
    const asked = early.session;
    window.addEventListener('hashchange', () => void this.followLink().catch((error) => this.showFailure(error)));
    if (await this.followLink().catch(() => false)) return;
    const [kept, session] = await Promise.all([this.keeper.recall(), asked]);
    if (session?.events) this.hear(session.events);
    if (session?.socket) this.scene.listen(session.socket);
    // A server's session is what its user asked for: what was kept counts where it is of the same kind.
    const isWanted = kept && (kept.source.base !== 'session' || session);
    if (isWanted && (await this.restore(kept.source, kept.work).catch(() => false))) return;
    const base = session ? 'session' : (`example:${examples[0].id}` as const);
    await this.remember({ base, batches: [] }, 'replace');
    try {
      const first = session ? null : await early.takeFirst();
      if (first) this.scene.show(first);
      else await this.readSession(session ?? examples[0].session, null);
    } catch (error) {
      this.scene.show({
        ...createEmptyContent(''),
        issues: [{ severity: 'error', code: 'unreadable', message: (error as Error).message }],
      });
    }
  }

  /** Another model of the shown protein, or other hydrogens. */
  async chooseProtein(choice: ProteinChoice): Promise<void> {
    if (!this.protein) return;
    const { given, issues } = this.protein;
    try {
      const loaded = await this.read({ kind: 'protein', given: { ...given, choice } }, `Preparing ${given.file}`);
      if (loaded?.protein) this.showProtein(loaded.protein, issues);
    } catch (error) {
      this.showFailure(error);
    }
  }

  private showProtein(found: PreparedProtein, issues: readonly Issue[]): void {
    this.protein = { given: found.given, issues };
    this.scene.showProtein(found, issues);
  }

  /** What the server says while the page is open. */
  private hear(url: string): void {
    const events = new EventSource(new URL(url, document.baseURI));
    events.addEventListener('files', () => {
      if (this.source.base === 'session' && this.source.batches.length === 0)
        void this.readAgain().catch((error) => this.showFailure(error));
    });
    events.addEventListener('q', ({ data }: MessageEvent<string>) =>
      this.scene.place(JSON.parse(data) as ConfigurationValues),
    );
  }

  /** The session's files as they are now, with what the user did. */
  private async readAgain(): Promise<void> {
    const session = await fetchSession();
    if (!session || !(await this.readSession(session, this.scene.readWork()))) return;
    this.scene.notice.say('Files changed: shown as they are now');
  }

  saveSoon(): void {
    window.clearTimeout(this.saveTimer);
    // A drag is one step, however slow the hand.
    this.saveTimer = window.setTimeout(() => (this.pointer.isHeld ? this.saveSoon() : this.saveNow()), SAVE_DELAY);
  }

  private saveNow(): void {
    window.clearTimeout(this.saveTimer);
    const work = this.scene.readWork();
    if (!work) return;
    this.keeper.saveWork(work);
    this.history.note(work);
    this.showSteps();
  }

  /** Other content is shown: its steps begin. */
  begin(): void {
    this.history.begin(this.scene.hasProtein ? null : this.scene.readWork());
    this.showSteps();
  }

  /** What a link to it would say; null for what only its user has. */
  async link(): Promise<string | null> {
    const { base, batches } = this.source;
    if (!base.startsWith('example:') || batches.length > 0) return null;
    this.saveNow();
    const work = this.scene.hasProtein ? null : this.scene.readWork();
    const hash = await encodeLink({ example: base.slice('example:'.length), work });
    return hash.length > LONGEST_LINK ? null : `${location.origin}${location.pathname}${location.search}#${hash}`;
  }

  /** All that is shown, as the bytes of a zip file; null where there is nothing to take along. */
  async pack(): Promise<{ readonly bytes: Uint8Array; readonly leftOut: readonly string[] } | null> {
    const { workspace } = this.scene;
    const work = this.scene.hasProtein ? null : this.scene.readWork();
    if (!workspace || !work) return null;
    const { createBundle } = await import('./bundle.js');
    const { zipSync } = await import('fflate');
    const { files, leftOut } = await createBundle(workspace, work, this.source);
    return { bytes: zipSync(Object.fromEntries(files), { level: 6 }), leftOut };
  }

  /** What the address asks for, once: false where it asks for nothing. */
  private async followLink(): Promise<boolean> {
    const linked = await decodeLink(location.hash);
    const example = linked && examples.find(({ id }) => id === linked.example);
    if (!example) return false;
    history.replaceState(history.state, '', `${location.pathname}${location.search}`);
    await this.remember({ base: `example:${example.id}`, batches: [] }, 'replace');
    await this.readSession(example.session, linked.work);
    if (linked.isBroken) this.scene.notice.say('The link is damaged: the example is shown as it comes');
    return true;
  }

  /** One step back (-1) or forth (1). */
  step(direction: -1 | 1): void {
    if (this.scene.hasProtein) {
      this.scene.stepProtein(direction);
      return;
    }
    this.saveNow();
    const work = direction < 0 ? this.history.undo() : this.history.redo();
    if (work) this.scene.restore(work);
    this.showSteps();
  }

  private showSteps(): void {
    if (this.scene.hasProtein) return;
    this.onSteps(this.history.canUndo, this.history.canRedo);
  }

  async showExample(index: number): Promise<void> {
    const { id, session } = examples[index];
    const next: Source = { base: `example:${id}`, batches: [] };
    const before = this.source;
    this.source = next;
    try {
      if (await this.readSession(session, null)) await this.remember(next);
      else this.source = before;
    } catch (error) {
      this.showFailure(error);
    }
  }

  /** The same files as the user says that they are to be read. */
  private async readOtherwise(change: Reading): Promise<void> {
    const next: Source = { ...this.source, reading: { ...this.source.reading, ...change } };
    const work = this.scene.readWork();
    const { chosen } = this.scene.tabs;
    const { scrollTop: top } = byId('panel');
    try {
      await this.remember(next);
      await this.restore(next, work);
      // The hand is still at what it changed.
      this.scene.tabs.choose(chosen);
      byId('panel').scrollTop = top;
    } catch (error) {
      this.showFailure(error);
    }
  }

  async showFiles(files: readonly GivenFile[], reading: Reading = {}): Promise<void> {
    if (files.length === 0) return;
    try {
      const loaded = await this.read({ kind: 'files', files, reading }, `Reading ${countOf(files.length, 'file')}`);
      if (loaded?.holds)
        await this.showGiven({ ...loaded, holds: loaded.holds }, files, loaded.work ?? this.scene.readWork(), reading);
    } catch (error) {
      this.showFailure(error);
    }
  }

  /** Shows a source again: what was there first, then the files that were given. Returns false when that cannot be read. */
  private async restore(wanted: Source, work: Work | null): Promise<boolean> {
    if (this.scene.workspace) this.scene.show(createEmptyContent(''));
    this.source = { base: wanted.base, batches: [] };
    if (wanted.base === 'session') {
      const session = await fetchSession();
      if (!session || !(await this.readSession(session, work))) return false;
    } else if (wanted.base !== 'none') {
      const example = examples.find(({ id }) => wanted.base === `example:${id}`);
      if (!example || !(await this.readSession(example.session, work))) return false;
    }
    for (const batch of wanted.batches) {
      const loaded = await this.read(
        { kind: 'files', files: batch, reading: wanted.reading },
        `Reading ${countOf(batch.length, 'file')}`,
      );
      if (!loaded?.holds) return false;
      this.quietly = true;
      try {
        await this.showGiven({ ...loaded, holds: loaded.holds }, batch, work, wanted.reading);
      } finally {
        this.quietly = false;
      }
    }
    this.source = wanted;
    this.showSourceName();
    return true;
  }

  /** Files on top of what is shown: a robot takes its place, parts and scenes join it, a path is played. */
  private async showGiven(
    { content: given, protein: found, holds, choices }: GivenFiles,
    batch: readonly GivenFile[],
    before: Work | null,
    reading: Reading = {},
  ): Promise<void> {
    // An example and a protein give way to what is no protein; anything else is joined.
    const givesWay = this.source.base.startsWith('example:') || this.scene.hasProtein;
    const current = givesWay || !this.scene.workspace ? createEmptyContent('') : this.scene.workspace.content;
    const alone: Source = { base: 'none', batches: [batch], reading };
    const joined: Source = givesWay
      ? alone
      : {
          ...this.source,
          batches: [...this.source.batches, batch],
          reading: { ...this.source.reading, ...reading },
        };
    if (holds.robot || found) {
      await this.remember(alone);
      if (found) this.showProtein(found, given.issues);
      else {
        this.scene.show(given, before);
        this.offer(choices);
      }
      return;
    }
    const issues = [...current.issues, ...given.issues];
    const path = given.path ?? current.path;
    const title = current.title || given.title;
    if (holds.scene || holds.meshes) {
      await this.remember(joined);
      const next = holds.scene
        ? { ...current, ...given, robots: current.robots, meshMode: current.meshMode }
        : withObjects(current, given);
      const meshFiles = givesWay ? choices.meshFiles : [...new Set([...this.choices.meshFiles, ...choices.meshFiles])];
      this.scene.show(keepTrees({ ...next, title, path, issues }, current, given), before);
      this.offer({ ...(givesWay ? choices : this.choices), meshFiles });
      return;
    }
    // Nothing that is shown changes: a path for the robot, or words on what could not be used.
    const notes: Issue[] = [...given.issues];
    if (given.path && this.scene.workspace && this.scene.workspace.robots.length > 0) this.scene.loadPath(given.path);
    else if (given.path) notes.push(PATH_WITHOUT_ROBOT);
    if (
      notes.some(({ severity }) => severity === 'error') &&
      (!this.scene.workspace || isEmpty(this.scene.workspace.content))
    )
      this.scene.show({ ...createEmptyContent(''), issues: notes });
    else
      this.scene.messages.show(
        notes.length > 0 ? [...notes, ...(this.scene.workspace?.issues ?? [])] : (this.scene.workspace?.issues ?? []),
      );
  }

  private offer(choices: ReadingChoices): void {
    this.choices = choices;
    this.scene.offerReadings(choices, this.source.reading ?? {}, (change) => void this.readOtherwise(change));
  }

  private async remember(next: Source, how: 'push' | 'replace' = 'push'): Promise<void> {
    if (!this.quietly) this.saveNow();
    this.source = next;
    this.showSourceName();
    if (this.quietly) return;
    try {
      await this.keeper.remember(next, how);
    } catch {
      // No place for the files, or none is allowed: a reload then begins anew.
    }
  }

  /** Reads in a worker, telling how far it is; null when it was cancelled or something else was asked for. */
  private async read(request: Parameters<typeof this.loader.load>[0], what: string): Promise<Loaded | null> {
    this.scene.note.hidden = false;
    const words = element('span', {}, what);
    const cancel = element(
      'button',
      { type: 'button', id: 'cancel-loading', onclick: () => this.loader.cancel() },
      'Cancel',
    );
    this.scene.note.replaceChildren(words, cancel);
    try {
      return await this.loader.load(request, ({ file, done, total, stage = what }) => {
        words.textContent = `${stage}: ${done} of ${total}, ${file.slice(file.lastIndexOf('/') + 1)}`;
      });
    } finally {
      if (this.scene.note.contains(words)) this.scene.note.hidden = true;
    }
  }

  private async readSession(session: Session, work: Work | null): Promise<boolean> {
    const loaded = await this.read({ kind: 'session', session, base: document.baseURI }, `Loading ${session.title}`);
    if (!loaded) return false;
    const { content, protein: given } = loaded;
    const issues =
      content.path && content.robots.length === 0 ? [...content.issues, PATH_WITHOUT_ROBOT] : content.issues;
    if (given) this.showProtein(given, issues);
    else this.scene.show({ ...content, issues }, work ?? loaded.work);
    return true;
  }

  private showFailure(error: unknown): void {
    this.scene.messages.show([
      { severity: 'error', code: 'unreadable', message: (error as Error).message },
      ...(this.scene.workspace?.issues ?? []),
    ]);
  }

  private showSourceName(): void {
    const index = examples.findIndex(({ id }) => this.source.base === `example:${id}`);
    byId<HTMLSelectElement>('example').selectedIndex =
      index >= 0 && this.source.batches.length === 0 ? index : examples.length;
  }
}

function isEmpty({ robots, objects }: Content): boolean {
  return robots.length === 0 && objects.length === 0;
}

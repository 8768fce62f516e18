/** Ties the page together: content in, scene and panels kept in step, what the user does carried out. */
import type { Issue } from 'clearance/io';
import type { Pose } from 'clearance/math';
import { configurationFromNamed } from 'clearance/model';
import { findEnclosedBodies, setConfiguration } from 'clearance/scene';
import { collectDropped, type GivenFile } from 'clearance/web';
import { byId, element, fillSelect } from './dom.js';
import { downloadText } from './download.js';
import { countOf, formatMilliseconds } from './format.js';
import { createKeeper, type Source } from './keep.js';
import { type Content, createEmptyContent, type PathContent } from './load/content.js';
import { examples } from './load/examples.js';
import type { GivenContent } from './load/given-files.js';
import { createLoader, type Loaded, type PreparedProtein } from './load/loader.js';
import { withObjects } from './load/mesh-objects.js';
import { disposeTrees, keepTrees } from './load/prepare.js';
import { fetchSession, type Session } from './load/session.js';
import { createDisplayPanel, type Layers } from './panel/display.js';
import { createJointPanel } from './panel/joints.js';
import { createMessagePanel } from './panel/messages.js';
import { createMotionPanel } from './panel/motion.js';
import { createObjectPanel } from './panel/objects.js';
import { createVerdictPanel } from './panel/verdict.js';
import { planInPage } from './planner.js';
import { createPlayer } from './player.js';
import { createProteinDisplay } from './protein/protein.js';
import {
  createMeasurement,
  findNearest,
  listContacts,
  type Measurement,
  measureContacts,
  prepareFirstContacts,
  type Touching,
} from './queries.js';
import { createGizmo } from './stage/gizmo.js';
import { createNearestLine } from './stage/nearest-line.js';
import { listenForPicks } from './stage/picking.js';
import { createStage } from './stage/stage.js';
import { chooseStartView } from './stage/start-view.js';
import { createTrace } from './stage/trace.js';
import { createToolView } from './tool-view.js';
import { describeVerdict } from './verdict-state.js';
import { applyWork, readWork, type Work } from './work.js';
import {
  createWorkspace,
  disposeWorkspace,
  neutral,
  nextRandom,
  placeWorkspaceObject,
  readConfiguration,
  showContacts,
  showPlacements,
  type Workspace,
  type WorkspaceObject,
  type WorkspaceRobot,
} from './workspace.js';

export interface App {
  /** What the history says was shown last, else the server's session, else a bundled example. */
  start(): Promise<void>;
}

/** Quiet time after a change before depths are asked for, and between rounds of timing; before work is saved. */
const DEPTH_DELAY = 60;
const MEASURE_DELAY = 150;
const SAVE_DELAY = 300;
const LAYERS: Layers = {
  visual: true,
  collision: false,
  objects: true,
  nearest: true,
  trace: true,
  ellipsoid: false,
  mass: false,
  limits: false,
  grid: true,
};

type GivenFiles = Loaded & Pick<GivenContent, 'holds'>;

const PATH_WITHOUT_ROBOT: Issue = {
  severity: 'error',
  code: 'path-without-robot',
  message: 'a path needs a robot to go along it; give the robot first, or with it',
};

export function createApp(): App {
  const stageElement = byId<HTMLElement>('stage');
  const stage = createStage(stageElement);
  const nearestLine = createNearestLine(stage, stageElement);
  const trace = createTrace();
  stage.scene.add(trace.line);
  const note = byId<HTMLParagraphElement>('stage-note');

  const loader = createLoader();
  const keeper = createKeeper();

  let workspace: Workspace | null = null;
  let source: Source = { base: 'none', batches: [] };
  let chosen = 0;
  let cancelled = false;
  let depthTimer = 0;
  let measureTimer = 0;
  let saveTimer = 0;
  let nearestFrame = 0;
  let shown: readonly Touching[] = [];

  const verdict = createVerdictPanel();
  const joints = createJointPanel({
    onChange: (q) => moveRobot(q),
    onNeutral: () => withRobot((robot) => moveRobot(neutral(robot))),
    onRandom: () => withRobot((robot) => workspace && moveRobot(nextRandom(workspace, robot))),
    onRobot: (index) => chooseRobot(index),
  });
  const motion = createMotionPanel({
    onGo: (index) => withRobot((robot) => robot.stored[index] && moveRobot(robot.stored[index].q)),
    onStore: () => withRobot(storeCurrent),
    onPlan: (start, goal) => withRobot((robot) => void plan(robot, start, goal)),
    onCancel: () => {
      cancelled = true;
    },
    onPlay: () => (player.playing ? player.pause() : player.play()),
    onSeek: (position) => {
      player.pause();
      player.seek(position);
    },
    onSpeed: (factor) => player.setSpeed(factor),
    onSave: () => savePath(player.path),
  });
  const objects = createObjectPanel({
    onSelect: (index) => {
      const object = workspace?.objects[index];
      // Objects held by a robot get no handles.
      gizmo.attach(object && object.scene.attachment === null ? object.mesh : null);
    },
    onMove: (index, pose) => moveObject(index, pose),
  });
  const display = createDisplayPanel(LAYERS, applyLayers);
  const messages = createMessagePanel();
  const tool = createToolView(stage, () => {
    player.pause();
    refresh();
  });
  const protein = createProteinDisplay(stage);
  /** Sections about robots and objects, which a protein puts away. */
  const sceneSections = element('div', {}, tool.panel.root, joints.root, motion.root, objects.root, display.root);
  // What went wrong stands where it is seen, and what the user drags below it.
  byId('panel').append(verdict.root, messages.root, sceneSections);

  const player = createPlayer((q) => {
    motion.showPosition(player.position, player.playing);
    const robot = workspace?.robots[chosen];
    if (!q || !robot) return;
    setConfiguration(robot.scene, q);
    refresh();
  });
  const gizmo = createGizmo(stage, (pose) => {
    if (objects.selected >= 0) moveObject(objects.selected, pose);
  });
  const shownObjects = (): readonly WorkspaceObject[] => workspace?.objects ?? [];
  listenForPicks(
    stage,
    () => shownObjects().map(({ mesh }) => mesh),
    (mesh) => {
      if (gizmo.dragging || tool.dragging) return;
      const index = shownObjects().findIndex((object) => object.mesh === mesh);
      if (index >= 0) objects.select(index);
      else gizmo.attach(null);
    },
  );

  function withRobot(act: (robot: WorkspaceRobot) => void): void {
    const robot = workspace?.robots[chosen];
    if (robot) act(robot);
  }

  /** `work`: what had been done to the robots and objects of the same names. */
  function show(content: Content, work: Work | null = null): void {
    protein.clear();
    sceneSections.hidden = verdict.root.hidden = false;
    player.clear();
    gizmo.attach(null);
    if (workspace) {
      disposeWorkspace(workspace);
      disposeTrees(workspace.content, content);
    }
    workspace = createWorkspace(content);
    if (work) applyWork(workspace, work);
    stage.scene.add(workspace.root);
    showTitle(content.title);
    objects.setObjects(workspace.objects);
    objects.root.open = workspace.robots.length === 0;
    messages.show(workspace.issues);
    display.set({ ...display.layers, ...suitableLayers(workspace) });
    motion.root.hidden = workspace.robots.length === 0;
    motion.showMessage('');
    chooseRobot(work && work.chosen < workspace.robots.length ? work.chosen : 0);
    const empty = workspace.robots.length === 0 && workspace.objects.length === 0;
    note.hidden = !empty;
    note.textContent = empty ? 'Nothing to show. The Files section says why.' : '';
    stage.frame(workspace.root, content.view ?? chooseStartView(workspace));
    if (work?.view) stage.look(work.view);
    if (content.path) loadPath(content.path);
    prepareContacts(workspace);
  }

  function prepareContacts(shown: Workspace, steps = prepareFirstContacts(shown.scene)): void {
    if (workspace === shown && !steps.next().done) window.setTimeout(() => prepareContacts(shown, steps));
  }

  function showProtein({ file, loaded, issues: own }: PreparedProtein, issues: readonly Issue[]): void {
    show({ ...createEmptyContent(file), issues: [...issues, ...own] });
    if (!loaded) return;
    sceneSections.hidden = verdict.root.hidden = true;
    note.hidden = true;
    showTitle(loaded.name);
    protein.show(loaded);
  }

  function chooseRobot(index: number): void {
    if (!workspace) return;
    chosen = index;
    const robot = workspace.robots[index] ?? null;
    joints.setRobot(
      robot,
      workspace.robots.map(({ scene }) => scene.name),
      index,
    );
    showStored(robot);
    setPath(robot, []);
    // The tool's marks go by the robot's size as it stands.
    showPlacements(workspace);
    tool.setRobot(robot);
    applyLayers(display.layers);
    refresh();
  }

  function showStored(robot: WorkspaceRobot | null, start?: number, goal?: number): void {
    const names = robot?.stored.map(({ name }) => name) ?? [];
    // The content's own pairs come after the SRDF's states.
    const pair = Math.max(
      0,
      names.findIndex((name) => name.endsWith(': start')),
    );
    motion.setStored(names, start ?? pair, goal ?? pair + 1);
  }

  function storeCurrent(robot: WorkspaceRobot): void {
    const count = robot.stored.filter(({ isOwn }) => isOwn).length;
    robot.stored.push({ name: `Stored ${count + 1}`, q: robot.scene.q.slice(), isOwn: true });
    const last = robot.stored.length - 1;
    showStored(robot, last === 0 ? 0 : last - 1, last);
    motion.showMessage(`Stored ${count + 1} is the current position`);
    saveSoon();
  }

  function moveRobot(q: Float64Array): void {
    player.pause();
    withRobot((robot) => setConfiguration(robot.scene, q));
    refresh();
  }

  function moveObject(index: number, pose: Pose): void {
    const object = workspace?.objects[index];
    if (!workspace || !object || object.scene.attachment) return;
    placeWorkspaceObject(workspace, object, pose);
    objects.refresh();
    refresh();
    gizmo.follow();
  }

  /** After anything moved: placements, what touches, colours. What takes longer follows when there is time for it. */
  function refresh(): void {
    if (!workspace) return;
    showPlacements(workspace);
    const { scene, objectPairs } = workspace;
    const contacts = listContacts(scene, objectPairs);
    showContacts(workspace, new Set(contacts.flatMap(({ a, b }) => [a, b])));
    showVerdict(contacts);
    const robot = workspace.robots[chosen];
    if (robot) joints.show(robot.scene.q);
    tool.refresh();
    stage.requestShadows();
    followLater(contacts.length > 0);
  }

  function showVerdict(contacts: readonly Touching[], remarks: readonly string[] = []): void {
    shown = contacts;
    if (!workspace) return;
    const state = describeVerdict(workspace.basis, contacts.length);
    verdict.show({ ...state, notes: [...state.notes, ...remarks] }, contacts);
  }

  /** The nearest pair at the next frame, or with the depths where there are contacts; then the times, once nothing moves. */
  function followLater(isTouching: boolean): void {
    window.clearTimeout(depthTimer);
    window.clearTimeout(measureTimer);
    window.clearTimeout(saveTimer);
    if (isTouching) {
      cancelAnimationFrame(nearestFrame);
      nearestFrame = 0;
      nearestLine.show(null);
      depthTimer = window.setTimeout(showDepths, DEPTH_DELAY);
    } else if (nearestFrame === 0) {
      nearestFrame = requestAnimationFrame(() => {
        nearestFrame = 0;
        showNearest();
      });
    }
    verdict.showTimes(null);
    const measured = workspace;
    const measurement = workspace && createMeasurement(workspace.scene, workspace.objectPairs);
    const advance = (running: Measurement): void => {
      if (workspace !== measured) return;
      const times = running.advance();
      if (times) verdict.showTimes(times);
      else measureTimer = window.setTimeout(() => advance(running), MEASURE_DELAY);
    };
    if (measurement)
      measureTimer = window.setTimeout(() => {
        showEnclosed();
        advance(measurement);
      }, MEASURE_DELAY);
    saveSoon();
  }

  function showDepths(): void {
    if (!workspace) return;
    showVerdict(measureContacts(workspace.scene, workspace.objectPairs));
    showNearest();
  }

  function showNearest(): void {
    if (!workspace) return;
    const nearest = findNearest(workspace.scene, workspace.objectPairs);
    nearestLine.show(nearest);
    verdict.showNearest(nearest);
  }

  function showEnclosed(): void {
    if (!workspace) return;
    // What lies inside an open mesh touches nothing, since that is a surface: said beside the verdict.
    const enclosed = findEnclosedBodies(workspace.scene);
    if (enclosed.length > 0)
      showVerdict(
        shown,
        enclosed.map(({ mesh, message }) => `"${mesh}": ${message}`),
      );
  }

  function saveSoon(): void {
    window.clearTimeout(saveTimer);
    saveTimer = window.setTimeout(saveNow, SAVE_DELAY);
  }

  function saveNow(): void {
    window.clearTimeout(saveTimer);
    if (workspace) keeper.saveWork(readWork(workspace, chosen, stage.view()));
  }

  function applyLayers(layers: Layers): void {
    for (const { object } of workspace?.robots ?? []) {
      for (const { visual, collision } of object.links.values()) {
        visual.visible = layers.visual;
        collision.visible = layers.collision;
      }
    }
    for (const { mesh } of workspace?.objects ?? []) mesh.visible = layers.objects;
    nearestLine.setVisible(layers.nearest);
    trace.line.visible = layers.trace;
    tool.applyLayers(layers);
    stage.grid.visible = layers.grid;
    stage.requestShadows();
  }

  async function plan(robot: WorkspaceRobot, from: number, to: number): Promise<void> {
    const [start, goal] = [robot.stored[from], robot.stored[to]];
    if (!workspace || !start || !goal) return;
    const { scene } = workspace;
    player.pause();
    setPath(robot, []);
    cancelled = false;
    motion.setPlanning(true);
    motion.showMessage('Planning');
    try {
      const outcome = await planInPage({
        scene,
        robot,
        start: start.q,
        goal: goal.q,
        isCancelled: () => cancelled || workspace?.scene !== scene,
        onProgress: (iterations) => motion.showMessage(`Planning: ${countOf(iterations, 'iteration')}`),
      });
      if (workspace?.scene !== scene) return;
      const solved = outcome.status === 'solved';
      const effort = `${formatMilliseconds(outcome.milliseconds)}, ${countOf(outcome.checks, 'check')}`;
      motion.showMessage(
        solved ? `Solved in ${effort}` : `${sentence(outcome.status)}: ${outcome.reason} (${effort})`,
        !solved,
      );
      if (solved) setPath(robot, outcome.path, { length: outcome.length });
    } catch (error) {
      motion.showMessage((error as Error).message, true);
    } finally {
      motion.setPlanning(false);
    }
  }

  function setPath(
    robot: WorkspaceRobot | null,
    path: readonly Float64Array[],
    { length, times }: { readonly length?: number; readonly times?: readonly number[] } = {},
  ): void {
    trace.show(robot, path);
    if (!robot || path.length < 2) {
      player.clear();
      motion.setPath(null);
    } else {
      player.setPath(robot.model, path, times);
      motion.setPath(
        `${countOf(path.length, 'waypoint')}${length === undefined ? '' : `, length ${length.toFixed(2)}`}`,
      );
      player.seek(0);
    }
    stage.requestRender();
  }

  function loadPath({ joints: names, path, times }: PathContent): void {
    withRobot((robot) => {
      try {
        const read = (q: readonly number[]): Float64Array =>
          names
            ? configurationFromNamed(robot.model, Object.fromEntries(names.map((name, k) => [name, q[k]])))
            : readConfiguration(robot.model, q);
        setPath(robot, path.map(read), { times });
        motion.showMessage('Path loaded');
      } catch (error) {
        motion.showMessage(`This path does not fit the robot: ${(error as Error).message}`, true);
      }
    });
  }

  /** Files on top of what is shown: a robot takes its place, parts and scenes join it, a path is played. */
  async function showGiven(
    { content: given, protein: found, holds }: GivenFiles,
    batch: readonly GivenFile[],
    before: Work | null,
  ): Promise<void> {
    // An example and a protein give way to what is no protein; anything else is joined.
    const givesWay = source.base.startsWith('example:') || sceneSections.hidden;
    const current = givesWay || !workspace ? createEmptyContent('') : workspace.content;
    const alone: Source = { base: 'none', batches: [batch] };
    const joined: Source = givesWay ? alone : { ...source, batches: [...source.batches, batch] };
    if (holds.robot || found) {
      await remember(alone);
      if (found) showProtein(found, given.issues);
      else show(given, before);
      return;
    }
    const issues = [...current.issues, ...given.issues];
    const path = given.path ?? current.path;
    const title = current.title || given.title;
    if (holds.scene || holds.meshes) {
      await remember(joined);
      const next = holds.scene
        ? { ...current, ...given, robots: current.robots, meshMode: current.meshMode }
        : withObjects(current, given);
      show(keepTrees({ ...next, title, path, issues }, current, given), before);
      return;
    }
    // Nothing that is shown changes: a path for the robot, or words on what could not be used.
    const notes: Issue[] = [...given.issues];
    if (given.path && workspace && workspace.robots.length > 0) loadPath(given.path);
    else if (given.path) notes.push(PATH_WITHOUT_ROBOT);
    if (notes.some(({ severity }) => severity === 'error') && (!workspace || isEmpty(workspace.content)))
      show({ ...createEmptyContent(''), issues: notes });
    else messages.show(notes.length > 0 ? [...notes, ...(workspace?.issues ?? [])] : (workspace?.issues ?? []));
  }

  /** Does not make entries of the history while it is being gone through. */
  let quietly = false;

  async function remember(next: Source, how: 'push' | 'replace' = 'push'): Promise<void> {
    if (!quietly) saveNow();
    source = next;
    showSourceName();
    if (quietly) return;
    try {
      await keeper.remember(next, how);
    } catch {
      // No place for the files, or none is allowed: a reload then begins anew.
    }
  }

  /** Reads in a worker, telling how far it is; null when it was cancelled or something else was asked for. */
  async function read(request: Parameters<typeof loader.load>[0], what: string): Promise<Loaded | null> {
    note.hidden = false;
    const words = element('span', {}, what);
    const cancel = element(
      'button',
      { type: 'button', id: 'cancel-loading', onclick: () => loader.cancel() },
      'Cancel',
    );
    note.replaceChildren(words, cancel);
    try {
      return await loader.load(request, ({ file, done, total, stage = what }) => {
        words.textContent = `${stage}: ${done} of ${total}, ${file.slice(file.lastIndexOf('/') + 1)}`;
      });
    } finally {
      if (note.contains(words)) note.hidden = true;
    }
  }

  async function readSession(session: Session, work: Work | null): Promise<boolean> {
    const loaded = await read({ kind: 'session', session, base: document.baseURI }, `Loading ${session.title}`);
    if (!loaded) return false;
    const { content, protein: given } = loaded;
    const issues =
      content.path && content.robots.length === 0 ? [...content.issues, PATH_WITHOUT_ROBOT] : content.issues;
    if (given) showProtein(given, issues);
    else show({ ...content, issues }, work);
    return true;
  }

  async function showExample(index: number): Promise<void> {
    const { id, session } = examples[index];
    const next: Source = { base: `example:${id}`, batches: [] };
    const before = source;
    source = next;
    try {
      if (await readSession(session, null)) await remember(next);
      else source = before;
    } catch (error) {
      showFailure(error);
    }
  }

  async function showFiles(files: readonly GivenFile[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const loaded = await read({ kind: 'files', files }, `Reading ${countOf(files.length, 'file')}`);
      if (loaded?.holds) await showGiven({ ...loaded, holds: loaded.holds }, files, currentWork());
    } catch (error) {
      showFailure(error);
    }
  }

  const currentWork = (): Work | null => workspace && readWork(workspace, chosen);

  function showFailure(error: unknown): void {
    messages.show([
      { severity: 'error', code: 'unreadable', message: (error as Error).message },
      ...(workspace?.issues ?? []),
    ]);
  }

  /** Shows a source again: what was there first, then the files that were given. Returns false when that cannot be read. */
  async function restore(wanted: Source, work: Work | null): Promise<boolean> {
    if (workspace) show(createEmptyContent(''));
    source = { base: wanted.base, batches: [] };
    if (wanted.base === 'session') {
      const session = await fetchSession();
      if (!session || !(await readSession(session, work))) return false;
    } else if (wanted.base !== 'none') {
      const example = examples.find(({ id }) => wanted.base === `example:${id}`);
      if (!example || !(await readSession(example.session, work))) return false;
    }
    for (const batch of wanted.batches) {
      const loaded = await read({ kind: 'files', files: batch }, `Reading ${countOf(batch.length, 'file')}`);
      if (!loaded?.holds) return false;
      quietly = true;
      try {
        await showGiven({ ...loaded, holds: loaded.holds }, batch, work);
      } finally {
        quietly = false;
      }
    }
    source = wanted;
    showSourceName();
    return true;
  }

  function showSourceName(): void {
    const index = examples.findIndex(({ id }) => source.base === `example:${id}`);
    byId<HTMLSelectElement>('example').selectedIndex =
      index >= 0 && source.batches.length === 0 ? index : examples.length;
  }

  keeper.onReturn(() => {
    void keeper.recall().then(async (kept) => {
      if (kept) await restore(kept.source, kept.work).catch(showFailure);
    });
  });
  window.addEventListener('pagehide', saveNow);
  bindFiles(showFiles);
  bindExamples((index) => void showExample(index));
  byId('frame-view').addEventListener(
    'click',
    () =>
      protein.frame() ||
      (workspace && stage.frame(workspace.root, workspace.content.view ?? chooseStartView(workspace))),
  );
  return {
    async start() {
      const kept = await keeper.recall();
      const session = await fetchSession();
      // A server's session is what its user asked for: what was kept counts where it is of the same kind.
      if (
        kept &&
        (kept.source.base !== 'session' || session) &&
        (await restore(kept.source, kept.work).catch(() => false))
      )
        return;
      const base = session ? 'session' : (`example:${examples[0].id}` as const);
      await remember({ base, batches: [] }, 'replace');
      try {
        await readSession(session ?? examples[0].session, null);
      } catch (error) {
        show({
          ...createEmptyContent(''),
          issues: [{ severity: 'error', code: 'unreadable', message: (error as Error).message }],
        });
      }
    },
  };
}

function isEmpty({ robots, objects }: Content): boolean {
  return robots.length === 0 && objects.length === 0;
}

function showTitle(title: string): void {
  byId('title').textContent = title;
  document.title = title ? `${title} · Clearance` : 'Clearance';
}

/** A robot whose visual geometry is absent, or could not all be loaded, shows its collision geometry too. */
function suitableLayers({ robots }: Workspace): Partial<Layers> {
  if (robots.length === 0) return {};
  const complete = robots.every(({ object, scene }) => {
    const drawn = [...object.links.values()].reduce((count, { visual }) => count + visual.children.length, 0);
    return drawn > 0 && drawn === scene.description.visuals.length;
  });
  return { visual: true, collision: !complete };
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

function savePath(path: readonly Float64Array[]): void {
  downloadText('path.json', JSON.stringify({ path: path.map((q) => [...q]) }), 'application/json');
}

function sentence(words: string): string {
  return words[0].toUpperCase() + words.slice(1).replaceAll('-', ' ');
}

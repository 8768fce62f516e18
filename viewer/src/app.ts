/** Ties the page together: content in, scene and panels kept in step, what the user does carried out. */
import type { Pose } from 'clearance/math';
import { setConfiguration } from 'clearance/scene';
import { byId, element, fillSelect } from './dom.js';
import { downloadText } from './download.js';
import { collectDropped, collectPicked, createFileSet } from './files/file-set.js';
import { countOf, formatMilliseconds } from './format.js';
import { type Content, createEmptyContent } from './load/content.js';
import { examples } from './load/examples.js';
import { type GivenContent, loadGivenFiles } from './load/given-files.js';
import { withObjects } from './load/mesh-objects.js';
import { loadSession, type Session } from './load/session.js';
import { createDisplayPanel, type Layers } from './panel/display.js';
import { createJointPanel } from './panel/joints.js';
import { createMessagePanel } from './panel/messages.js';
import { createMotionPanel } from './panel/motion.js';
import { createObjectPanel } from './panel/objects.js';
import { createVerdictPanel } from './panel/verdict.js';
import { planInPage } from './planner.js';
import { createPlayer } from './player.js';
import type { LoadedProtein } from './protein/load-protein.js';
import { createProteinDisplay } from './protein/protein.js';
import { answerQueries, measureQueries } from './queries.js';
import { createGizmo } from './stage/gizmo.js';
import { createNearestLine } from './stage/nearest-line.js';
import { listenForPicks } from './stage/picking.js';
import { createStage } from './stage/stage.js';
import { chooseStartView } from './stage/start-view.js';
import { createTrace } from './stage/trace.js';
import { createToolView } from './tool-view.js';
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
  showSession(session: Session, bundled?: boolean): Promise<void>;
  showFiles(files: ReadonlyMap<string, File>): Promise<void>;
}

/** Quiet time after a change before the queries are timed. */
const MEASURE_DELAY = 150;
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

export function createApp(): App {
  const stageElement = byId<HTMLElement>('stage');
  const stage = createStage(stageElement);
  const nearestLine = createNearestLine(stage, stageElement);
  const trace = createTrace();
  stage.scene.add(trace.line);
  const note = byId<HTMLParagraphElement>('stage-note');

  let workspace: Workspace | null = null;
  /** The bundled example makes way for whatever the user gives. */
  let bundled = true;
  let chosen = 0;
  let loads = 0;
  let measuring = 0;
  let cancelled = false;

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
  const sceneSections = element(
    'div',
    {},
    verdict.root,
    tool.panel.root,
    joints.root,
    motion.root,
    objects.root,
    display.root,
  );
  byId('panel').append(sceneSections, messages.root);

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

  function show(content: Content): void {
    protein.clear();
    sceneSections.hidden = false;
    player.clear();
    gizmo.attach(null);
    if (workspace) disposeWorkspace(workspace);
    workspace = createWorkspace(content);
    stage.scene.add(workspace.root);
    showTitle(content.title);
    objects.setObjects(workspace.objects);
    objects.root.open = workspace.robots.length === 0;
    messages.show(workspace.issues);
    display.set({ ...display.layers, ...suitableLayers(workspace) });
    motion.root.hidden = workspace.robots.length === 0;
    motion.showMessage('');
    chooseRobot(0);
    const empty = workspace.robots.length === 0 && workspace.objects.length === 0;
    note.hidden = !empty;
    note.textContent = empty ? 'Nothing to show. The Files section says why.' : '';
    stage.frame(workspace.root, content.view ?? chooseStartView(workspace));
    if (content.path.length > 0) loadPath(content.path);
  }

  function showProtein(given: LoadedProtein, issues: Content['issues']): void {
    show({ ...createEmptyContent(''), issues });
    sceneSections.hidden = true;
    note.hidden = true;
    showTitle(given.name);
    protein.show(given);
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
    const count = robot.stored.filter(({ name }) => name.startsWith('Stored ')).length;
    robot.stored.push({ name: `Stored ${count + 1}`, q: robot.scene.q.slice() });
    const last = robot.stored.length - 1;
    showStored(robot, last === 0 ? 0 : last - 1, last);
    motion.showMessage(`Stored ${count + 1} is the current position`);
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

  /** After anything moved: placements, answers, colours, line. */
  function refresh(): void {
    if (!workspace) return;
    showPlacements(workspace);
    const answers = answerQueries(workspace.scene);
    showContacts(workspace, new Set(answers.contacts.flatMap(({ a, b }) => [a, b])));
    verdict.show(answers);
    nearestLine.show(answers.nearest);
    const robot = workspace.robots[chosen];
    if (robot) joints.show(robot.scene.q);
    tool.refresh();
    stage.requestShadows();
    window.clearTimeout(measuring);
    measuring = window.setTimeout(() => workspace && verdict.showTimes(measureQueries(workspace.scene)), MEASURE_DELAY);
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
      if (solved) setPath(robot, outcome.path, outcome.length);
    } catch (error) {
      motion.showMessage((error as Error).message, true);
    } finally {
      motion.setPlanning(false);
    }
  }

  function setPath(robot: WorkspaceRobot | null, path: readonly Float64Array[], length?: number): void {
    trace.show(robot, path);
    if (!robot || path.length < 2) {
      player.clear();
      motion.setPath(null);
    } else {
      player.setPath(robot.model, path);
      motion.setPath(
        `${countOf(path.length, 'waypoint')}${length === undefined ? '' : `, length ${length.toFixed(2)}`}`,
      );
      player.seek(0);
    }
    stage.requestRender();
  }

  function loadPath(path: readonly (readonly number[])[]): void {
    withRobot((robot) => {
      try {
        setPath(
          robot,
          path.map((q) => readConfiguration(robot.model, q)),
        );
        motion.showMessage('Path loaded');
      } catch (error) {
        motion.showMessage(`This path does not fit the robot: ${(error as Error).message}`, true);
      }
    });
  }

  async function showGiven(given: GivenContent): Promise<void> {
    const { holds } = given;
    const current = bundled || !workspace ? createEmptyContent('') : workspace.content;
    if (!holds.robot && !holds.scene && !holds.meshes) {
      if (given.protein) {
        bundled = false;
        showOwnFiles();
        showProtein(given.protein, given.issues);
        return;
      }
      if (holds.path) loadPath(given.path);
      messages.show(given.issues);
      return;
    }
    bundled = false;
    showOwnFiles();
    if (holds.robot) show(given);
    else if (holds.scene) show({ ...current, ...given, robots: current.robots, title: current.title || given.title });
    else show({ ...withObjects(current, given), title: current.title || given.title, issues: given.issues });
  }

  const app: App = {
    async showSession(session, isBundled = false) {
      const mine = ++loads;
      const content = await loadSession(session);
      // Something else was asked for in the meantime.
      if (mine !== loads) return;
      bundled = isBundled;
      if (!isBundled) showOwnFiles();
      show(content);
    },
    async showFiles(files) {
      if (files.size === 0) return;
      note.hidden = false;
      note.textContent = `Reading ${countOf(files.size, 'file')}`;
      try {
        const mine = ++loads;
        const given = await loadGivenFiles(await createFileSet(files));
        if (mine === loads) await showGiven(given);
      } catch (error) {
        messages.show([{ severity: 'error', code: 'unreadable', message: (error as Error).message }]);
      } finally {
        note.hidden = true;
      }
    },
  };
  bindFiles(app);
  bindExamples(app);
  byId('frame-view').addEventListener(
    'click',
    () =>
      protein.frame() ||
      (workspace && stage.frame(workspace.root, workspace.content.view ?? chooseStartView(workspace))),
  );
  return app;
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

function bindExamples(app: App): void {
  const select = byId<HTMLSelectElement>('example');
  fillSelect(
    select,
    examples.map(({ name }) => name),
    0,
  );
  // Shown while something else than an example is.
  select.append(element('option', { hidden: true }, 'Own files'));
  select.addEventListener('change', () => void app.showSession(examples[select.selectedIndex].session, true));
}

function showOwnFiles(): void {
  byId<HTMLSelectElement>('example').selectedIndex = examples.length;
}

function bindFiles(app: App): void {
  const stageElement = byId('stage');
  const hint = byId('drop-hint');
  for (const [button, input] of [
    ['open-files', 'file-input'],
    ['open-folder', 'folder-input'],
  ] as const) {
    const field = byId<HTMLInputElement>(input);
    byId(button).addEventListener('click', () => field.click());
    field.addEventListener('change', () => {
      const files = collectPicked(field.files ?? []);
      // The same files can be picked again after they changed on disk.
      field.value = '';
      void app.showFiles(files);
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
    if (event.dataTransfer) void collectDropped(event.dataTransfer).then((files) => app.showFiles(files));
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

/** What is shown: scene, panels and picture kept in step, and what the user does to them carried out. */
import type { Issue } from 'clearance/io';
import type { Pose } from 'clearance/math';
import { configurationFromNamed } from 'clearance/model';
import { castSceneRay, type SceneRay, setConfiguration } from 'clearance/scene';
import { byId, element } from './dom.js';
import { downloadText } from './download.js';
import { countOf, formatMilliseconds } from './format.js';
import { LiveAnswers } from './live-answers.js';
import { readConfiguration } from './load/build-scene.js';
import { type Content, createEmptyContent, type PathContent } from './load/content.js';
import type { PreparedProtein } from './load/loader.js';
import { disposeTrees } from './load/prepare.js';
import { createMeasuring } from './measuring.js';
import { createDisplayPanel, type Layers } from './panel/display.js';
import { createJointPanel } from './panel/joints.js';
import { createMessagePanel } from './panel/messages.js';
import { createMotionPanel } from './panel/motion.js';
import { createObjectPanel } from './panel/objects.js';
import { planInPage } from './planner.js';
import { createPlayer } from './player.js';
import { createProteinDisplay } from './protein/protein.js';
import { prepareFirstContacts } from './queries.js';
import { createGizmo } from './stage/gizmo.js';
import { createNearestLine } from './stage/nearest-line.js';
import { listenForPicks } from './stage/picking.js';
import { createSphereView } from './stage/sphere-view.js';
import { createStage } from './stage/stage.js';
import { chooseStartView } from './stage/start-view.js';
import { createTrace } from './stage/trace.js';
import { createToolView } from './tool-view.js';
import { applyWork, readWork, type Work } from './work.js';
import {
  createWorkspace,
  disposeWorkspace,
  neutral,
  nextRandom,
  placeWorkspaceObject,
  showPlacements,
  type Workspace,
  type WorkspaceRobot,
} from './workspace.js';

const LAYERS: Layers = {
  visual: true,
  collision: false,
  spheres: false,
  objects: true,
  nearest: true,
  trace: true,
  ellipsoid: false,
  mass: false,
  limits: false,
  grid: true,
};

export class ShownScene {
  readonly note = byId<HTMLParagraphElement>('stage-note');
  readonly messages = createMessagePanel();
  workspace: Workspace | null = null;
  private chosen = 0;
  private cancelled = false;

  private readonly stageElement = byId<HTMLElement>('stage');
  private readonly stage = createStage(this.stageElement);
  private readonly nearestLine = createNearestLine(this.stage, this.stageElement);
  private readonly trace = createTrace();
  private readonly answers = new LiveAnswers(this.nearestLine);
  private readonly joints = createJointPanel({
    onChange: (q) => this.moveRobot(q),
    onNeutral: () => this.withRobot((robot) => this.moveRobot(neutral(robot))),
    onRandom: () => this.withRobot((robot) => this.workspace && this.moveRobot(nextRandom(this.workspace, robot))),
    onRobot: (index) => this.chooseRobot(index),
  });
  private readonly motion = createMotionPanel({
    onGo: (index) => this.withRobot((robot) => robot.stored[index] && this.moveRobot(robot.stored[index].q)),
    onStore: () => this.withRobot((robot) => this.storeCurrent(robot)),
    onPlan: (start, goal) => this.withRobot((robot) => void this.plan(robot, start, goal)),
    onCancel: () => {
      this.cancelled = true;
    },
    onPlay: () => (this.player.playing ? this.player.pause() : this.player.play()),
    onSeek: (position) => {
      this.player.pause();
      this.player.seek(position);
    },
    onSpeed: (factor) => this.player.setSpeed(factor),
    onSave: () => savePath(this.player.path),
  });
  private readonly objects = createObjectPanel({
    onSelect: (index) => {
      const object = this.workspace?.objects[index];
      // Objects held by a robot get no handles.
      this.gizmo.attach(object && object.scene.attachment === null ? object.mesh : null);
    },
    onMove: (index, pose) => this.moveObject(index, pose),
  });
  private readonly display = createDisplayPanel(LAYERS, (layers) => this.applyLayers(layers));
  private readonly spheres = createSphereView(
    (text) => this.display.showSpheres(text),
    () => this.stage.requestRender(),
  );
  private readonly tool = createToolView(this.stage, () => {
    this.player.pause();
    this.refresh();
  });
  private readonly measuring = createMeasuring(this.stage, this.stageElement);
  private readonly protein = createProteinDisplay(this.stage);
  /** Sections about robots and objects, which a protein puts away. */
  private readonly sceneSections = element(
    'div',
    {},
    ...[
      this.tool.panel.root,
      this.joints.root,
      this.motion.root,
      this.objects.root,
      this.measuring.panel.root,
      this.display.root,
    ],
  );
  private readonly player = createPlayer((q) => {
    this.motion.showPosition(this.player.position, this.player.playing);
    const robot = this.workspace?.robots[this.chosen];
    if (!q || !robot) return;
    setConfiguration(robot.scene, q);
    this.refresh();
  });
  private readonly gizmo = createGizmo(this.stage, (pose) => {
    if (this.objects.selected >= 0) this.moveObject(this.objects.selected, pose);
  });

  /** `onWork`: the user did something that is worth keeping. */
  constructor(private readonly onWork: () => void) {
    this.stage.scene.add(this.trace.line);
    // What went wrong stands where it is seen, and what the user drags below it.
    byId('panel').append(this.answers.verdict.root, this.messages.root, this.sceneSections);
    listenForPicks(this.stage, (ray) => {
      if (!this.gizmo.dragging && !this.tool.dragging) this.pick(ray);
    });
  }

  /** Chooses the object that the ray meets first, or sets a point of what is measured. */
  private pick(ray: SceneRay): void {
    if (!this.workspace || this.hasProtein) return;
    const { scene, objects } = this.workspace;
    const leaveOut = this.display.layers.objects ? [] : objects.map((object) => object.scene.name);
    const { hit } = castSceneRay(scene, ray, { leaveOut });
    if (this.measuring.panel.active) {
      if (hit) this.measuring.add(hit);
      return;
    }
    const index = objects.findIndex((object) => object.scene.name === hit?.body);
    if (index >= 0) this.objects.select(index);
    else this.gizmo.attach(null);
  }

  /** Whether a protein is shown in place of robots and objects. */
  get hasProtein(): boolean {
    return this.sceneSections.hidden;
  }

  /** null where nothing is shown. */
  readWork(): Work | null {
    return this.workspace && readWork(this.workspace, this.chosen, this.stage.view());
  }

  /** Moves the view to where all is seen. */
  frame(): void {
    const { workspace } = this;
    if (!this.protein.frame() && workspace)
      this.stage.frame(workspace.root, workspace.content.view ?? chooseStartView(workspace));
  }

  /** `work`: what had been done to the robots and objects of the same names. */
  show(content: Content, work: Work | null = null): void {
    this.protein.clear();
    this.sceneSections.hidden = this.answers.verdict.root.hidden = false;
    this.player.clear();
    this.gizmo.attach(null);
    this.measuring.clear();
    this.spheres.clear();
    if (this.workspace) {
      disposeWorkspace(this.workspace);
      disposeTrees(this.workspace.content, content);
    }
    this.workspace = createWorkspace(content);
    if (work) applyWork(this.workspace, work);
    this.stage.scene.add(this.workspace.root);
    showTitle(content.title);
    this.objects.setObjects(this.workspace.objects);
    this.objects.root.open = this.workspace.robots.length === 0;
    this.messages.show(this.workspace.issues);
    this.display.set({ ...this.display.layers, ...suitableLayers(this.workspace) });
    this.motion.root.hidden = this.workspace.robots.length === 0;
    this.motion.showMessage('');
    this.chooseRobot(work && work.chosen < this.workspace.robots.length ? work.chosen : 0);
    const empty = this.workspace.robots.length === 0 && this.workspace.objects.length === 0;
    this.note.hidden = !empty;
    this.note.textContent = empty ? 'Nothing to show. The Files section says why.' : '';
    this.stage.frame(this.workspace.root, content.view ?? chooseStartView(this.workspace));
    if (work?.view) this.stage.look(work.view);
    if (content.path) this.loadPath(content.path);
    this.prepareContacts(this.workspace);
  }

  private prepareContacts(shown: Workspace, steps = prepareFirstContacts(shown.scene)): void {
    if (this.workspace === shown && !steps.next().done) window.setTimeout(() => this.prepareContacts(shown, steps));
  }

  showProtein({ file, loaded, issues: own }: PreparedProtein, issues: readonly Issue[]): void {
    this.show({ ...createEmptyContent(file), issues: [...issues, ...own] });
    if (!loaded) return;
    this.sceneSections.hidden = this.answers.verdict.root.hidden = true;
    this.note.hidden = true;
    showTitle(loaded.name);
    this.protein.show(loaded);
  }

  private chooseRobot(index: number): void {
    if (!this.workspace) return;
    this.chosen = index;
    const robot = this.workspace.robots[index] ?? null;
    this.joints.setRobot(
      robot,
      this.workspace.robots.map(({ scene }) => scene.name),
      index,
    );
    this.showStored(robot);
    this.setPath(robot, []);
    // The tool's marks go by the robot's size as it stands.
    showPlacements(this.workspace);
    this.tool.setRobot(robot);
    this.applyLayers(this.display.layers);
    this.refresh();
  }

  private showStored(robot: WorkspaceRobot | null, start?: number, goal?: number): void {
    const names = robot?.stored.map(({ name }) => name) ?? [];
    // The content's own pairs come after the SRDF's states.
    const pair = Math.max(
      0,
      names.findIndex((name) => name.endsWith(': start')),
    );
    this.motion.setStored(names, start ?? pair, goal ?? pair + 1);
  }

  private storeCurrent(robot: WorkspaceRobot): void {
    const count = robot.stored.filter(({ isOwn }) => isOwn).length;
    robot.stored.push({ name: `Stored ${count + 1}`, q: robot.scene.q.slice(), isOwn: true });
    const last = robot.stored.length - 1;
    this.showStored(robot, last === 0 ? 0 : last - 1, last);
    this.motion.showMessage(`Stored ${count + 1} is the current position`);
    this.onWork();
  }

  private moveRobot(q: Float64Array): void {
    this.player.pause();
    this.withRobot((robot) => setConfiguration(robot.scene, q));
    this.refresh();
  }

  private moveObject(index: number, pose: Pose): void {
    const object = this.workspace?.objects[index];
    if (!this.workspace || !object || object.scene.attachment) return;
    placeWorkspaceObject(this.workspace, object, pose);
    this.objects.refresh();
    this.refresh();
    this.gizmo.follow();
  }

  private applyLayers(layers: Layers): void {
    for (const { object } of this.workspace?.robots ?? []) {
      for (const { visual, collision } of object.links.values()) {
        visual.visible = layers.visual;
        collision.visible = layers.collision;
      }
    }
    for (const { mesh } of this.workspace?.objects ?? []) mesh.visible = layers.objects;
    this.spheres.show(this.workspace?.robots ?? [], layers.spheres ? this.display.sphereLevel : null);
    this.nearestLine.setVisible(layers.nearest);
    this.trace.line.visible = layers.trace;
    this.tool.applyLayers(layers);
    this.stage.grid.visible = layers.grid;
    this.stage.requestShadows();
  }

  private async plan(robot: WorkspaceRobot, from: number, to: number): Promise<void> {
    const [start, goal] = [robot.stored[from], robot.stored[to]];
    if (!this.workspace || !start || !goal) return;
    const { scene } = this.workspace;
    this.player.pause();
    this.setPath(robot, []);
    this.cancelled = false;
    this.motion.setPlanning(true);
    this.motion.showMessage('Planning');
    try {
      const outcome = await planInPage({
        scene,
        robot,
        start: start.q,
        goal: goal.q,
        isCancelled: () => this.cancelled || this.workspace?.scene !== scene,
        onProgress: (iterations) => this.motion.showMessage(`Planning: ${countOf(iterations, 'iteration')}`),
      });
      if (this.workspace?.scene !== scene) return;
      const solved = outcome.status === 'solved';
      const effort = `${formatMilliseconds(outcome.milliseconds)}, ${countOf(outcome.checks, 'check')}`;
      this.motion.showMessage(
        solved ? `Solved in ${effort}` : `${sentence(outcome.status)}: ${outcome.reason} (${effort})`,
        !solved,
      );
      if (solved) this.setPath(robot, outcome.path, { length: outcome.length });
    } catch (error) {
      this.motion.showMessage((error as Error).message, true);
    } finally {
      this.motion.setPlanning(false);
    }
  }

  private setPath(
    robot: WorkspaceRobot | null,
    path: readonly Float64Array[],
    { length, times }: { readonly length?: number; readonly times?: readonly number[] } = {},
  ): void {
    this.trace.show(robot, path);
    if (!robot || path.length < 2) {
      this.player.clear();
      this.motion.setPath(null);
    } else {
      this.player.setPath(robot.model, path, times);
      this.motion.setPath(
        `${countOf(path.length, 'waypoint')}${length === undefined ? '' : `, length ${length.toFixed(2)}`}`,
      );
      this.player.seek(0);
    }
    this.stage.requestRender();
  }

  loadPath({ joints: names, path, times }: PathContent): void {
    this.withRobot((robot) => {
      try {
        const read = (q: readonly number[]): Float64Array =>
          names
            ? configurationFromNamed(robot.model, Object.fromEntries(names.map((name, k) => [name, q[k]])))
            : readConfiguration(robot.model, q);
        this.setPath(robot, path.map(read), { times });
        this.motion.showMessage('Path loaded');
      } catch (error) {
        this.motion.showMessage(`This path does not fit the robot: ${(error as Error).message}`, true);
      }
    });
  }

  private withRobot(act: (robot: WorkspaceRobot) => void): void {
    const robot = this.workspace?.robots[this.chosen];
    if (robot) act(robot);
  }

  /** After anything moved: placements, what touches, colours. What takes longer follows when there is time for it. */
  private refresh(): void {
    if (!this.workspace) return;
    showPlacements(this.workspace);
    this.answers.refresh(this.workspace);
    const robot = this.workspace.robots[this.chosen];
    if (robot) this.joints.show(robot.scene.q);
    this.tool.refresh();
    this.stage.requestShadows();
    this.onWork();
  }
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

function savePath(path: readonly Float64Array[]): void {
  downloadText('path.json', JSON.stringify({ path: path.map((q) => [...q]) }), 'application/json');
}

function sentence(words: string): string {
  return words[0].toUpperCase() + words.slice(1).replaceAll('-', ' ');
}

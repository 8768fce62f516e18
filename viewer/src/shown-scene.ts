/** What is shown: scene, panels and picture kept in step, and what the user does to them carried out. */

import type { Shape } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import type { Pose } from 'clearance/math';
import { configurationFromNamed } from 'clearance/model';
import { castSceneRay, type SceneRay, setConfiguration, touchingPairs } from 'clearance/scene';
import { byId } from './dom.js';
import { downloadText } from './download.js';
import { LiveAnswers } from './live-answers.js';
import { readConfiguration } from './load/build-scene.js';
import { type Content, createEmptyContent, type PathContent } from './load/content.js';
import type { PreparedProtein } from './load/loader.js';
import { uniqueName } from './load/mesh-objects.js';
import { disposeTrees } from './load/prepare.js';
import { createMeasuring } from './measuring.js';
import { type AddedKind, createAddedShape, isSized, scaleShape } from './object-shapes.js';
import { createDisplayPanel, type Layers } from './panel/display.js';
import { createJointPanel } from './panel/joints.js';
import { createMessagePanel } from './panel/messages.js';
import { createObjectPanel } from './panel/objects.js';
import { createStoredPanel } from './panel/stored.js';
import { createTabs } from './panel/tabs.js';
import { PlanControl } from './planning/plan-control.js';
import { createProteinDisplay } from './protein/protein.js';
import { prepareFirstContacts } from './queries.js';
import { createGizmo } from './stage/gizmo.js';
import { createNearestLine } from './stage/nearest-line.js';
import { listenForPicks } from './stage/picking.js';
import { createSphereView } from './stage/sphere-view.js';
import { createStage } from './stage/stage.js';
import { chooseStartView } from './stage/start-view.js';
import { createToolView } from './tool-view.js';
import { applyWork, readWork, type Work } from './work.js';
import {
  addWorkspaceObject,
  createWorkspace,
  describeObject,
  disposeWorkspace,
  neutral,
  nextRandom,
  placeWorkspaceObject,
  removeWorkspaceObject,
  reshapeWorkspaceObject,
  showPlacements,
  type Workspace,
  type WorkspaceObject,
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

  private readonly stageElement = byId<HTMLElement>('stage');
  private readonly stage = createStage(this.stageElement);
  private readonly nearestLine = createNearestLine(this.stage, this.stageElement);
  private readonly answers = new LiveAnswers(this.nearestLine);
  private readonly joints = createJointPanel({
    onChange: (q) => this.moveRobot(q),
    onNeutral: () => this.withRobot((robot) => this.moveRobot(neutral(robot))),
    onRandom: () => this.withRobot((robot) => this.workspace && this.moveRobot(nextRandom(this.workspace, robot))),
    onRobot: (index) => this.chooseRobot(index),
  });
  private readonly stored = createStoredPanel({
    onGo: (index) => this.withRobot((robot) => robot.stored[index] && this.moveRobot(robot.stored[index].q)),
    onStore: () => this.withRobot((robot) => this.storeCurrent(robot)),
  });
  private readonly planning = new PlanControl(this.stage, {
    onMove: () => this.refresh(),
    onSavePath: savePath,
  });
  private readonly objects = createObjectPanel({
    onSelect: (index) => {
      const object = this.workspace?.objects[index];
      // Objects held by a robot get no handles.
      this.gizmo.attach(object && object.scene.attachment === null ? object.mesh : null);
    },
    onMove: (index, pose) => this.moveObject(index, pose),
    onReshape: (index, shape) => this.reshapeObject(index, shape),
    onMode: (mode) => this.gizmo.setMode(mode),
    onAdd: (kind) => this.addObject(kind),
    onDuplicate: (index) => this.duplicateObject(index),
    onDelete: (index) => this.deleteObject(index),
  });
  private readonly display = createDisplayPanel(LAYERS, (layers) => this.applyLayers(layers));
  private readonly spheres = createSphereView(
    (text) => this.display.showSpheres(text),
    () => this.stage.requestRender(),
  );
  private readonly tool = createToolView(this.stage, () => {
    this.planning.player.pause();
    this.refresh();
  });
  private readonly measuring = createMeasuring(this.stage, this.stageElement);
  private readonly protein = createProteinDisplay(this.stage);
  /** About robots and objects; a protein puts them away. */
  private readonly tabs = createTabs(
    'What to do',
    [
      { id: 'pose', name: 'Pose', parts: [this.joints.root, this.tool.panel.root, this.stored.root] },
      { id: 'plan', name: 'Plan', parts: [this.planning.panel.root] },
      { id: 'scene', name: 'Scene', parts: [this.objects.root] },
      { id: 'measure', name: 'Measure', parts: [this.measuring.panel.root] },
      { id: 'view', name: 'View', parts: [this.display.root] },
    ],
    (id) => this.measuring.panel.setActive(id === 'measure'),
  );
  private shapeBefore: Shape | null = null;
  private readonly gizmo = createGizmo(
    this.stage,
    (pose) => {
      if (this.objects.selected >= 0) this.moveObject(this.objects.selected, pose);
    },
    (factors, isStart) => {
      const object = this.workspace?.objects[this.objects.selected];
      if (!object) return;
      if (isStart) this.shapeBefore = object.scene.shape;
      if (this.shapeBefore && isSized(this.shapeBefore))
        this.reshapeObject(this.objects.selected, scaleShape(this.shapeBefore, factors));
    },
  );

  /** `onWork`: the user did something that is worth keeping. */
  constructor(private readonly onWork: () => void) {
    // The verdict, what went wrong and the player lie over the view: the panel's tabs stay where they are.
    byId('panel').append(this.tabs.root);
    this.stageElement.append(this.answers.verdict.root, this.messages.root, this.planning.timeline.root);
    listenForPicks(this.stage, (ray) => {
      if (!this.gizmo.dragging && !this.tool.dragging && !this.planning.dragging) this.pick(ray);
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
    this.objects.select(index);
    if (index >= 0) this.tabs.choose('scene');
  }

  /** Whether a protein is shown in place of robots and objects. */
  get hasProtein(): boolean {
    return this.tabs.root.hidden;
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
    this.tabs.root.hidden = this.answers.verdict.root.hidden = false;
    this.planning.setRobot(null, null, 0);
    this.objects.select(-1);
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
    this.messages.show(this.workspace.issues);
    this.display.set({ ...this.display.layers, ...suitableLayers(this.workspace) });
    for (const id of ['pose', 'plan']) this.tabs.setVisible(id, this.workspace.robots.length > 0);
    this.tabs.choose(this.workspace.robots.length === 0 ? 'scene' : 'pose');
    this.chooseRobot(work && work.chosen < this.workspace.robots.length ? work.chosen : 0);
    const empty = this.workspace.robots.length === 0 && this.workspace.objects.length === 0;
    this.note.hidden = !empty;
    this.note.textContent = empty ? 'Nothing to show. The messages say why.' : '';
    this.stage.frame(this.workspace.root, content.view ?? chooseStartView(this.workspace));
    if (work?.view) this.stage.look(work.view);
    if (content.path) this.loadPath(content.path);
    else if (content.plan && !work) this.demonstrate(content.plan);
    this.prepareContacts(this.workspace);
  }

  private demonstrate({ start, goal }: NonNullable<Content['plan']>): void {
    this.withRobot((robot) => {
      const find = (wanted: string): number => robot.stored.findIndex(({ name }) => name === wanted);
      const [from, to] = [find(start), find(goal)];
      if (from < 0 || to < 0) return;
      this.tabs.choose('plan');
      this.showStored(robot, from, to);
      this.planning.demonstrate({ start: robot.stored[from].q.slice(), goal: robot.stored[to].q.slice() });
    });
  }

  private prepareContacts(shown: Workspace, steps = prepareFirstContacts(shown.scene)): void {
    if (this.workspace === shown && !steps.next().done) window.setTimeout(() => this.prepareContacts(shown, steps));
  }

  showProtein({ file, loaded, issues: own }: PreparedProtein, issues: readonly Issue[]): void {
    this.show({ ...createEmptyContent(file), issues: [...issues, ...own] });
    if (!loaded) return;
    this.tabs.root.hidden = this.answers.verdict.root.hidden = true;
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
    this.planning.setRobot(this.workspace, robot, index);
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
    this.stored.setStored(names);
    this.planning.panel.setStored(names, start ?? pair, goal ?? pair + 1);
  }

  private storeCurrent(robot: WorkspaceRobot): void {
    const count = robot.stored.filter(({ isOwn }) => isOwn).length;
    robot.stored.push({ name: `Stored ${count + 1}`, q: robot.scene.q.slice(), isOwn: true });
    const last = robot.stored.length - 1;
    this.showStored(robot, last === 0 ? 0 : last - 1, last);
    this.planning.panel.showMessage(`Stored ${count + 1} is the current position`);
    this.onWork();
  }

  private moveRobot(q: Float64Array): void {
    this.planning.player.pause();
    this.withRobot((robot) => setConfiguration(robot.scene, q));
    this.refresh();
  }

  private moveObject(index: number, pose: Pose): void {
    const object = this.workspace?.objects[index];
    if (!this.workspace || !object || object.scene.attachment) return;
    placeWorkspaceObject(this.workspace, object, pose);
    this.showObject(object);
  }

  private reshapeObject(index: number, shape: Shape): void {
    const object = this.workspace?.objects[index];
    if (!this.workspace || !object || object.scene.attachment) return;
    reshapeWorkspaceObject(this.workspace, object, shape);
    this.showObject(object);
  }

  /** After an object was moved or changed. */
  private showObject(object: WorkspaceObject): void {
    this.objects.refresh();
    this.planning.follow(describeObject(object));
    this.refresh();
    this.gizmo.follow();
  }

  /** Where the camera looks, lifted until it touches nothing. */
  private addObject(kind: AddedKind): void {
    if (!this.workspace) return;
    const size = this.stage.chooseSize();
    const [x, y, z] = this.stage.view().slice(3);
    this.placeNew(kind, createAddedShape(kind, size), [x, y, z, 0, 0, 0, 1], size);
  }

  private duplicateObject(index: number): void {
    const object = this.workspace?.objects[index];
    if (!object) return;
    const name = object.scene.name.replace(/ \d+$/, '');
    this.placeNew(name, object.scene.shape, object.pose, this.stage.chooseSize());
  }

  private placeNew(wanted: string, shape: Shape, pose: Pose, step: number): void {
    const { workspace } = this;
    if (!workspace) return;
    const taken = new Set([...workspace.scene.objects.keys(), ...workspace.scene.robots.map(({ name }) => name)]);
    const name = uniqueName(wanted, taken);
    const object = addWorkspaceObject(workspace, name, shape, pose);
    for (let k = 1; k <= LIFTS && touches(workspace, name); k++) {
      const [x, y, z, ...turn] = pose;
      placeWorkspaceObject(workspace, object, [x, y, z + 0.5 * k * step, ...turn]);
    }
    this.objects.setObjects(workspace.objects);
    this.objects.select(workspace.objects.length - 1);
    this.tabs.choose('scene');
    this.showObject(object);
  }

  private deleteObject(index: number): void {
    const object = this.workspace?.objects[index];
    if (!this.workspace || !object || object.scene.attachment) return;
    this.objects.select(-1);
    removeWorkspaceObject(this.workspace, object);
    this.objects.setObjects(this.workspace.objects);
    this.planning.follow({ type: 'remove', object: object.scene.name });
    this.refresh();
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
    this.planning.trace.line.visible = layers.trace;
    this.tool.applyLayers(layers);
    this.stage.grid.visible = layers.grid;
    this.stage.requestShadows();
  }

  loadPath({ joints: names, path, times }: PathContent): void {
    this.withRobot((robot) => {
      try {
        const read = (q: readonly number[]): Float64Array =>
          names
            ? configurationFromNamed(robot.model, Object.fromEntries(names.map((name, k) => [name, q[k]])))
            : readConfiguration(robot.model, q);
        this.planning.load(path.map(read), times);
      } catch (error) {
        this.planning.panel.showMessage(`This path does not fit the robot: ${(error as Error).message}`, true);
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

const LIFTS = 40;

function touches({ scene }: Workspace, name: string): boolean {
  return touchingPairs(scene, { objectPairs: true }).some(({ a, b }) => a === name || b === name);
}

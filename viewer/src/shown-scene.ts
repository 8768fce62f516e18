/** What is shown: scene, panels and picture kept in step, and what the user does to them carried out. */

import type { Issue } from 'clearance/io';
import { configurationFromNamed } from 'clearance/model';
import { castSceneRay, type SceneRay, setConfiguration } from 'clearance/scene';
import { askReport } from './ask-report.js';
import { describeHandling } from './describe-handling.js';
import { byId, element } from './dom.js';
import { early } from './early.js';
import { formatLength } from './format.js';
import { createHands } from './hands.js';
import { LiveAnswers } from './live-answers.js';
import { readConfiguration } from './load/build-scene.js';
import { type ConfigurationValues, type Content, createEmptyContent, type PathContent } from './load/content.js';
import type { PreparedProtein } from './load/loader.js';
import { disposeTrees } from './load/prepare.js';
import { NO_CHOICES, type Reading, type ReadingChoices } from './load/reading.js';
import { Looking } from './looking.js';
import { createMeasuring } from './measuring.js';
import { ObjectEditing } from './object-editing.js';
import { createDisplayPanel, type Layers } from './panel/display.js';
import { createExportPanel } from './panel/exports.js';
import { createHint } from './panel/hint.js';
import { createJointPanel } from './panel/joints.js';
import { createMeshReportPanel } from './panel/mesh-report.js';
import { createMessagePanel } from './panel/messages.js';
import { createNotice } from './panel/notice.js';
import { createArgumentPanel, createMeshFilePanel } from './panel/readings.js';
import { createStoredPanel } from './panel/stored.js';
import { createTabs } from './panel/tabs.js';
import { PlanControl } from './planning/plan-control.js';
import { createLazyProtein } from './protein/lazy-protein.js';
import type { ProteinChoice } from './protein/load-protein.js';
import { prepareFirstContacts } from './queries.js';
import { RulesEditing } from './rules-editing.js';
import { openServerLink, type ServerLink, type ShownState } from './server-link.js';
import { prepareOutlines } from './stage/contact-outline.js';
import { createHullView } from './stage/hull-view.js';
import { createNearestLine } from './stage/nearest-line.js';
import { listenForPicks } from './stage/picking.js';
import { createSphereView } from './stage/sphere-view.js';
import { createStage } from './stage/stage.js';
import { chooseStartView } from './stage/start-view.js';
import { toolLink } from './stage/tool-link.js';
import { FIRST_LAYERS, suitableLayers } from './suitable-layers.js';
import { createToolView } from './tool-view.js';
import { applyWork, readWork, type Work } from './work.js';
import {
  createWorkspace,
  disposeWorkspace,
  neutral,
  nextFreeRandom,
  showPlacements,
  type Workspace,
  type WorkspaceRobot,
} from './workspace.js';

export class ShownScene {
  readonly note = byId<HTMLParagraphElement>('stage-note');
  readonly messages = createMessagePanel();
  readonly notice = createNotice();
  private readonly hint = createHint();
  workspace: Workspace | null = null;
  private chosen = 0;

  private readonly stageElement = byId<HTMLElement>('stage');
  private readonly stage = createStage(this.stageElement, early.canvas);
  private readonly nearestLine = createNearestLine(this.stage, this.stageElement);
  private readonly answers = new LiveAnswers(
    this.nearestLine,
    (a, b) => this.rules.setPair(a, b, true),
    () => this.link?.tell(() => this.readState()),
  );
  private link: ServerLink | null = null;
  private readonly joints = createJointPanel({
    onChange: (q) => this.moveRobot(q),
    onNeutral: () => this.withRobot((robot) => this.moveRobot(neutral(robot))),
    onRandom: () => this.moveToRandom(),
    onRobot: (index) => this.chooseRobot(index),
  });
  private readonly xacro = createArgumentPanel();
  private readonly files = createMeshFilePanel();
  private readonly stored = createStoredPanel({
    onGo: (index) => this.withRobot((robot) => robot.stored[index] && this.moveRobot(robot.stored[index].q)),
    onStore: () => this.withRobot((robot) => this.storeCurrent(robot)),
  });
  private readonly planning = new PlanControl(this.stage, {
    onMove: () => this.refresh(),
    onWaypoints: () => this.onWork(),
  });
  private readonly objects = new ObjectEditing(this.stage, {
    onEdit: (edit) => {
      this.planning.follow(edit);
      if (edit.type !== 'move') {
        this.rules.show();
        this.looking.refresh();
        if (this.display.layers.hulls) this.hulls.show(this.workspace);
      }
      this.refresh();
    },
    onNew: () => this.tabs.choose('scene'),
    tool: () => {
      const robot = this.workspace?.robots[this.chosen];
      return robot ? { robot: this.chosen, link: toolLink(robot) } : null;
    },
  });
  private readonly rules = new RulesEditing((edit) => {
    this.planning.follow(edit);
    this.refresh();
  });
  private readonly exports = createExportPanel((kind) => {
    const { workspace, stage } = this;
    if (!workspace) return;
    const robot = workspace.robots[this.chosen] ?? null;
    void import('./exports.js')
      .then(({ exportShown }) => exportShown(kind, { workspace, robot, stage }))
      .catch((error) => this.notice.say((error as Error).message));
  });
  private readonly looking = new Looking(this.stage, () => this.hiddenObjects());
  private readonly display = createDisplayPanel(FIRST_LAYERS, (layers) => this.applyLayers(layers));
  private readonly spheres = createSphereView(
    (text) => this.display.showSpheres(text),
    () => this.stage.requestRender(),
  );
  private readonly hulls = createHullView(
    (text) => this.display.showHulls(text),
    () => this.stage.requestRender(),
  );
  private readonly tool = createToolView(this.stage, () => {
    this.planning.player.pause();
    this.refresh();
  });
  private readonly measuring = createMeasuring(this.stage, this.stageElement);
  private readonly meshReport = createMeshReportPanel(askReport);
  private readonly protein = createLazyProtein(
    this.stage,
    (canUndo, canRedo) => this.onSteps(canUndo, canRedo),
    (choice) => this.onProtein(choice),
  );
  /** About robots and objects; a protein puts them away. */
  readonly tabs = createTabs(
    'What to do',
    [
      { id: 'pose', name: 'Pose', parts: [this.xacro.root, this.joints.root, this.tool.panel.root, this.stored.root] },
      { id: 'plan', name: 'Plan', parts: [this.planning.panel.root] },
      {
        id: 'scene',
        name: 'Scene',
        parts: [this.objects.panel.root, this.files.root, this.rules.panel.root, this.rules.pairs.root, this.exports],
      },
      {
        id: 'measure',
        name: 'Measure',
        parts: [this.measuring.panel.root, this.measuring.clearances.root, this.meshReport.root],
      },
      { id: 'view', name: 'View', parts: [this.display.root, this.looking.panel.root] },
    ],
    (id) => this.measuring.panel.setActive(id === 'measure'),
  );
  /** Along the bottom of the view. */
  private readonly gridScale = element('p', { className: 'grid-scale', id: 'grid-scale' });
  private readonly overlay = element(
    'div',
    { className: 'stage-foot' },
    this.gridScale,
    this.hint.root,
    this.planning.timeline.root,
  );

  /** `onWork`: the user did something that is worth keeping; `onShow`: other content is there; `onSteps`: of a protein; `onProtein`: another model of it, or other hydrogens. */
  constructor(
    private readonly onWork: () => void,
    private readonly onShow: () => void,
    private readonly onSteps: (canUndo: boolean, canRedo: boolean) => void,
    private readonly onProtein: (choice: ProteinChoice) => void,
  ) {
    // The verdict, what went wrong and the player lie over the view: the panel's tabs stay where they are.
    byId('panel').append(this.tabs.root);
    this.stageElement.append(this.answers.verdict.root, this.messages.root, this.notice.root, this.overlay);
    this.stage.prepare();
    listenForPicks(this.stage, (ray) => {
      if (!this.objects.gizmo.dragging && !this.tool.dragging && !this.planning.dragging && !this.hands.dragging)
        this.pick(ray);
    });
  }

  private readonly hands = createHands(this.stage, this.stageElement, {
    workspace: () => (this.hasProtein ? null : this.workspace),
    hidden: () => this.hiddenObjects(),
    isTaken: () =>
      this.measuring.panel.active || this.objects.gizmo.hovered || this.tool.isHandled || this.planning.isHandled,
    onHover: (robot, joint) => this.joints.light(robot === this.chosen ? joint : null),
    onTurn: (robot, q) => {
      if (robot !== this.chosen) this.chooseRobot(robot);
      this.moveRobot(q);
    },
  });

  private hiddenObjects(): readonly string[] {
    return this.display.layers.objects ? [] : (this.workspace?.objects.map(({ scene }) => scene.name) ?? []);
  }

  /** Chooses the object that the ray meets first, or sets a point of what is measured. */
  private pick(ray: SceneRay): void {
    if (!this.workspace || this.hasProtein) return;
    const { scene, objects } = this.workspace;
    const { hit } = castSceneRay(scene, ray, { leaveOut: this.hiddenObjects() });
    if (this.measuring.panel.active) {
      if (hit) this.measuring.add(hit);
      return;
    }
    const index = objects.findIndex((object) => object.scene.name === hit?.body);
    this.objects.panel.select(index);
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

  /** How the files that are shown may be read otherwise. */
  offerReadings(choices: ReadingChoices, reading: Reading, onChange: (change: Reading) => void): void {
    const { robotFiles, xacroArguments } = choices;
    const shown = this.workspace?.content.robots[0]?.from ?? reading.robotFile;
    this.joints.setFiles(robotFiles, shown === undefined ? 0 : robotFiles.indexOf(shown), (robotFile) =>
      onChange({ robotFile, xacroArgs: {} }),
    );
    this.xacro.set(xacroArguments, reading.xacroArgs ?? {}, (xacroArgs) => onChange({ xacroArgs }));
    this.files.set(choices.meshFiles, this.workspace?.content.meshes ?? new Map(), reading.meshes ?? {}, (meshes) =>
      onChange({ meshes }),
    );
    // A robot that lacks an argument is not there yet.
    if (xacroArguments.length > 0 && this.workspace?.robots.length === 0) {
      this.tabs.setVisible('pose', true);
      this.tabs.choose('pose');
    }
  }

  /** Takes what is shown to where it stood at another time. */
  restore(work: Work): void {
    const { workspace } = this;
    if (!workspace) return;
    this.planning.player.pause();
    const edits = applyWork(workspace, work);
    this.objects.refresh();
    this.showStored(workspace.robots[this.chosen] ?? null);
    this.tool.renew();
    this.rules.show();
    this.planning.showWaypoints();
    for (const edit of edits) this.planning.follow(edit);
    this.refresh();
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
    this.objects.setWorkspace(null);
    this.measuring.clear();
    this.hands.clear();
    this.spheres.clear();
    this.hulls.clear();
    if (this.workspace) {
      disposeWorkspace(this.workspace);
      disposeTrees(this.workspace.content, content);
    }
    this.workspace = createWorkspace(content);
    if (work) applyWork(this.workspace, work);
    this.stage.scene.add(this.workspace.root);
    this.stage.prepare();
    showTitle(content.title);
    this.objects.setWorkspace(this.workspace);
    this.offerReadings(NO_CHOICES, {}, () => {});
    this.looking.setWorkspace(this.workspace);
    this.meshReport.setMeshes(new Map([content, ...content.robots].flatMap(({ meshes }) => [...meshes])));
    this.messages.show(this.workspace.issues);
    this.display.set({ ...this.display.layers, ...suitableLayers(this.workspace) });
    for (const id of ['pose', 'plan']) this.tabs.setVisible(id, this.workspace.robots.length > 0);
    this.tabs.choose(this.workspace.robots.length === 0 ? 'scene' : 'pose');
    this.chooseRobot(work && work.chosen < this.workspace.robots.length ? work.chosen : 0);
    const empty = this.workspace.robots.length === 0 && this.workspace.objects.length === 0;
    this.note.hidden = !empty;
    this.note.textContent = empty ? 'Nothing to show. The messages say why.' : '';
    this.hint.say(describeHandling(this.workspace));
    // Where a path will come its place is left free: the view does not move then.
    const { root: timeline } = this.planning.timeline;
    timeline.hidden = !(content.path || (content.plan && !work));
    this.stage.frame(this.workspace.root, content.view ?? chooseStartView(this.workspace));
    timeline.hidden = true;
    this.gridScale.textContent = `Grid ${formatLength(this.stage.gridCell())}`;
    if (work?.view) this.stage.look(work.view);
    if (content.path) this.loadPath(content.path);
    else if (content.plan && !work) this.demonstrate(content.plan);
    this.prepareContacts(this.workspace);
    this.onShow();
    // For who measures how long this takes.
    performance.mark('clearance-first-view');
  }

  private demonstrate({ start, goal }: NonNullable<Content['plan']>): void {
    this.withRobot((robot) => {
      const find = (wanted: string): number => robot.stored.findIndex(({ name }) => name === wanted);
      const [from, to] = [find(start), find(goal)];
      if (from < 0 || to < 0) return;
      this.tabs.choose('plan');
      this.showStored(robot, from, to);
      void this.planning.demonstrate({ start: robot.stored[from].q.slice(), goal: robot.stored[to].q.slice() });
    });
  }

  private prepareContacts(shown: Workspace, steps = prepareHandling(shown)): void {
    if (this.workspace === shown && !steps.next().done) window.setTimeout(() => this.prepareContacts(shown, steps));
  }

  showProtein({ file, loaded, issues: own }: PreparedProtein, issues: readonly Issue[]): void {
    this.show({ ...createEmptyContent(file), issues: [...issues, ...own] });
    if (!loaded) return;
    this.tabs.root.hidden = this.answers.verdict.root.hidden = true;
    this.note.hidden = this.gridScale.hidden = true;
    showTitle(loaded.name);
    this.hint.say(['Click a bond and drag its ring, beside it the view.', 'Drop files anywhere.']);
    void this.protein.show(loaded).catch((error) => this.notice.say((error as Error).message));
  }

  /** The chosen robot to joint values that come from elsewhere. */
  place(values: ConfigurationValues): void {
    this.withRobot(({ model }) => {
      try {
        this.moveRobot(readConfiguration(model, values));
      } catch (error) {
        this.notice.say((error as Error).message);
      }
    });
  }

  /** Programs that the server lets in move the chosen robot and hear what is said of it. */
  listen(url: string): void {
    this.link = openServerLink(url, (q) => this.place(q));
  }

  private readState(): ShownState | null {
    const { workspace, answers } = this;
    if (!workspace || this.hasProtein) return null;
    const { verdict, contacts, nearest } = answers.found;
    const robot = workspace.robots[this.chosen];
    return {
      robot: robot?.scene.name ?? null,
      q: robot ? [...robot.scene.q] : [],
      free: verdict === 'free',
      verdict,
      contacts: contacts.map(({ a, b, depth }) => ({ a, b, depth })),
      nearest: nearest && { a: nearest.a, b: nearest.b, distance: nearest.distance },
    };
  }

  /** One step of a protein's torsions back (-1) or forth (1). */
  stepProtein(direction: -1 | 1): void {
    this.protein.step(direction);
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
    this.rules.setRobot(this.workspace, robot);
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

  private moveToRandom(): void {
    this.withRobot((robot) => {
      const { q, tries } = nextFreeRandom(this.workspace!, robot);
      if (q) this.moveRobot(q);
      else this.notice.say(`No free position among ${tries} random ones`);
    });
  }

  private moveRobot(q: Float64Array): void {
    this.planning.player.pause();
    this.withRobot((robot) => setConfiguration(robot.scene, q));
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
    this.hulls.show(layers.hulls ? this.workspace : null);
    this.nearestLine.setVisible(layers.nearest);
    this.planning.trace.line.visible = layers.trace;
    this.tool.applyLayers(layers);
    this.stage.grid.visible = layers.grid;
    this.gridScale.hidden = !layers.grid;
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
    this.measuring.refresh(this.workspace);
    const robot = this.workspace.robots[this.chosen];
    if (robot) this.joints.show(robot.scene.q);
    this.tool.refresh();
    this.stage.requestShadows();
    this.onWork();
  }
}

/** What would else be found under the user's hand. */
function* prepareHandling({ scene, root }: Workspace): Generator<void> {
  yield* prepareFirstContacts(scene);
  yield* prepareOutlines(root);
}

function showTitle(title: string): void {
  byId('title').textContent = title;
  document.title = title ? `${title} · Clearance` : 'Clearance';
}

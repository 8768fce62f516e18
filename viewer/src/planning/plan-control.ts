/**
 * A path of the shown robot on the page: asked of the worker whenever its ends or the scene change, drawn, played, and said how far it is
 * proven. A path that a change has broken is shown as broken until another one comes.
 */
import { setConfiguration } from 'clearance/scene';
import { countOf, formatLength, formatMilliseconds } from '../format.js';
import { createPlanPanel, type WaypointAct } from '../panel/plan.js';
import { createTimeline } from '../panel/timeline.js';
import { createPlayer } from '../player.js';
import { listRuleEdits } from '../rules.js';
import { createGhost, type Ghost } from '../stage/ghost.js';
import type { GizmoMode } from '../stage/gizmo.js';
import { createRoadmapLines, type RoadmapLines } from '../stage/roadmap-lines.js';
import type { Stage } from '../stage/stage.js';
import { createSwept, type Swept } from '../stage/swept.js';
import { createTightMarks, type TightMarks } from '../stage/tight-marks.js';
import { toolLink } from '../stage/tool-link.js';
import { createTrace } from '../stage/trace.js';
import { listEdits, type Workspace, type WorkspaceRobot } from '../workspace.js';
import type { ClearanceProfile } from './clearance-profile.js';
import { LivePlanner } from './live-planner.js';
import type { PlanAnswer, PlanEnds, SceneEdit, TogetherAnswer } from './plan-answer.js';
import { Followers, readTogether } from './together.js';

export interface PlanControlHandlers {
  /** The robot was moved along its path. */
  onMove(): void;
  /** The places to go through are others. */
  onWaypoints(): void;
}

export class PlanControl {
  readonly panel = createPlanPanel({
    onDragGoal: (mode) => this.dragGoal(mode),
    onPlan: (start, goal) => this.planStored(start, goal),
    onPlanTogether: (goal) => this.planTogether(goal),
    onAddWaypoint: () => this.addWaypoint(),
    onWaypoint: (index, act) => this.editWaypoint(index, act),
    onCancel: () => {
      this.planner.cancel();
      this.panel.showProof('', '');
      this.panel.showMessage('Cancelled');
    },
    onSeek: (position) => this.seek(position),
    onSweep: () => this.sweep(),
    onSaveSwept: () => this.saveSwept(),
  });
  readonly timeline = createTimeline({
    onPlay: () => (this.player.playing ? this.player.pause() : this.player.play()),
    onSeek: (position) => this.seek(position),
    onSpeed: (factor) => this.player.setSpeed(factor),
    onSave: () => this.save(),
  });
  readonly trace = createTrace();
  private readonly marks: TightMarks;
  private readonly swept: Swept;
  private readonly roadmap: RoadmapLines;
  /** Of a path whose file says them. */
  private times: readonly number[] | undefined;
  private readonly ghost: Ghost;
  private readonly followers = new Followers();
  readonly player = createPlayer((q) => {
    this.timeline.showPosition(this.player.position, this.player.playing);
    if (!q || !this.robot) return;
    setConfiguration(this.robot.scene, q);
    this.followers.show(this.player.position);
    this.handlers.onMove();
  });
  private readonly planner = new LivePlanner({
    onAnswer: (answer, roundTrip) => this.hear(answer, roundTrip),
    onProgress: (iterations) => this.panel.showMessage(`Searching: ${countOf(iterations, 'iteration')}`),
    onTogether: (answer) => this.hearTogether(answer),
    onSettled: () => this.panel.setPlanning(false),
    onPlanners: (planners) => this.panel.setPlanners(planners),
    onFailed: (message) => {
      this.panel.setPlanning(false);
      this.panel.showProof('', '');
      this.panel.showMessage(message, true);
    },
  });
  private workspace: Workspace | null = null;
  private robot: WorkspaceRobot | null = null;
  private index = 0;
  /** What the shown path, or the search for one, goes from and to; null: a path that was loaded, or none. */
  private ends: PlanEnds | null = null;
  /** The shown path comes from a file. */
  private isLoaded = false;
  private isDemonstrating = false;

  constructor(
    private readonly stage: Stage,
    private readonly handlers: PlanControlHandlers,
  ) {
    stage.scene.add(this.trace.line);
    this.marks = createTightMarks(stage);
    this.swept = createSwept(stage);
    this.roadmap = createRoadmapLines(stage);
    this.ghost = createGhost(stage, (q) => {
      this.panel.chooseDragged();
      if (this.ends) this.ask({ ...this.ends, goal: q });
    });
  }

  /** A handle of the goal is held. */
  get dragging(): boolean {
    return this.ghost.dragging;
  }

  /** A handle of the goal is held or under the pointer. */
  get isHandled(): boolean {
    return this.ghost.isHandled;
  }

  setRobot(workspace: Workspace | null, robot: WorkspaceRobot | null, index: number): void {
    this.endDemonstration();
    this.planner.close();
    this.ghost.hide();
    this.workspace = workspace;
    this.robot = robot;
    this.index = index;
    this.clear();
    this.panel.showWaypoints(robot?.via.length ?? 0);
    this.panel.setRobots(workspace?.robots.length ?? 0);
    this.panel.showMessage('');
    // Not before there is something to see.
    if (workspace && robot && isSmall(workspace, robot))
      void this.stage.whenReady().then(() => this.robot === robot && this.open());
  }

  /** Starts the worker, if it has not been yet. */
  open(): void {
    const { workspace, robot, planner } = this;
    if (!workspace || !robot || planner.isOpen) return;
    planner.open(workspace.content, this.index, [...listEdits(workspace, this.index), ...listRuleEdits(workspace)]);
    const q = robot.scene.q.slice();
    planner.warm({ start: q, goal: q }, robot.group);
  }

  /** No path, nothing planned. */
  clear(): void {
    this.ends = null;
    this.isLoaded = false;
    this.dragGoal(null);
    this.showPath([]);
    this.panel.showProof('', '');
  }

  /** After the user changed the scene: what is planned is planned again. */
  follow(edit: SceneEdit): void {
    this.planner.edit(edit);
    this.ghost.refresh();
    if (this.ends) this.ask(this.ends);
    else if (this.isLoaded) this.check();
    else if (!this.followers.isEmpty) this.panel.showProof('Not proven any more: the scene is another one', 'open');
  }

  /** Where the robot stands comes last among the places that the path goes through. */
  private addWaypoint(): void {
    const { robot } = this;
    if (!robot) return;
    robot.via.push(robot.scene.q.slice());
    this.showWaypoints();
  }

  private editWaypoint(index: number, act: WaypointAct): void {
    const { robot } = this;
    if (!robot?.via[index]) return;
    if (act === 'go') {
      this.player.pause();
      setConfiguration(robot.scene, robot.via[index]);
      this.handlers.onMove();
      return;
    }
    if (act === 'set') robot.via[index] = robot.scene.q.slice();
    else if (act === 'delete') robot.via.splice(index, 1);
    else robot.via.splice(Math.max(index - 1, 0), 0, ...robot.via.splice(index, 1));
    this.showWaypoints();
  }

  /** After they changed, by hand or by a step back: what is planned goes through them. */
  showWaypoints(): void {
    const { robot } = this;
    this.panel.showWaypoints(robot?.via.length ?? 0);
    this.handlers.onWaypoints();
    if (this.ends && robot && !isSameWay(this.ends.via ?? [], robot.via))
      this.ask({ ...this.ends, via: robot.via.slice() });
  }

  /** Plans anew. */
  plan(ends: PlanEnds): void {
    this.player.pause();
    this.showPath([]);
    this.ask(ends, true);
  }

  /** Plans, and plays the path to and fro until the user does something. */
  async demonstrate(ends: PlanEnds): Promise<void> {
    const { robot } = this;
    await this.stage.whenReady();
    if (this.robot !== robot || this.ends) return;
    this.plan(ends);
    if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) this.isDemonstrating = true;
    for (const kind of ['pointerdown', 'keydown', 'wheel'] as const)
      window.addEventListener(kind, () => this.endDemonstration(), { capture: true, once: true, passive: true });
  }

  private endDemonstration(): void {
    if (!this.isDemonstrating) return;
    this.isDemonstrating = false;
    this.player.setLoop(false);
    this.player.pause();
  }

  /** A path of a file: shown, played and checked. */
  load(path: readonly Float64Array[], times?: readonly number[]): void {
    this.ends = null;
    this.showPath(path, { times });
    this.panel.showMessage('Path loaded');
    this.isLoaded = path.length > 1;
    this.check();
  }

  private check(): void {
    this.open();
    this.panel.showProof('Checking', 'open');
    this.panel.setPlanning(true);
    this.timeline.showProfile(null);
    this.planner.check(this.player.path);
  }

  private planStored(start: number, goal: number): void {
    const { robot } = this;
    if (!robot) return;
    const from = start < 0 ? robot.scene.q : robot.stored[start]?.q;
    const to = goal < 0 ? this.ghost.q : robot.stored[goal]?.q;
    if (!from || !to) this.panel.showMessage('Drag the goal first, or choose one of the stored positions', true);
    else this.plan({ start: from.slice(), via: robot.via.slice(), goal: to.slice() });
  }

  private planTogether(goal: number): void {
    const { workspace, robot, panel } = this;
    const name = robot?.stored[goal]?.name;
    if (!workspace || name === undefined) {
      panel.showMessage(
        'Choose one of the stored positions as the goal: every robot goes to its own of that name',
        true,
      );
      return;
    }
    const ends = readTogether(workspace, name);
    if ('missing' in ends) {
      panel.showMessage(`"${ends.missing}" has no stored position "${name}"`, true);
      return;
    }
    this.clear();
    this.open();
    panel.showReasons([]);
    panel.setPlanning(true);
    panel.showMessage('Searching a way for all robots');
    this.planner.askTogether(ends, panel.settings.seed);
  }

  private hearTogether({ solved, reason, paths, times, complete, milliseconds }: TogetherAnswer): void {
    const { workspace, panel, index } = this;
    if (!workspace) return;
    if (!solved) {
      panel.showMessage(`No path found: ${reason}`, true);
      return;
    }
    this.showPath(paths[index], { times });
    this.followers.follow(workspace, index, paths, times);
    panel.showMessage(`Solved in ${formatMilliseconds(milliseconds)}, ${countOf(paths.length, 'robot')}`);
    const known = complete ? '' : ' as far as the scene is complete';
    panel.showProof(`Certified with the exact shapes${known}: all robots are free at every time`, 'certified');
  }

  private dragGoal(mode: GizmoMode | null): void {
    const { workspace, robot } = this;
    this.panel.setDragging(mode);
    if (!mode || !workspace || !robot) {
      this.ghost.hide();
      return;
    }
    this.ghost.setMode(mode);
    if (this.ghost.q) return;
    const goal = this.ends?.goal ?? robot.scene.q;
    this.ghost.show(workspace.scene, robot, goal);
    this.ends ??= { start: robot.scene.q.slice(), via: robot.via.slice(), goal: goal.slice() };
    this.panel.showMessage('Drag the handles at the goal: the path follows.');
  }

  private save(): void {
    const { robot, player, panel } = this;
    if (!robot || player.path.length < 2) return;
    void import('./save-path.js')
      .then(({ savePath }) => savePath(robot.model, player.path, panel.format, this.times))
      .catch((error) => panel.showMessage((error as Error).message, true));
  }

  private saveSwept(): void {
    const { workspace, robot, player, panel } = this;
    if (!workspace || !robot || player.path.length < 2) {
      panel.showMessage('There is no path that could sweep anything', true);
      return;
    }
    void import('./save-swept.js')
      .then(({ saveSwept }) => saveSwept(workspace.scene, robot, player.path))
      .catch((error) => panel.showMessage((error as Error).message, true));
  }

  private sweep(): void {
    const { workspace, robot, panel, player } = this;
    if (workspace) this.swept.show(workspace.scene, panel.isSwept ? robot : null, player.path);
  }

  private seek(position: number): void {
    this.player.pause();
    this.player.seek(position);
  }

  private ask(ends: PlanEnds, anew = false): void {
    const { workspace, robot } = this;
    if (!workspace || !robot) return;
    this.ends = ends;
    this.isLoaded = false;
    this.open();
    // What was proven was proven of another question.
    this.panel.showProof('Looking again', 'open');
    this.panel.setPlanning(true);
    this.panel.showReasons([]);
    const settings = { ...this.panel.settings, tool: toolLink(robot) };
    this.planner.ask({ ends, group: robot.group, anew, settings });
  }

  private hear(answer: PlanAnswer, roundTrip: number | null): void {
    const { status, reason, path, how, proof, complete, clearance, profile, milliseconds, checks } = answer;
    if (roundTrip !== null) {
      const detail = { roundTrip, milliseconds, status, how };
      window.dispatchEvent(new CustomEvent('clearance-planned', { detail }));
    }
    if (answer.lines) this.roadmap.show(answer.lines);
    else if (!this.panel.settings.roadmap) this.roadmap.show(new Float32Array(0));
    this.panel.showReasons(answer.reasons ?? []);
    const effort = `${formatMilliseconds(milliseconds)}, ${countOf(checks, 'check')}`;
    if (status !== 'solved') {
      this.timeline.setBroken(true);
      this.trace.setBroken(true);
      this.player.pause();
      this.marks.show([]);
      this.panel.showPlaces([]);
      this.panel.showProof('', '');
      this.timeline.showProfile(null);
      const words = WORDS[status];
      this.panel.showMessage(
        `${words}${reason ? `: ${reason}` : ''}${status === 'none' ? ` (${effort})` : ''}`,
        status !== 'searching',
      );
      return;
    }
    if (how !== 'loaded') {
      if (roundTrip !== null || how === 'searched')
        this.panel.showMessage(`Solved in ${effort}${answer.note ? `: ${answer.note}` : ''}`);
      this.showPath(path, { length: answer.length, goesOn: true });
    }
    this.timeline.showProfile(profile);
    this.marks.show(profile?.places ?? []);
    this.panel.showPlaces(profile?.places ?? []);
    const known = complete ? '' : ' as far as the scene is complete';
    if (profile && this.isDemonstrating) {
      this.player.setLoop(true);
      this.player.play();
    }
    if (proof === 'certificate')
      this.panel.showProof(
        `Certified with the exact shapes${known}: free at every time${clearance !== null && clearance < Infinity ? `, nothing comes nearer than ${formatLength(clearance)}` : ''}${describeLeast(profile)}`,
        'certified',
      );
    else if (profile && profile.touching.length > 0)
      this.panel.showProof(
        `Touches over ${countOf(profile.touching.length, 'stretch', 'stretches')} of it`,
        'touching',
      );
    else if (proof === 'motions')
      this.panel.showProof(`Free at every time by spheres around the links${known}; certificate follows`, 'open');
    else this.panel.showProof(how === 'loaded' ? 'Not proven free' : 'Not proven yet', 'open');
  }

  private showPath(
    path: readonly Float64Array[],
    { length, times, goesOn = false }: { length?: number; times?: readonly number[]; goesOn?: boolean } = {},
  ): void {
    const { robot } = this;
    this.followers.clear();
    this.times = times;
    this.trace.show(robot, path);
    this.trace.setBroken(false);
    this.timeline.setBroken(false);
    if (!robot || path.length < 2) {
      this.player.clear();
      this.timeline.setPath(null);
      this.marks.show([]);
      this.panel.showPlaces([]);
    } else {
      const isNew = !goesOn || this.player.path.length === 0;
      if (isNew) this.player.setPath(robot.model, path, times);
      else this.player.replacePath(path);
      const words = length === undefined ? '' : `, length ${length.toFixed(2)}`;
      this.timeline.setPath(`${countOf(path.length, 'waypoint')}${words}`);
      if (isNew) {
        this.timeline.showProfile(null);
        this.player.seek(0);
      }
    }
    if (this.panel.isSwept) this.sweep();
    this.stage.requestRender();
  }
}

/** A proof's bound is below what is measured. */
function describeLeast(profile: ClearanceProfile | null): string {
  const place = profile?.places[0];
  return place ? ` (measured: ${formatLength(place.distance)})` : '';
}

function isSameWay(a: readonly Float64Array[], b: readonly Float64Array[]): boolean {
  return a.length === b.length && a.every((q, i) => q.every((value, k) => value === b[i][k]));
}

const MOST_TRIANGLES = 100_000;
const MOST_COORDINATES = 20;

/** What is larger is sent to the worker, and compiled there, when a path is first asked for. */
function isSmall({ content }: Workspace, { model }: WorkspaceRobot): boolean {
  const meshes = [content, ...content.robots].flatMap((holder) => [...holder.meshes.values()]);
  const triangles = meshes.reduce((sum, mesh) => sum + mesh.triangles.length / 3, 0);
  return model.nq > 0 && model.nq <= MOST_COORDINATES && triangles <= MOST_TRIANGLES;
}

const WORDS = {
  searching: 'Searching',
  none: 'No path found',
  'invalid-start': 'Invalid start',
  'invalid-goal': 'Invalid goal',
} as const;

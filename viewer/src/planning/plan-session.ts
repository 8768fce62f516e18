/**
 * A way of one robot through places, planned leg by leg (plan-leg.ts) and answered as one path; and the check of a path that comes from
 * elsewhere. Runs in a worker; nothing here knows of messages. Tested by plan-session.test.ts.
 */
import { createTransform, poseToTransform } from 'clearance/math';
import {
  addObject,
  attachObject,
  certifyPath,
  detachObject,
  moveObject,
  placeRobot,
  removeObject,
  setConfiguration,
  setSceneMargin,
} from 'clearance/scene';
import type { BuiltScene } from '../load/build-scene.js';
import { setPairRule } from '../load/pair-rules.js';
import { measureProfile } from './clearance-profile.js';
import type { PlanAnswer, PlanEnds, PlanSettings, SceneEdit } from './plan-answer.js';
import { DEFAULTS, PlanLeg, type PlanProgress } from './plan-leg.js';
import { PlanRobot } from './plan-robot.js';

export type { PlanProgress } from './plan-leg.js';

export interface PlanOptions extends Partial<PlanSettings> {
  readonly group?: string | null;
  /** The path of before is forgotten. */
  readonly anew?: boolean;
}

/** What became of a path: the last of these that holds for a leg holds for the whole. */
const HOW: readonly PlanAnswer['how'][] = ['loaded', 'kept', 'repaired', 'replanned', 'searched'];
const PROOFS: readonly PlanAnswer['proof'][] = ['certificate', 'motions', null];

export class PlanSession {
  private readonly robot: PlanRobot;
  private legs: PlanLeg[] = [];
  private answers: PlanAnswer[] = [];
  private begun = 0;

  constructor(
    private readonly built: BuiltScene,
    private readonly index: number,
    private readonly clock: () => number,
  ) {
    this.robot = new PlanRobot(built, index);
  }

  edit(edits: readonly SceneEdit[]): void {
    const { scene, robots } = this.built;
    for (const edit of edits) {
      if (edit.type === 'stand') {
        setConfiguration(robots[edit.robot].scene, edit.q);
        continue;
      }
      if (edit.type === 'rule' || edit.type === 'margin' || edit.type === 'base') {
        if (edit.type === 'rule') setPairRule(scene, edit);
        else if (edit.type === 'margin') setSceneMargin(scene, edit.margin);
        else placeRobot(robots[edit.robot].scene, edit.pose);
        // What was compiled knows other pairs and places.
        this.robot.tasks = [];
        continue;
      }
      const object = scene.objects.get(edit.object);
      if (edit.type === 'attach' || edit.type === 'detach') {
        if (!object) continue;
        if (object.attachment) detachObject(scene, object);
        if (edit.type === 'detach') moveObject(scene, object, edit.pose);
        else
          attachObject(scene, object, {
            robot: robots[edit.robot].scene,
            link: edit.link,
            placement: poseToTransform(createTransform(), edit.placement),
            touchLinks: edit.touchLinks,
          });
        this.robot.tasks = [];
        continue;
      }
      if (edit.type === 'move') {
        if (object && !object.attachment) moveObject(scene, object, edit.pose);
      } else {
        if (object) removeObject(scene, object);
        if (edit.type === 'put') addObject(scene, { name: edit.object, shape: edit.shape, pose: edit.pose });
      }
    }
  }

  ask({ start, via = [], goal }: PlanEnds, { group = null, anew = false, ...settings }: PlanOptions = {}): void {
    const around = [start, ...via, goal];
    const count = around.length - 1;
    while (this.legs.length < count) this.legs.push(new PlanLeg(this.robot, this.clock));
    this.legs.length = count;
    for (const [i, leg] of this.legs.entries())
      leg.ask({ start: around[i], goal: around[i + 1], around }, group, { ...DEFAULTS, ...settings }, anew);
  }

  /** Compiles what `answer` asks, and asks it once. */
  warm(): void {
    this.legs[0].warm();
  }

  /** What can be said at once. */
  answer(): PlanAnswer {
    this.begun = this.clock();
    this.answers = [];
    for (const leg of this.legs) {
      const answer = leg.answer();
      this.answers.push(answer);
      // What comes after a place that cannot be is not asked for.
      if (answer.status.startsWith('invalid')) break;
    }
    return this.combine();
  }

  /** What takes longer: yields answers as they come, progress of a search, and null between slices of other work. */
  *settle(): Generator<PlanAnswer | PlanProgress | null> {
    if (this.answers.length < this.legs.length) return;
    for (const [i, leg] of this.legs.entries()) {
      for (const given of leg.settle()) {
        if (!given || !('status' in given)) {
          yield given;
          continue;
        }
        this.answers[i] = given;
        yield this.combine();
      }
      if (this.answers[i].status !== 'solved') return;
    }
    const whole = this.combine();
    const profile = yield* measureProfile(this.built.scene, this.built.robots[this.index], whole.path, this.varying());
    yield { ...whole, milliseconds: this.clock() - this.begun, profile };
  }

  /** Of a path that comes from elsewhere: whether it is free, and where not. */
  *check(path: readonly Float64Array[]): Generator<PlanAnswer | null> {
    const { built, index } = this;
    const { scene, robots } = built;
    const begun = this.clock();
    let checks = 0;
    let clearance: number | null = Infinity;
    for (let i = 1; i < path.length; i++) {
      const verdict = certifyPath(scene, robots[index].scene, [path[i - 1], path[i]]);
      checks += verdict.configurations;
      clearance = verdict.status === 'free' && clearance !== null ? Math.min(clearance, verdict.clearance) : null;
      yield null;
    }
    const all = Int32Array.from({ length: robots[index].model.nq }, (_, i) => i);
    const profile = yield* measureProfile(scene, robots[index], path, all);
    yield {
      ...{ status: 'solved', reason: '', path, length: 0, how: 'loaded', clearance, profile, checks },
      proof: clearance === null ? null : 'certificate',
      complete: scene.robots.every(({ missing }) => missing.length === 0),
      milliseconds: this.clock() - begun,
    };
  }

  private varying(): Int32Array {
    return Int32Array.from(new Set(this.legs.flatMap(({ indices }) => [...indices])));
  }

  private combine(): PlanAnswer {
    const { answers, legs } = this;
    const [first] = answers;
    const milliseconds = this.clock() - this.begun;
    if (legs.length === 1) return { ...first, milliseconds };
    const sum = (read: (answer: PlanAnswer) => number): number =>
      answers.reduce((total, answer) => total + read(answer), 0);
    const checks = sum((answer) => answer.checks);
    const failed = answers.findIndex(({ status }) => status !== 'solved');
    if (failed >= 0) {
      const { status, reason } = answers[failed];
      const place = status === 'invalid-start' ? failed : failed + 1;
      const isEnd = place === 0 || place === legs.length;
      const where = status.startsWith('invalid') ? `waypoint ${place}` : `leg ${failed + 1} of ${legs.length}`;
      const words = status.startsWith('invalid') && isEnd ? reason : reason ? `${where}: ${reason}` : where;
      return { ...answers[failed], reason: words, milliseconds, checks };
    }
    const clearances = answers.map(({ clearance }) => clearance);
    const last = <T>(order: readonly T[], values: readonly T[]): T =>
      order[Math.max(...values.map((value) => order.indexOf(value)))];
    return {
      ...first,
      path: answers.flatMap(({ path }, i) => (i === 0 ? path : path.slice(1))),
      length: sum(({ length }) => length),
      how: last(
        HOW,
        answers.map(({ how }) => how),
      ),
      proof: last(
        PROOFS,
        answers.map(({ proof }) => proof),
      ),
      complete: answers.every(({ complete }) => complete),
      clearance: clearances.includes(null) ? null : Math.min(...(clearances as number[])),
      ...{ milliseconds, checks },
    };
  }
}

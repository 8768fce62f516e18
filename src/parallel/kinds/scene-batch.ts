/**
 * Many queries of one robot in one scene as a job: a unit is a query, a task some that follow one another.
 *
 * The scene travels packed, so that every answer is that of a copy of it, wherever it is made. Answers do not depend on how
 * the batch is cut: each query is answered for itself. Tested by test/contract/jobs.test.ts.
 */
import {
  requireCount,
  requireFloats,
  requireIndex,
  requireList,
  requireObject,
  throwMisuse,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { disposeScene } from '../../scene/scene.js';
import { runSceneJob, type SceneAnswers, type SceneJob } from '../../scene/transfer/batch.js';
import { type PackedScene, unpackScene } from '../../scene/transfer/pack-scene.js';
import { completeQuery } from '../scene-query.js';
import type { JobKind, JobPerformer, JobPlan } from './job-kind.js';

export interface SceneBatchInput {
  readonly scene: PackedScene;
  /** Its number in the scene. */
  readonly robot: number;
  readonly query: SceneJob;
  /** nq numbers each. */
  readonly configurations: Float64Array;
}

interface SceneTask {
  readonly robot: number;
  readonly query: SceneJob;
  /** Its first query in the batch. */
  readonly first: number;
  readonly count: number;
  readonly configurations: Float64Array;
}

interface SceneBatchState {
  /** First query and end of each stretch that is answered, ascending. */
  readonly done: readonly number[];
  /** null or 0 where there is no answer yet. */
  readonly answers: SceneAnswers;
}

class SceneBatchPlan implements JobPlan<SceneTask, SceneAnswers, SceneAnswers> {
  readonly total: number;
  done = 0;
  private readonly answers: SceneAnswers;
  /** Stretches that are answered, and those that nobody has, as [first, end], ascending. */
  private readonly answered: [number, number][] = [];
  private readonly open: [number, number][] = [];
  private left: number;

  constructor(
    private readonly input: SceneBatchInput,
    state: unknown,
  ) {
    const { query, configurations } = input;
    this.total = Math.max(configurations.length / Math.max(this.nq, 1) - this.overlap, 0);
    const { total } = this;
    const isPlain = query.kind === 'free' || query.kind === 'motion';
    this.answers = isPlain ? new Uint8Array(total) : new Array(total).fill(null);
    if (state === null) this.open.push([0, total]);
    else this.restore(state);
    this.left = total - this.done;
  }

  get width(): number {
    return this.left;
  }

  take(units: number): SceneTask | null {
    while (this.open.length > 0 && this.open[0][0] >= this.open[0][1]) this.open.shift();
    if (this.open.length === 0) return null;
    const stretch = this.open[0];
    const { nq, overlap } = this;
    const { robot, query, configurations } = this.input;
    const first = stretch[0];
    const count = Math.min(units, stretch[1] - first);
    stretch[0] += count;
    this.left -= count;
    return {
      ...{ robot, query, first, count },
      configurations: configurations.slice(first * nq, (first + count + overlap) * nq),
    };
  }

  unitsOf({ count }: SceneTask): number {
    return count;
  }

  merge({ first, count }: SceneTask, result: SceneAnswers): void {
    if (result.length !== count)
      throw new MisuseError(
        `merge: answers, got ${result.length}, expected ${count}: is it the script of this release?`,
      );
    for (let i = 0; i < count; i++) this.answers[first + i] = result[i];
    this.note(first, first + count);
  }

  save(): SceneBatchState {
    return { done: this.answered.flat(), answers: this.answers.slice() };
  }

  output(): SceneAnswers {
    return this.answers;
  }

  describe({ first }: SceneTask): string {
    return `answered queries ${first} and following`;
  }

  nameOf({ first }: SceneTask, index: number) {
    return { name: `query ${first + index}`, index: first + index };
  }

  private get nq(): number {
    return this.input.scene.robots[this.input.robot].model.nq;
  }

  /** Configurations that a query shares with the next one. */
  private get overlap(): number {
    return this.input.query.kind === 'motion' ? 1 : 0;
  }

  private note(first: number, end: number): void {
    const { answered } = this;
    let at = answered.length;
    while (at > 0 && answered[at - 1][0] > first) at--;
    answered.splice(at, 0, [first, end]);
    if (at + 1 < answered.length && answered[at + 1][0] === end) answered[at][1] = answered.splice(at + 1, 1)[0][1];
    if (at > 0 && answered[at - 1][1] === first) answered[at - 1][1] = answered.splice(at, 1)[0][1];
    this.done += end - first;
  }

  private restore(state: unknown): void {
    const { total, answers } = this;
    requireObject('resumeJob', 'checkpoint.state', state);
    const { done, answers: known } = state as SceneBatchState;
    requireList('resumeJob', 'checkpoint.state.done', done);
    const isRight = answers instanceof Uint8Array ? known instanceof Uint8Array : Array.isArray(known);
    if (!isRight || known.length !== total)
      throwMisuse('resumeJob', 'checkpoint.state.answers', known, `${total} answers of this query`);
    let at = 0;
    for (let i = 0; i < done.length; i += 2) {
      const [first, end] = [done[i], done[i + 1]];
      requireCount('resumeJob', `checkpoint.state.done[${i}]`, first, at);
      requireCount('resumeJob', `checkpoint.state.done[${i + 1}]`, end, first);
      if (end > total) throwMisuse('resumeJob', `checkpoint.state.done[${i + 1}]`, end, `at most ${total}`);
      this.open.push([at, first]);
      for (let k = first; k < end; k++) answers[k] = known[k];
      this.note(first, end);
      at = end;
    }
    this.open.push([at, total]);
  }
}

class ScenePerformer implements JobPerformer<SceneTask, SceneAnswers> {
  private readonly scene;

  constructor(packed: PackedScene) {
    this.scene = unpackScene(packed);
  }

  perform({ robot, query, configurations }: SceneTask): SceneAnswers {
    return runSceneJob(this.scene, this.scene.robots[robot], query, configurations);
  }

  dispose(): void {
    disposeScene(this.scene);
  }
}

export const sceneBatch: JobKind<SceneBatchInput, PackedScene, SceneTask, SceneAnswers, SceneAnswers> = {
  name: 'scene-batch',
  version: 1,
  requireInput: (call, what, input) => {
    requireObject(call, what, input);
    const { scene, robot, query, configurations } = input as SceneBatchInput;
    requireObject(call, `${what}.scene`, scene);
    requireList(call, `${what}.scene.robots`, scene.robots);
    requireIndex(call, `${what}.robot`, robot, scene.robots.length);
    completeQuery(call, `${what}.query`, query);
    requireFloats(call, `${what}.configurations`, configurations);
    const nq = scene.robots[robot].model?.nq;
    requireCount(call, `${what}.scene.robots[${robot}].model.nq`, nq);
    if (configurations.length % Math.max(nq, 1) !== 0)
      throwMisuse(call, `${what}.configurations`, configurations, `a multiple of ${nq} numbers`);
  },
  share: ({ scene }) => scene,
  prepare: (scene) => new ScenePerformer(scene),
  plan: (input, _seed, state) => new SceneBatchPlan(input, state),
};

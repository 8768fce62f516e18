/**
 * The first paths of one path optimisation as a job: a unit, and a task, is one of them, descended and certified.
 *
 * The answer is that of `optimisePath`: the first paths count in the order of the seeds, up to the first that is certified, however
 * many others were tried beside it; with `all` every one counts. Once one is certified, later ones are not begun.
 * Tested by order-path-optimisation.test.ts and test/contract/jobs.test.ts against one thread.
 */
import {
  answerTried,
  createPathTrials,
  type PathOptimisation,
  type PathOptimisationRequest,
  type PathTrials,
  type TriedPath,
} from '../../control/paths/optimise-path.js';
import { requireIndex, requireList, requireObject, throwMisuse } from '../../math/arguments.js';
import { disposeScene } from '../../scene/scene.js';
import { type PackedScene, unpackScene } from '../../scene/transfer/pack-scene.js';
import type { JobKind, JobPerformer, JobPlan } from './job-kind.js';

interface PathShare {
  readonly scene: PackedScene;
  /** Its number in the scene. */
  readonly robot: number;
  readonly request: Omit<PathOptimisationRequest, 'shouldStop' | 'onProgress'>;
}

export interface PathSeedsInput {
  readonly shared: PathShare;
}

type PathResult = { readonly refusal: PathOptimisation } | { readonly tried: TriedPath };

interface PathSeedsState {
  /** By seed; null: not tried. */
  readonly results: readonly (PathResult | null)[];
}

class PathSeedsPlan implements JobPlan<number, PathResult, PathOptimisation> {
  readonly total: number;
  private readonly results: (PathResult | null)[];
  private readonly isTaken: boolean[];
  private readonly all: boolean;

  constructor({ shared: { request } }: PathSeedsInput, state: unknown) {
    const { seeds = 8, all = false } = request;
    this.total = seeds;
    this.all = all;
    this.results = new Array(seeds).fill(null);
    this.isTaken = new Array(seeds).fill(false);
    if (state !== null) this.restore(state);
  }

  get done(): number {
    const { end } = this;
    return this.results.reduce((sum, result, n) => sum + (result !== null || n >= end ? 1 : 0), 0);
  }

  get width(): number {
    return this.results.reduce((sum, _, n) => sum + (this.isOpen(n) ? 1 : 0), 0);
  }

  take(): number | null {
    const seed = this.results.findIndex((_, n) => this.isOpen(n));
    if (seed < 0) return null;
    this.isTaken[seed] = true;
    return seed;
  }

  unitsOf(): number {
    return 1;
  }

  merge(seed: number, result: PathResult): void {
    this.isTaken[seed] = false;
    this.results[seed] = result;
  }

  save(): PathSeedsState {
    return { results: [...this.results] };
  }

  output(): PathOptimisation {
    const tried: TriedPath[] = [];
    for (const result of this.results.slice(0, this.end) as PathResult[]) {
      if ('refusal' in result) return result.refusal;
      tried.push(result.tried);
    }
    return answerTried(tried, false);
  }

  describe(seed: number): string {
    return `descended first path ${seed}`;
  }

  nameOf(seed: number) {
    return { name: `first path ${seed}`, index: seed };
  }

  /** Seeds from here on do not count. */
  private get end(): number {
    const last = this.results.findIndex(
      (result) => result !== null && ('refusal' in result || (!this.all && result.tried.attempt.certified)),
    );
    return last < 0 ? this.total : last + 1;
  }

  private isOpen(seed: number): boolean {
    return this.results[seed] === null && !this.isTaken[seed] && seed < this.end;
  }

  private restore(state: unknown): void {
    requireObject('resumeJob', 'checkpoint.state', state);
    const { results } = state as PathSeedsState;
    requireList('resumeJob', 'checkpoint.state.results', results);
    if (results.length !== this.total)
      throwMisuse('resumeJob', 'checkpoint.state.results', results, `one for each of ${this.total} first paths`);
    results.forEach((result, n) => {
      if (result === null) return;
      requireObject('resumeJob', `checkpoint.state.results[${n}]`, result);
      requireObject(
        'resumeJob',
        `checkpoint.state.results[${n}]`,
        'refusal' in result ? result.refusal : result.tried?.attempt,
        'a first path that was tried',
      );
      this.results[n] = result;
    });
  }
}

class PathPerformer implements JobPerformer<number, PathResult> {
  private readonly scene;
  private readonly trials: PathTrials;

  constructor({ scene, robot, request }: PathShare) {
    this.scene = unpackScene(scene);
    this.trials = createPathTrials(this.scene, this.scene.robots[robot], request);
  }

  perform(seed: number): PathResult {
    const { refusal } = this.trials;
    return refusal ? { refusal } : { tried: this.trials.attempt(seed) };
  }

  dispose(): void {
    disposeScene(this.scene);
  }
}

export const pathSeeds: JobKind<PathSeedsInput, PathShare, number, PathResult, PathOptimisation> = {
  name: 'path-seeds',
  version: 1,
  requireInput: (call, what, input) => {
    requireObject(call, what, input);
    const { shared } = input as PathSeedsInput;
    requireObject(call, `${what}.shared`, shared);
    requireObject(call, `${what}.shared.scene`, shared.scene);
    requireList(call, `${what}.shared.scene.robots`, shared.scene.robots);
    requireIndex(call, `${what}.shared.robot`, shared.robot, shared.scene.robots.length);
    requireObject(call, `${what}.shared.request`, shared.request);
    const { seeds = 8 } = shared.request;
    requireIndex(call, `${what}.shared.request.seeds`, seeds - 1, Infinity);
  },
  share: ({ shared }) => shared,
  prepare: (shared) => new PathPerformer(shared),
  plan: (input, _seed, state) => new PathSeedsPlan(input, state),
};

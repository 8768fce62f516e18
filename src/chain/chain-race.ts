/**
 * Representations of one chain against each other on the same random steps: how long each takes, what it tests.
 *
 * A step turns one joint, uniform over the joints that turn or shift and over the values up to `reach` both ways, asks for a
 * contact, and takes the step back when there is one. Representations take the steps in blocks in turn, the order flipping
 * from block to block, so that drift of the machine meets all alike; every verdict is compared. Some first steps do not count.
 * A slow representation may take fewer steps than the others: it stops early, and is compared over what it took.
 * Source: the experiments of Lotan, Schwarzer, Halperin, Latombe 2002, section 5, ACM Symposium on Computational Geometry.
 * The clock comes from outside: what is measured belongs to a machine and a moment, the steps and counts to the seed.
 * Checked by chain-race.test.ts.
 */
import {
  type Fields,
  requireFields,
  requireFinite,
  requireFunction,
  requireList,
  requireNotNegative,
  requireNumber,
  requireObject,
  requireText,
  throwMisuse,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { type Chain, PRISMATIC, REVOLUTE, requireChain } from './chain.js';
import type { ChainState } from './chain-state.js';
import { ObbTreeChain } from './obb-tree-chain.js';
import type { CreateChainState } from './representations.js';

export interface ChainRaceRunner {
  readonly name: string;
  readonly create: CreateChainState;
  /** Steps it takes; as many as the race when left out. */
  readonly steps?: number;
}

export interface ChainRaceRequest {
  readonly runners: readonly ChainRaceRunner[];
  /** Counted steps, in whole blocks: rounded up. */
  readonly steps: number;
  /** Steps that one runner takes before the next does; 25 by default. In long blocks each runs with its data in the caches. */
  readonly blockSteps?: number;
  /** Steps before, which count for nothing; 200 by default. */
  readonly warmUp?: number;
  readonly seed: number;
  /** Largest turn in radians, or shift. */
  readonly reach: number;
  /** Milliseconds from any origin, such as performance.now. */
  readonly now: () => number;
}

/** Sums over the counted steps, times in milliseconds. */
export interface ChainRaceTimes {
  update: number;
  undo: number;
  /** Of tests that found nothing. */
  free: number;
  /** Of tests that found a contact. */
  colliding: number;
  freeSteps: number;
  collidingSteps: number;
}

export interface ChainRaceResult {
  readonly name: string;
  readonly steps: number;
  readonly times: ChainRaceTimes;
  /** The counted blocks in order, the same ones for every runner as far as it went; what they took per step. */
  readonly blocks: readonly ChainRaceBlock[];
  /** Per step, over all blocks. */
  readonly volumeTests: number;
  readonly pairTests: number;
}

/** Per step of a block: milliseconds, pairs of volumes and of links tested. */
export interface ChainRaceBlock {
  readonly time: number;
  readonly volumeTests: number;
  readonly pairTests: number;
}

interface Runner {
  readonly name: string;
  readonly steps: number;
  readonly state: ChainState;
  readonly times: ChainRaceTimes;
  readonly blocks: ChainRaceBlock[];
}

const noTimes = (): ChainRaceTimes => ({
  update: 0,
  undo: 0,
  free: 0,
  colliding: 0,
  freeSteps: 0,
  collidingSteps: 0,
});

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const totalOf = ({ update, undo, free, colliding }: ChainRaceTimes): number => update + undo + free + colliding;

const REQUEST: Fields = {
  runners: requireList,
  steps: unchecked,
  blockSteps: wholeFrom(1),
  warmUp: requireNotNegative,
  seed: requireNumber,
  reach: requireFinite,
  now: requireFunction,
};

function requireRace(request: ChainRaceRequest): void {
  requireFields('raceChains', 'request', request, REQUEST);
  for (const key of ['runners', 'seed', 'reach', 'now'] as const)
    REQUEST[key]('raceChains', `request.${key}`, request[key]);
  request.runners.forEach((runner, i) => {
    requireObject('raceChains', `request.runners[${i}]`, runner);
    requireText('raceChains', `request.runners[${i}].name`, runner.name);
    requireFunction('raceChains', `request.runners[${i}].create`, runner.create);
  });
}

/**
 * Runs the race, giving the share that is done after every block, and the results at the end. Throws an error when the
 * chain touches itself at the start (every step would be taken back), has no joint to move, or when two runners disagree.
 */
export function* raceChains(chain: Chain, request: ChainRaceRequest): Generator<number, ChainRaceResult[]> {
  requireChain('raceChains', chain);
  requireRace(request);
  const { reach, now, warmUp = 200, blockSteps = 25 } = request;
  const count = (what: string, steps: number): number => {
    if (typeof steps !== 'number' || !(steps > 0 && steps < Infinity))
      throwMisuse('raceChains', what, steps, 'more than 0');
    return blockSteps * Math.ceil(steps / blockSteps);
  };
  const steps = count('steps', request.steps);
  const skipped = blockSteps * Math.ceil(warmUp / blockSteps);
  const joints = listMovingJoints(chain);
  if (joints.length === 0) throw new MisuseError('raceChains: chain, got no revolute or prismatic joint, expected one');
  const random = createRandom(request.seed);
  const runners = request.runners.map(
    ({ name, create, steps: own = steps }): Runner => ({
      name,
      steps: Math.min(steps, count(`steps of ${name}`, own)),
      state: create(chain),
      times: noTimes(),
      blocks: [],
    }),
  );
  try {
    for (const { name, state } of runners) {
      if (!state.hasContact()) continue;
      const pair = `links ${state.contactA} and ${state.contactB}`;
      throw new MisuseError(`raceChains: chain, got a start in contact (${name}: ${pair}), expected a free one`);
    }
    const block = { joints: new Int32Array(blockSteps), values: new Float64Array(blockSteps) };
    const verdicts = new Uint8Array(blockSteps);
    for (let done = 0; done < skipped + steps; done += blockSteps) {
      for (let i = 0; i < blockSteps; i++) {
        block.joints[i] = joints[random.integer(joints.length)];
        block.values[i] = random.uniform(-reach, reach);
      }
      const active = runners.filter((runner) => done < skipped + runner.steps);
      if ((done / blockSteps) % 2 === 1) active.reverse();
      active.forEach((runner, i) => {
        takeBlock(runner, block, { now, verdicts, isFirst: i === 0, isCounted: done >= skipped });
      });
      yield (done + blockSteps) / (skipped + steps);
    }
    return runners.map(({ name, times, blocks }) => ({
      name,
      steps: blockSteps * blocks.length,
      times,
      blocks,
      volumeTests: average(blocks.map((block) => block.volumeTests)),
      pairTests: average(blocks.map((block) => block.pairTests)),
    }));
  } finally {
    for (const { state } of runners) state.dispose();
  }
}

function listMovingJoints({ jointKinds }: Chain): number[] {
  const moving: number[] = [];
  jointKinds.forEach((kind, joint) => {
    if (kind === REVOLUTE || kind === PRISMATIC) moving.push(joint);
  });
  return moving;
}

interface BlockTaking {
  readonly now: () => number;
  /** Filled by the first runner of the block, compared with by the others. */
  readonly verdicts: Uint8Array;
  readonly isFirst: boolean;
  readonly isCounted: boolean;
}

function takeBlock(
  runner: Runner,
  { joints, values }: { readonly joints: Int32Array; readonly values: Float64Array },
  { now, verdicts, isFirst, isCounted }: BlockTaking,
): void {
  const { state } = runner;
  const times = noTimes();
  state.stats.volumeTests = 0;
  state.stats.pairTests = 0;
  for (let i = 0; i < joints.length; i++) {
    const touches = takeStep(state, joints[i], values[i], { times, now }) ? 1 : 0;
    if (isFirst) verdicts[i] = touches;
    else if (touches !== verdicts[i])
      throw new Error(`raceChains: ${runner.name} gives another verdict than the others`);
  }
  if (!isCounted) return;
  for (const key of Object.keys(times) as (keyof ChainRaceTimes)[]) runner.times[key] += times[key];
  const { volumeTests, pairTests } = state.stats;
  runner.blocks.push({
    time: totalOf(times) / joints.length,
    volumeTests: volumeTests / joints.length,
    pairTests: pairTests / joints.length,
  });
}

function takeStep(
  state: ChainState,
  joint: number,
  value: number,
  { times, now }: { readonly times: ChainRaceTimes; readonly now: () => number },
): boolean {
  const start = now();
  state.stageTurn(joint, value);
  state.apply();
  // Trees built anew are part of keeping up, whoever asks for them.
  if (state instanceof ObbTreeChain) state.rebuild();
  const updated = now();
  const touches = state.hasContact();
  const tested = now();
  if (touches) state.undo();
  const end = now();
  times.update += updated - start;
  times.undo += end - tested;
  times[touches ? 'colliding' : 'free'] += tested - updated;
  times[touches ? 'collidingSteps' : 'freeSteps']++;
  return touches;
}

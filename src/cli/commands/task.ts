/** `clearance task`: takes an object and puts it down, as a file says it: every leg certified and timed, the motion written. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { transformToPose } from '../../math/transform.js';
import { disposeScene } from '../../scene/scene.js';
import { type PickAndPlacePlan, type PickAndPlaceRequest, pickAndPlace } from '../../tasks/pick-and-place.js';
import { sampleTrajectory } from '../../trajectory/trajectory.js';
import { toTrajectoryTable } from '../../trajectory/trajectory-table.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import { groundText } from '../grounds.js';
import { requireReadable, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { requireObject } from '../pose-argument.js';
import { answerGrounds, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { requireTrajectoryOutput, writeTrajectoryFile } from '../timing.js';

interface TaskArguments {
  readonly seed?: number;
  readonly dt: number;
  readonly out?: string;
  readonly allowOutside?: boolean;
  readonly allowMissing?: boolean;
  readonly json?: boolean;
}

export function taskCommand(): Command {
  return new Command('task')
    .description('takes an object and puts it down, as a file says: every leg free at every time and timed')
    .argument('<task>', 'robot, scene, object, grasps and place (.json)')
    .option('--seed <n>', 'same seed, same motion, in place of what the file says', parseCount('--seed'))
    .option('--dt <s>', 'time between samples of --out', parseNumber('--dt', { above: 0 }), 0.01)
    .option('--out <file>', 'write the motion of all legs: .csv, .json, .mcap')
    .option('--allow-outside', 'the scene file may name meshes outside its folder')
    .option('--allow-missing', 'go on although something could not be read; answers say so ("complete":false)')
    .addHelpText(
      'after',
      `
The file: {"type":"pick-and-place","robot":F,"srdf":F,"scene":F,"group","object","grasps":[{"pose","name"?},...],"place",
"tool"?,"start"?,"approach"?,"lift"?,"open"?,"closed"?,"touchLinks"?,"supports"?,"deviation"?,"limits"}; files are relative to it.

Exit status 1 when a leg fails; the answer says which and why.

Examples:
  clearance task pick.json
  clearance task pick.json --out motion.csv --json`,
    )
    .action(async (file: string, args: TaskArguments) => {
      requireTrajectoryOutput(args.out);
      const { robot: from, srdf, scene: around, request } = readTask(file, args.seed);
      const { allowOutside, allowMissing } = args;
      const loaded = await loadSceneArguments(from, { srdf, scene: around, allowOutside, allowMissing });
      const progress = startProgress('planning');
      try {
        const { scene, robot, model } = loaded;
        const fixed = sceneGrounds(scene);
        const begin = performance.now();
        const plan = orUsageError(file, () => pickAndPlace(scene, robot, request));
        const planMs = performance.now() - begin;
        if (args.out !== undefined && plan.trajectory)
          await writeTrajectoryFile(args.out, toTrajectoryTable(model, sampleTrajectory(plan.trajectory, args.dt)));
        progress.stop();
        const grounds = answerGrounds(scene, fixed, plan);
        const { status, reason, grasp, place, trajectory } = plan;
        const legs = plan.legs.map(({ name, path, certified, motion, holds }) => ({
          ...{ name, certified, checked: motion.checked, duration: motion.trajectory?.duration, holds },
          path: path.map((q) => [...q]),
        }));
        const answer = {
          ...{ status, reason, grasp, duration: trajectory?.duration ?? null },
          ...{ place: place && [...transformToPose(new Float64Array(7), place)], planMs, legs, ...grounds },
        };
        await writeLine(args.json ? toJson(answer) : describe(plan) + groundText(grounds));
        process.exitCode = status === 'solved' ? ExitStatus.done : ExitStatus.negative;
      } finally {
        progress.stop();
        disposeScene(loaded.scene);
      }
    });
}

function readTask(file: string, seed: number | undefined) {
  requireReadable(file);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
  const { type, robot, srdf, scene, ...request } = orUsageError(file, () => requireObject(value));
  if (type !== 'pick-and-place')
    throw new UsageError(`${file}: type: got ${JSON.stringify(type)}, expected "pick-and-place"`);
  const at = (name: unknown, what: string): string => {
    if (typeof name !== 'string')
      throw new UsageError(`${file}: ${what}: got ${JSON.stringify(name)}, expected a file name`);
    return resolve(dirname(file), name);
  };
  return {
    robot: at(robot, 'robot'),
    srdf: srdf === undefined ? undefined : at(srdf, 'srdf'),
    scene: at(scene, 'scene'),
    request: { ...request, ...(seed !== undefined && { seed }) } as unknown as PickAndPlaceRequest,
  };
}

function describe({ status, reason, grasp, legs, trajectory }: PickAndPlacePlan): string {
  const lines = legs.map(({ name, path, certified, motion, holds }) => {
    const seconds = motion.trajectory?.duration.toFixed(2);
    const proof = certified && motion.checked === 'certified' ? 'free at every time' : 'not certified';
    return `  ${name}: ${path.length} waypoints, ${seconds} s, ${proof}${holds ? ', holds the object' : ''}`;
  });
  const head =
    status === 'solved' ? `solved: grasp ${grasp}, ${trajectory!.duration.toFixed(2)} s` : `${status}: ${reason}`;
  return [head, ...lines].join('\n');
}

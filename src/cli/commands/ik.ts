/** `clearance ik`: joint values that bring a frame to target poses. */
import { Command } from 'commander';
import { createIkSolver } from '../../ik/solve-ik.js';
import { createTransform } from '../../math/transform.js';
import { findFrame } from '../../model/model.js';
import { disposeScene } from '../../scene/scene.js';
import { createSceneChecker } from '../../scene/validity.js';
import { groupVelocities, parseConfiguration, requireMovable } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { runBatch } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import { addSceneOptions, loadSceneArguments, type RobotArguments } from '../robot-arguments.js';
import { readPose, requireObject } from './pair.js';

interface IkArguments extends RobotArguments {
  readonly frame: string;
  readonly targets: string;
  readonly position?: boolean;
  readonly avoid?: boolean;
  readonly restarts: number;
  readonly seed: number;
  readonly json?: boolean;
}

export function ikCommand(): Command {
  return addSceneOptions(new Command('ik'))
    .description('inverse kinematics: joint values within the limits that bring a frame to a pose')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .requiredOption('--frame <name>', 'link or joint to place')
    .requiredOption('--targets <file>', 'JSON Lines {"target":pose,"seed":q?}, or - for standard input')
    .option('--position', 'any orientation will do')
    .option('--avoid', 'only solutions free of collisions')
    .option('--restarts <n>', 'random starts after the first', parseCount('--restarts'), 50)
    .option('--seed <n>', 'seed of the random starts', parseCount('--seed'), 1)
    .addHelpText(
      'after',
      '\nExit status 1 when any target is not reached.\n\nExample:\n  clearance ik arm.urdf --frame tool --targets targets.jsonl --json',
    )
    .action(async (file: string, args: IkArguments) => {
      const loaded = await loadSceneArguments(file, args);
      const { model, scene, robot, group, rest } = loaded;
      const frame = findFrame(model, args.frame);
      if (frame < 0) throw new UsageError(`--frame: "${args.frame}" is no link or joint of ${file}`);
      requireMovable(group);
      const solver = createIkSolver(model, frame, { velocities: groupVelocities(model, group) });
      const checker = args.avoid ? createSceneChecker(scene, robot) : null;
      const progress = startProgress('solving');
      const task = args.position ? 'position' : 'pose';
      try {
        process.exitCode = await runBatch(
          { source: args.targets, json: Boolean(args.json), onProgress: (n) => progress.update(`${n}`) },
          (value) => {
            const line = requireObject(value);
            if (line.target === undefined) throw new UsageError('expected an object with "target"');
            const target = readPose(createTransform(), line.target, 'target');
            const start = line.seed === undefined ? rest : parseConfiguration(loaded, line.seed, rest, group);
            const begin = performance.now();
            const result = solver.solve({
              target,
              start,
              task,
              restarts: args.restarts,
              seed: args.seed,
              isValid: checker ? (q) => checker.isValid(q) : undefined,
            });
            const ms = performance.now() - begin;
            const text = `${result.status}: position error ${result.positionError.toExponential(1)} m, rotation error ${result.rotationError.toExponential(1)} rad, ${ms.toFixed(2)} ms`;
            return {
              result: { ...result, ms },
              text,
              status: result.status === 'solved' ? ExitStatus.done : ExitStatus.negative,
            };
          },
        );
      } finally {
        progress.stop();
        disposeScene(scene);
      }
    });
}

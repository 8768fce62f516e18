/** `clearance fk`: poses of frames at joint states. */
import { Command } from 'commander';
import { forwardKinematics, updateFramePlacements } from '../../kinematics/forward-kinematics.js';
import { transformToPose } from '../../math/transform.js';
import { createData, findFrame } from '../../model/model.js';
import { selectGroup } from '../configuration-argument.js';
import { UsageError } from '../exit.js';
import { runBatch } from '../json-lines.js';
import { addLimitsOption, createLimitCheck, type LimitArguments } from '../limit-check.js';
import { addModelOptions, loadRobotArgument, modelGrounds, type RobotArguments } from '../robot-arguments.js';
import { addStateOptions, readRest, readState, type StateArguments, stateBatch } from '../state-arguments.js';

interface FkArguments extends RobotArguments, StateArguments, LimitArguments {
  readonly frames: string;
  readonly json?: boolean;
}

export function fkCommand(): Command {
  return addLimitsOption(addStateOptions(addModelOptions(new Command('fk'))))
    .description('forward kinematics: pose [x, y, z, qx, qy, qz, qw] of frames in the world')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .option('--frames <names>', 'links or joints, separated by commas, or all (every link)', 'all')
    .addHelpText('after', '\nExample:\n  clearance fk arm.urdf --frames tool --q 0,0.5,0,-1.2,0,1,0')
    .action(async (file: string, args: FkArguments) => {
      const loaded = await loadRobotArgument(file, args, { meshes: false });
      const grounds = modelGrounds(file, loaded, args);
      const { model } = loaded;
      const limits = createLimitCheck(model, args);
      const data = createData(model);
      const names = args.frames === 'all' ? model.linkNames : args.frames.split(',');
      const frames = names.map((name) => {
        const frame = findFrame(model, name);
        if (frame < 0) throw new UsageError(`--frames: "${name}" is no link or joint of ${file}`);
        return { name, frame };
      });
      const context = { ...loaded, group: selectGroup(loaded, args.group), rest: readRest(loaded, args.state) };
      process.exitCode = await runBatch({ ...stateBatch(args), json: Boolean(args.json) }, (value) => {
        const q = readState(context, value);
        limits.look(q);
        forwardKinematics(model, data, q);
        updateFramePlacements(model, data);
        // Without a prototype: a link may be called __proto__.
        const poses: Record<string, number[]> = Object.create(null);
        for (const { name, frame } of frames) {
          poses[name] = transformToPose(
            new Array<number>(7),
            data.framePlacements.subarray(12 * frame, 12 * frame + 12),
          );
        }
        const lines = Object.entries(poses).map(
          ([name, pose]) => `${name}: ${pose.map((n) => n.toFixed(6)).join(' ')}`,
        );
        return limits.complete({ result: { frames: poses, ...grounds }, text: lines.join('\n') });
      });
    });
}

/** `clearance fk`: poses of frames at joint states. */
import { Command } from 'commander';
import { forwardKinematics, updateFramePlacements } from '../../kinematics/forward-kinematics.js';
import { transformToPose } from '../../math/transform.js';
import { createData, findFrame } from '../../model/model.js';
import { parseConfiguration, selectGroup } from '../configuration-argument.js';
import { UsageError } from '../exit.js';
import { runBatch } from '../json-lines.js';
import { addRobotOptions, loadRobotArgument, type RobotArguments } from '../robot-arguments.js';
import {
  addStateOptions,
  lineConfiguration,
  parseConfigurationText,
  readState,
  type StateArguments,
  stateSource,
} from '../state-arguments.js';

interface FkArguments extends RobotArguments, StateArguments {
  readonly frames: string;
  readonly json?: boolean;
}

export function fkCommand(): Command {
  return addStateOptions(addRobotOptions(new Command('fk'), { collision: false }))
    .description('forward kinematics: pose [x, y, z, qx, qy, qz, qw] of frames in the world')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .option('--frames <names>', 'links or joints, separated by commas, or all (every link)', 'all')
    .addHelpText('after', '\nExample:\n  clearance fk arm.urdf --frames tool --q 0,0.5,0,-1.2,0,1,0')
    .action(async (file: string, args: FkArguments) => {
      const loaded = await loadRobotArgument(file, args, { meshes: false });
      const { model } = loaded;
      const data = createData(model);
      const names = args.frames === 'all' ? model.linkNames : args.frames.split(',');
      const frames = names.map((name) => {
        const frame = findFrame(model, name);
        if (frame < 0) throw new UsageError(`--frames: "${name}" is no link or joint of ${file}`);
        return { name, frame };
      });
      const group = selectGroup(loaded, args.group);
      const rest = parseConfiguration(loaded, args.state === undefined ? [] : parseConfigurationText(args.state), null);
      process.exitCode = await runBatch(
        { source: stateSource(args), json: Boolean(args.json), single: readState(args) },
        (value) => {
          forwardKinematics(model, data, parseConfiguration(loaded, lineConfiguration(value), rest, group));
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
          return { result: { frames: poses }, text: lines.join('\n') };
        },
      );
    });
}

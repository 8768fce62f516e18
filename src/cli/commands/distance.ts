/** `clearance distance`: the nearest pair that is not allowed. */
import { Command } from 'commander';
import type { OverlapDepth } from '../../scene/body-pairs.js';
import { nearestPair } from '../../scene/check.js';
import { setConfiguration } from '../../scene/robot.js';
import { disposeScene } from '../../scene/scene.js';
import { parseConfiguration } from '../configuration-argument.js';
import { runBatch } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { addDepthOption, addSceneOptions, loadSceneArguments, type RobotArguments } from '../robot-arguments.js';
import { addStateOptions, lineConfiguration, readState, type StateArguments, stateSource } from '../state-arguments.js';
import { formatLength } from './check.js';

interface DistanceArguments extends RobotArguments, StateArguments {
  readonly depth?: OverlapDepth;
  readonly json?: boolean;
}

export function distanceCommand(): Command {
  return addDepthOption(addStateOptions(addSceneOptions(new Command('distance'))))
    .description('the nearest pair of links, or of a link and an object, with witness points')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .addHelpText(
      'after',
      `
Distances are signed: negative is minus the penetration depth.

Example:
  clearance distance arm.urdf --srdf arm.srdf --scene table.json --q ready --json`,
    )
    .action(async (file: string, args: DistanceArguments) => {
      const loaded = await loadSceneArguments(file, args);
      const { scene, robot, rest, group } = loaded;
      const progress = startProgress('measuring');
      try {
        process.exitCode = await runBatch(
          {
            source: stateSource(args),
            json: Boolean(args.json),
            single: readState(args),
            onProgress: (n) => progress.update(`${n} states`),
          },
          (value) => {
            setConfiguration(robot, parseConfiguration(loaded, lineConfiguration(value), rest, group));
            const pair = nearestPair(scene, { depth: args.depth });
            if (!pair)
              return {
                result: { distance: null, a: null, b: null, pointA: null, pointB: null, normal: null },
                text: 'no pair to check',
              };
            return { result: { ...pair }, text: `${formatLength(pair.distance)} between ${pair.a} and ${pair.b}` };
          },
        );
      } finally {
        progress.stop();
        disposeScene(scene);
      }
    });
}

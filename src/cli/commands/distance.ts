/** `clearance distance`: the nearest pair that is not allowed. */
import { Command } from 'commander';
import type { OverlapDepth } from '../../scene/queries/body-pairs.js';
import { nearestPair } from '../../scene/queries/check.js';
import { stateAssumptions } from '../../scene/queries/enclosed.js';
import { setConfiguration } from '../../scene/robot.js';
import { disposeScene } from '../../scene/scene.js';
import { refuseOptions } from '../given-options.js';
import { groundText } from '../grounds.js';
import { runBatch } from '../json-lines.js';
import { addLimitsOption, createLimitCheck, type LimitArguments } from '../limit-check.js';
import { startProgress } from '../messages.js';
import { formatLength } from '../number-arguments.js';
import { addDepthOption, addSceneOptions, type RobotArguments } from '../robot-arguments.js';
import { answerGrounds, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { addStateOptions, readState, type StateArguments, stateBatch } from '../state-arguments.js';

interface DistanceArguments extends RobotArguments, StateArguments, LimitArguments {
  readonly depth?: OverlapDepth;
  readonly json?: boolean;
}

export function distanceCommand(): Command {
  return addLimitsOption(addDepthOption(addStateOptions(addSceneOptions(new Command('distance'), { margin: false }))))
    .description('the nearest pair of links, or of a link and an object, with witness points')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .addHelpText(
      'after',
      `
Distances are signed: negative is minus the penetration depth.

Example:
  clearance distance arm.urdf --srdf arm.srdf --scene table.json --q ready --json`,
    )
    .action(async (file: string, args: DistanceArguments, command: Command) => {
      refuseOptions(command, ['margin'], 'means nothing here, a distance is the same with every margin');
      const loaded = await loadSceneArguments(file, args);
      const { scene, robot } = loaded;
      const fixed = sceneGrounds(scene);
      const limits = createLimitCheck(loaded.model, args);
      let nearest = { distance: Infinity, state: 0 };
      const progress = startProgress('measuring');
      try {
        process.exitCode = await runBatch(
          {
            ...stateBatch(args),
            json: Boolean(args.json),
            onProgress: (n) => progress.update(`${n} states`),
            summarize: ({ answered, invalid }) =>
              `${answered + invalid} states: ${Number.isFinite(nearest.distance) ? `nearest ${formatLength(nearest.distance)}, in state ${nearest.state}` : 'no pair to check'}`,
          },
          (value, index) => {
            const q = readState(loaded, value);
            limits.look(q);
            setConfiguration(robot, q);
            const pair = nearestPair(scene, { depth: args.depth });
            const grounds = answerGrounds(scene, fixed, pair ?? stateAssumptions(scene));
            if (!pair)
              return limits.complete({
                result: { distance: null, a: null, b: null, pointA: null, pointB: null, normal: null, ...grounds },
                text: `no pair to check${groundText(grounds)}`,
              });
            if (pair.distance < nearest.distance) nearest = { distance: pair.distance, state: index };
            const { distance, a, b, pointA, pointB, normal, status } = pair;
            return limits.complete({
              result: { distance, a, b, pointA, pointB, normal, status, ...grounds },
              text: `${formatLength(distance)} between ${a} and ${b}${groundText(grounds)}`,
            });
          },
        );
      } finally {
        progress.stop();
        disposeScene(scene);
      }
    });
}

/** `clearance distance`: the nearest pair that is not allowed, of a robot's states or of an assembly. */
import { extname } from 'node:path';
import { Command } from 'commander';
import type { OverlapDepth } from '../../scene/queries/body-pairs.js';
import { nearestPair, pairsWithin, type ScenePair } from '../../scene/queries/check.js';
import { stateAssumptions } from '../../scene/queries/enclosed.js';
import { setConfiguration } from '../../scene/robot.js';
import { disposeScene } from '../../scene/scene.js';
import { ASSEMBLY_OPTIONS, describeContent, reportAssembly } from '../assembly.js';
import { ExitStatus } from '../exit.js';
import { acceptOptions, refuseOptions } from '../given-options.js';
import { groundText } from '../grounds.js';
import { runBatch, toJson, writeLine } from '../json-lines.js';
import { addLimitsOption, createLimitCheck, type LimitArguments } from '../limit-check.js';
import { startProgress } from '../messages.js';
import { formatLength, parseNumber } from '../number-arguments.js';
import { addDepthOption, addSceneOptions, type RobotArguments } from '../robot-arguments.js';
import { answerGrounds, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { addStateOptions, readState, type StateArguments, stateBatch } from '../state-arguments.js';
import { countOf } from '../words.js';

interface DistanceArguments extends RobotArguments, StateArguments, LimitArguments {
  readonly depth?: OverlapDepth;
  readonly within?: number;
  readonly json?: boolean;
}

/** Of an answer without any pair to measure. */
const NONE = { distance: null, a: null, b: null, pointA: null, pointB: null, normal: null };

export function distanceCommand(): Command {
  return addLimitsOption(addDepthOption(addStateOptions(addSceneOptions(new Command('distance'), { margin: false }))))
    .description(
      'the nearest pair of links, or of a link and an object, with witness points; or of an assembly (SCENE.json)',
    )
    .argument('<file>', 'robot (.urdf, .xacro) or scene (.json)')
    .option(
      '--within <d>',
      'of a scene: every pair at most this far apart, in metres, nearest first',
      parseNumber('--within'),
    )
    .addHelpText(
      'after',
      `
Distances are signed: negative is minus the penetration depth.

Examples:
  clearance distance arm.urdf --srdf arm.srdf --scene table.json --q ready --json
  clearance distance assembly.json --within 0.002`,
    )
    .action(async (file: string, args: DistanceArguments, command: Command) => {
      refuseOptions(command, ['margin'], 'means nothing here, a distance is the same with every margin');
      if (extname(file).toLowerCase() === '.json') {
        acceptOptions(command, ['within', ...ASSEMBLY_OPTIONS], `means nothing for a scene without states (${file})`);
        process.exitCode = await measureAssembly(file, args);
        return;
      }
      refuseOptions(
        command,
        ['within'],
        'is for a scene (.json); of a robot along its states, "monitor" lists what is near',
      );
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
                result: { ...NONE, ...grounds },
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

/** The nearest pair, or all within a distance. Neither is a verdict: the status is 0 whether they touch or not. */
async function measureAssembly(file: string, args: DistanceArguments): Promise<ExitStatus> {
  const { depth = 'exact', within } = args;
  return reportAssembly(file, args, async (scene, grounds) => {
    const lineOf = ({ distance, a, b }: ScenePair): string => `${formatLength(distance)} between ${a} and ${b}`;
    if (within === undefined) {
      const pair = nearestPair(scene, { objectPairs: true, depth });
      const { distance, a, b, pointA, pointB, normal, status } = pair ?? { ...NONE, status: undefined };
      await writeLine(
        args.json
          ? toJson({ distance, a, b, pointA, pointB, normal, status, ...grounds })
          : `${pair ? lineOf(pair) : 'no pair to measure'}${groundText(grounds)}`,
      );
      return ExitStatus.done;
    }
    // Objects' own margins change what counts as near: those below 0 are made up for, what others add is left out.
    const lowest = Math.min(0, ...[...scene.objects.values()].map(({ body }) => body.margin));
    const near = pairsWithin(scene, { margin: within - 2 * lowest, objectPairs: true, depth });
    const pairs = near.filter(({ distance }) => distance <= within);
    if (args.json) await writeLine(toJson({ pairs, ...grounds }));
    else {
      await writeLine(
        `${describeContent(scene)}, ${countOf(pairs.length, 'pair')} within ${formatLength(within)}${groundText(grounds)}`,
      );
      for (const pair of pairs) await writeLine(lineOf(pair));
    }
    return ExitStatus.done;
  });
}

/** `clearance acm`: which link pairs never need checking, found by sampling. */
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { writeSrdf } from '../../io/robot/srdf.js';
import { sampleAllowedPairs } from '../../scene/queries/sample-allowed.js';
import { disposeScene } from '../../scene/scene.js';
import type { SemanticDescription } from '../../semantics/description.js';
import { ExitStatus } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { groundText } from '../grounds.js';
import { requireWritable, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import { addRobotOptions, type RobotArguments } from '../robot-arguments.js';
import { loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { emptySemantic } from '../sphere-files.js';
import { formatNumber } from '../words.js';

interface AcmArguments extends RobotArguments {
  readonly samples: number;
  readonly seed: number;
  readonly out?: string;
  readonly json?: boolean;
}

export function acmCommand(): Command {
  return addRobotOptions(new Command('acm'), { state: false, allowed: false })
    .description('allowed pairs by sampling: adjacent, default, always (95 % of samples or more), never')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .option('--samples <n>', 'random configurations', parseCount('--samples', { min: 1 }), 10_000)
    .option('--seed <n>', 'same seed, same matrix', parseCount('--seed'), 1)
    .option('--out <file>', 'write an SRDF with these pairs (groups and states of --srdf are kept)')
    .addHelpText('after', '\nExample:\n  clearance acm arm.urdf --samples 20000 --out arm.srdf')
    .action(async (file: string, args: AcmArguments, command: Command) => {
      refuseOptions(command, ['acm', 'acmOnly'], 'means nothing here, every pair is sampled');
      refuseOptions(command, ['solid'], 'means nothing here, watertight meshes of a robot are solid anyway');
      if (args.out !== undefined) requireWritable('--out', args.out);
      const { scene, robot, semantic, description } = await loadSceneArguments(file, args);
      const grounds = sceneGrounds(scene);
      const progress = startProgress('sampling');
      const { pairs, checked, samples } = sampleAllowedPairs(robot, {
        samples: args.samples,
        seed: args.seed,
        onProgress: (done) => progress.update(`${Math.round((100 * done) / args.samples)} %`),
      });
      progress.stop();
      disposeScene(scene);
      if (args.out) {
        const disabledPairs = pairs.map(({ a, b, reason }) => ({
          a,
          b,
          reason: reason[0].toUpperCase() + reason.slice(1),
        }));
        const base: SemanticDescription = semantic ?? emptySemantic(description.name);
        writeFileSync(args.out, writeSrdf({ ...base, disabledPairs }));
      }
      if (args.json) await writeLine(toJson({ pairs, checked, samples, ...grounds }));
      else {
        for (const { a, b, reason, collisions } of pairs)
          await writeLine(`${reason.padEnd(8)}  ${String(collisions).padStart(7)}  ${a}  ${b}`);
        const atMost = pairs.find((pair) => pair.atMost !== undefined)?.atMost;
        const bound =
          atMost === undefined
            ? ''
            : `; a pair called never touches in at most ${formatNumber(100 * atMost, 3)} % of configurations (95 % confidence)`;
        await writeLine(
          `${pairs.length} pairs allowed, ${checked.length} to check, ${samples} samples${bound}${groundText(grounds)}`,
        );
      }
      process.exitCode = ExitStatus.done;
    });
}

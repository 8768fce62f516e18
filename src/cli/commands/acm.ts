/** `clearance acm`: which link pairs never need checking, found by sampling, and by proof when asked. */
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { writeSrdf } from '../../io/robot/srdf.js';
import { type SampledPair, sampleAllowedPairs } from '../../scene/queries/sample-allowed.js';
import { disposeScene } from '../../scene/scene.js';
import { proveNeverPairs } from '../../scene/spheres/prove-never.js';
import type { SceneRobot } from '../../scene/types.js';
import type { SemanticDescription } from '../../semantics/description.js';
import { ExitStatus, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { groundText } from '../grounds.js';
import { requireWritable, toJson, writeLine } from '../json-lines.js';
import { startProgress } from '../messages.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { addRobotOptions, type RobotArguments } from '../robot-arguments.js';
import { loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { emptySemantic } from '../sphere-files.js';
import { formatNumber } from '../words.js';

interface AcmArguments extends RobotArguments {
  readonly samples: number;
  readonly seed: number;
  readonly prove?: boolean;
  /** Seconds. */
  readonly timeout?: number;
  readonly out?: string;
  readonly json?: boolean;
}

export function acmCommand(): Command {
  return addRobotOptions(new Command('acm'), { state: false, allowed: false })
    .description('allowed pairs by sampling: adjacent, default, always (95 % of samples or more), never')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .option('--samples <n>', 'random configurations', parseCount('--samples', { min: 1 }), 10_000)
    .option('--seed <n>', 'same seed, same matrix', parseCount('--seed'), 1)
    .option('--prove', 'prove that pairs called never cannot touch within the limits, or say what sampling bounds')
    .option(
      '--timeout <s>',
      'seconds for --prove: pairs that are not proven by then keep what sampling bounds',
      parseNumber('--timeout', { min: 0 }),
    )
    .option('--out <file>', 'write an SRDF with these pairs (groups and states of --srdf are kept)')
    .addHelpText('after', '\nExample:\n  clearance acm arm.urdf --samples 20000 --out arm.srdf')
    .action(async (file: string, args: AcmArguments, command: Command) => {
      refuseOptions(command, ['acm', 'acmOnly'], 'means nothing here, every pair is sampled');
      refuseOptions(command, ['solid'], 'means nothing here, watertight meshes of a robot are solid anyway');
      if (args.timeout !== undefined && !args.prove) throw new UsageError('--timeout: is for --prove, got none');
      if (args.out !== undefined) requireWritable('--out', args.out);
      const { scene, robot, semantic, description } = await loadSceneArguments(file, args);
      const grounds = sceneGrounds(scene);
      const progress = startProgress('sampling');
      const sampled = sampleAllowedPairs(robot, {
        samples: args.samples,
        seed: args.seed,
        onProgress: (done) => progress.update(`${Math.round((100 * done) / args.samples)} %`),
      });
      progress.stop();
      const { checked, samples } = sampled;
      const { pairs, timeUp } = args.prove
        ? proveEach(robot, sampled.pairs, args.timeout)
        : { pairs: sampled.pairs as readonly ProvenPair[], timeUp: undefined };
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
      if (args.json) await writeLine(toJson({ pairs, checked, samples, timeUp, ...grounds }));
      else {
        for (const { a, b, reason, collisions, proof } of pairs)
          await writeLine(`${(proof ? 'proven' : reason).padEnd(8)}  ${String(collisions).padStart(7)}  ${a}  ${b}`);
        const atMost = pairs.find((pair) => pair.atMost !== undefined && !pair.proof)?.atMost;
        const proven = pairs.filter(({ proof }) => proof).length;
        const bound =
          atMost === undefined
            ? ''
            : `; a pair called never touches in at most ${formatNumber(100 * atMost, 3)} % of configurations (95 % confidence)`;
        const late = timeUp ? '; time was up, a longer --timeout may prove more' : '';
        await writeLine(
          `${pairs.length} pairs allowed${args.prove ? `, ${proven} of them proven never to touch` : ''}, ${checked.length} to check, ${samples} samples${bound}${late}${groundText(grounds)}`,
        );
      }
      process.exitCode = ExitStatus.done;
    });
}

/** A pair that is called never, with `proof` where it is proven and `bound`, what sampling says, where not. */
type ProvenPair = SampledPair & { readonly proof?: boolean; readonly bound?: number };

/** `timeUp`: some proofs were not tried to the end. */
function proveEach(
  robot: SceneRobot,
  pairs: readonly SampledPair[],
  seconds = Infinity,
): { readonly pairs: ProvenPair[]; readonly timeUp: boolean } {
  const deadline = performance.now() + 1000 * seconds;
  let timeUp = false;
  const shouldStop = (): boolean => {
    timeUp ||= performance.now() >= deadline;
    return timeUp;
  };
  const never = pairs.filter(({ reason }) => reason === 'never');
  const progress = startProgress('proving');
  const proven = proveNeverPairs(robot, never, {
    shouldStop,
    onProgress: (done) => progress.update(`${done} of ${never.length} pairs`),
  });
  progress.stop();
  const keys = new Set(proven.map(({ a, b }) => `${a}\u0000${b}`));
  const said = pairs.map((pair) => {
    if (pair.reason !== 'never') return pair;
    const isProven = keys.has(`${pair.a}\u0000${pair.b}`);
    const { atMost, ...rest } = pair;
    return isProven
      ? { ...rest, proof: true }
      : { ...pair, proof: false, ...(atMost === undefined ? {} : { bound: atMost }) };
  });
  return { pairs: said, timeUp };
}

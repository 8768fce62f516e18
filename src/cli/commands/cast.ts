/** `clearance cast`: when two moving shapes, or a robot that moves in joint space, first touch. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { createTransform } from '../../math/transform.js';
import { castPair, createCastResult } from '../../narrowphase/cast.js';
import { createRobotCaster } from '../../scene/motion/cast-robot.js';
import { disposeScene } from '../../scene/scene.js';
import { parseConfiguration } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { acceptOptions, refuseOptions } from '../given-options.js';
import { createColliderCache, createGivenShape, type GivenShape, pairGrounds } from '../given-shape.js';
import { groundText } from '../grounds.js';
import { type BatchAnswer, runBatch } from '../json-lines.js';
import { addLimitsOption, createLimitCheck, type LimitArguments } from '../limit-check.js';
import { addScaleOption } from '../mesh-arguments.js';
import { startProgress } from '../messages.js';
import { parseNumber } from '../number-arguments.js';
import { readPose, requireObject } from '../pose-argument.js';
import { addSceneOptions, type RobotArguments } from '../robot-arguments.js';
import { answerGrounds, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { parseConfigurationText } from '../state-arguments.js';
import { formatFixed } from '../words.js';

interface CastArguments extends RobotArguments, LimitArguments {
  readonly from?: string;
  readonly to?: string;
  readonly motions?: string;
  readonly pairs?: string;
  readonly tolerance?: number;
  readonly json?: boolean;
}

/** What a cast of two shapes depends on. */
const SHAPE_OPTIONS = [
  'motions',
  'pairs',
  'tolerance',
  'scale',
  'solid',
  'surface',
  'upAxis',
  'unit',
  'weld',
  'fillHoles',
];

export function castCommand(): Command {
  return addLimitsOption(addScaleOption(addSceneOptions(new Command('cast'))))
    .description(
      'continuous collision: first contact of two shapes that move (straight translation, slerp), or of a robot that goes ' +
        'straight in joint space, with the scene and itself; t in [0, 1]',
    )
    .argument('[A]', 'shape, or robot (.urdf, .xacro)')
    .argument('[B]', 'shape')
    .option('--motions <file>', 'JSON Lines {"a0":pose,"a1":pose,"b0":pose,"b1":pose}; a missing end repeats its start')
    .option(
      '--from <q>',
      'robot: where the motion starts: values, JSON, or the name of an SRDF state (default: --state)',
    )
    .option('--to <q>', 'robot: where it ends; many motions: --motions with lines {"from":q,"to":q}')
    .option('--pairs <file>', 'the same with shapes "A" and "B" in each line, instead of A and B')
    .option(
      '--tolerance <d>',
      'closer than d is a hit (default 1e-7 of the extents)',
      parseNumber('--tolerance', { min: 0 }),
    )
    .addHelpText(
      'after',
      `
Examples:
  clearance cast sphere:0.1 wall.stl --motions motions.jsonl --json
  clearance cast arm.urdf --srdf arm.srdf --scene table.json --from home --to ready`,
    )
    .action(async (a: string | undefined, b: string | undefined, args: CastArguments, command: Command) => {
      if (a !== undefined && ['.urdf', '.xacro'].includes(extname(a).toLowerCase())) {
        if (b !== undefined)
          throw new UsageError(`cast: "${b}": expected nothing after a robot; objects come by --scene`);
        refuseOptions(command, ['scale'], "is for meshes of the command line; a robot's file says its meshes' scale");
        refuseOptions(command, ['pairs'], 'is for shapes, expected --from and --to, or --motions');
        if (args.motions !== undefined)
          refuseOptions(command, ['from', 'to'], 'means nothing with --motions, whose lines say "from" and "to"');
        process.exitCode = await castRobotMotions(a, args);
        return;
      }
      acceptOptions(command, SHAPE_OPTIONS, 'is for robots, expected a .urdf or .xacro file before it');
      if (args.pairs !== undefined) refuseOptions(command, ['motions'], 'means nothing with --pairs');
      const source = args.pairs ?? args.motions;
      if (source === undefined) throw new UsageError('cast: expected --motions FILE or --pairs FILE');
      if ((args.pairs === undefined) !== (a !== undefined && b !== undefined))
        throw new UsageError('cast: expected two shapes A and B with --motions, or none with --pairs');
      const progress = startProgress('casting');
      const settings = { source, json: Boolean(args.json), onProgress: (n: number): void => progress.update(`${n}`) };
      const answer = createAnswer(args.tolerance);
      try {
        if (a !== undefined && b !== undefined && args.pairs === undefined) {
          const first = await createGivenShape(a, 'A', args);
          const second = await createGivenShape(b, 'B', args);
          process.exitCode = await runBatch(settings, (value) => answer(first, second, requireObject(value)));
        } else {
          const colliders = createColliderCache(args);
          process.exitCode = await runBatch(settings, async (value) => {
            const line = requireObject(value);
            return answer(await colliders.get(line.A, 'A'), await colliders.get(line.B, 'B'), line);
          });
        }
      } finally {
        progress.stop();
      }
    });
}

/** A search that was given up counts as a hit, and says so. */
function exitOf(status: string): ExitStatus {
  return status === 'iteration-limit' ? ExitStatus.limit : ExitStatus.done;
}

function createAnswer(
  tolerance: number | undefined,
): (a: GivenShape, b: GivenShape, line: Readonly<Record<string, unknown>>) => BatchAnswer {
  const motion = { a0: createTransform(), a1: createTransform(), b0: createTransform(), b1: createTransform() };
  const result = createCastResult();
  return (a, b, line) => {
    readPose(motion.a0, line.a0, 'a0');
    readPose(motion.a1, line.a1 ?? line.a0, 'a1');
    readPose(motion.b0, line.b0, 'b0');
    readPose(motion.b1, line.b1 ?? line.b0, 'b1');
    const { status, hit, time, point, normal, depthAtStart } = castPair(result, a.collider, b.collider, motion, {
      tolerance,
      depth: true,
    });
    const found = { status, hit, time, point: hit ? point : null, normal: hit ? normal : null, depthAtStart };
    const { a0, a1, b0, b1 } = motion;
    const grounds = pairGrounds({ a, X_WA: a0, b, X_WB: b0 }, { a, X_WA: a1, b, X_WB: b1 });
    const text = hit ? `hit at ${formatFixed(time, 6)} of the motion` : `no hit${groundText(grounds)}`;
    return { result: { ...found, ...grounds }, text, status: exitOf(status) };
  };
}

/** One motion from --from to --to, or a batch of {"from":q,"to":q}. */
async function castRobotMotions(file: string, args: CastArguments): Promise<ExitStatus> {
  if ((args.motions === undefined) === (args.to === undefined))
    throw new UsageError('cast: expected --to q (and --from q), or --motions FILE with lines {"from":q,"to":q}');
  const loaded = await loadSceneArguments(file, args);
  const fixed = sceneGrounds(loaded.scene);
  const limits = createLimitCheck(loaded.model, args);
  const progress = startProgress('casting');
  try {
    // The scene's own margin is --margin already.
    const caster = createRobotCaster(loaded.scene, loaded.robot, { tolerance: args.tolerance });
    const read = (value: unknown): Float64Array => {
      const q = parseConfiguration(loaded, value, loaded.rest, loaded.group);
      limits.look(q);
      return q;
    };
    const single = {
      from: args.from === undefined ? {} : parseConfigurationText(args.from),
      to: args.to === undefined ? {} : parseConfigurationText(args.to),
    };
    return await runBatch(
      {
        source: args.motions ?? null,
        single,
        json: Boolean(args.json),
        onProgress: (n) => progress.update(`${n} motions`),
      },
      (value) => {
        const line = requireObject(value);
        if (line.to === undefined) throw new UsageError('expected an object with "to" (and "from")');
        const found = caster.cast(read(line.from === undefined ? {} : line.from), read(line.to));
        const { status, hit, time, a, b, distance, point, normal, iterations } = found;
        const grounds = answerGrounds(loaded.scene, fixed, found);
        return limits.complete({
          result: { status, hit, time, a, b, distance, point, normal, iterations, ...grounds },
          text: hit
            ? `${a} ${status === 'ok' ? 'touches' : 'may touch'} ${b} at ${formatFixed(time, 6)} of the motion`
            : `no hit${groundText(grounds)}`,
          status: exitOf(status),
        });
      },
    );
  } finally {
    progress.stop();
    disposeScene(loaded.scene);
  }
}

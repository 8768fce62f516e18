/** `clearance cast`: when two moving shapes first touch. */
import { Command } from 'commander';
import { createTransform } from '../../math/transform.js';
import { castPair, createCastResult } from '../../narrowphase/cast.js';
import { type Collider, createCollider } from '../../narrowphase/collider.js';
import { UsageError } from '../exit.js';
import { type BatchAnswer, runBatch } from '../json-lines.js';
import { addMeshOptions, type MeshArguments } from '../mesh-arguments.js';
import { startProgress } from '../messages.js';
import { parseNumber } from '../number-arguments.js';
import { parseShapeArgument } from '../shape-argument.js';
import { createColliderCache, readPose, requireObject } from './pair.js';

interface CastArguments extends MeshArguments {
  readonly motions?: string;
  readonly pairs?: string;
  readonly tolerance?: number;
  readonly json?: boolean;
}

export function castCommand(): Command {
  return addMeshOptions(new Command('cast'))
    .description(
      'continuous collision: first contact of two shapes that move (straight translation, slerp), t in [0, 1]',
    )
    .argument('[A]', 'shape')
    .argument('[B]', 'shape')
    .option('--motions <file>', 'JSON Lines {"a0":pose,"a1":pose,"b0":pose,"b1":pose}; a missing end repeats its start')
    .option('--pairs <file>', 'the same with shapes "A" and "B" in each line, instead of A and B')
    .option(
      '--tolerance <d>',
      'closer than d is a hit (default 1e-7 of the extents)',
      parseNumber('--tolerance', { min: 0 }),
    )
    .addHelpText('after', '\nExample:\n  clearance cast sphere:0.1 wall.stl --motions motions.jsonl --json')
    .action(async (a: string | undefined, b: string | undefined, args: CastArguments) => {
      const source = args.pairs ?? args.motions;
      if (source === undefined) throw new UsageError('cast: expected --motions FILE or --pairs FILE');
      if ((args.pairs === undefined) !== (a !== undefined && b !== undefined))
        throw new UsageError('cast: expected two shapes A and B with --motions, or none with --pairs');
      const progress = startProgress('casting');
      const settings = { source, json: Boolean(args.json), onProgress: (n: number): void => progress.update(`${n}`) };
      const answer = createAnswer(args.tolerance);
      try {
        if (a !== undefined && b !== undefined && args.pairs === undefined) {
          const first = createCollider(await parseShapeArgument(a, args));
          const second = createCollider(await parseShapeArgument(b, args));
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

function createAnswer(
  tolerance: number | undefined,
): (a: Collider, b: Collider, line: Readonly<Record<string, unknown>>) => BatchAnswer {
  const motion = { a0: createTransform(), a1: createTransform(), b0: createTransform(), b1: createTransform() };
  const result = createCastResult();
  return (a, b, line) => {
    readPose(motion.a0, line.a0, 'a0');
    readPose(motion.a1, line.a1 ?? line.a0, 'a1');
    readPose(motion.b0, line.b0, 'b0');
    readPose(motion.b1, line.b1 ?? line.b0, 'b1');
    const { status, hit, time, point, normal, depthAtStart } = castPair(result, a, b, motion, { tolerance });
    const found = { status, hit, time, point: hit ? point : null, normal: hit ? normal : null, depthAtStart };
    return { result: found, text: hit ? `hit at ${time.toFixed(6)}` : 'no hit' };
  };
}

/** `clearance decompose`: a mesh as convex parts. */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Command, Option } from 'commander';
import { type Decomposition, decomposeMesh } from '../../geometry/convex-decomposition.js';
import { isWatertight } from '../../geometry/mesh-report.js';
import { writeStl } from '../../io/mesh/stl.js';
import type { Assumption } from '../../scene/description.js';
import { ExitStatus, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { groundText, toGroundFields } from '../grounds.js';
import { requireFolder, toJson, writeLine } from '../json-lines.js';
import { addMeshReading, addScaleOption, type MeshArguments, readMesh } from '../mesh-arguments.js';
import { startBlockingProgress } from '../messages.js';
import { formatLength, parseCount, parseNumber } from '../number-arguments.js';
import { formatNumber } from '../words.js';

interface DecomposeArguments extends MeshArguments {
  readonly concavity?: number;
  readonly relativeConcavity?: number;
  readonly maxParts: number;
  readonly simplify?: number;
  readonly out?: string;
  readonly json?: boolean;
}

const MAX_PARTS = 10_000;

export function decomposeCommand(): Command {
  return addMeshReading(addScaleOption(new Command('decompose')))
    .addOption(new Option('--surface').hideHelp())
    .description('a watertight mesh as few convex parts that hold it, none more concave than a length')
    .argument('<mesh>', 'mesh file (.stl .obj .ply .off .dae .gltf .glb)')
    .option('--concavity <metres>', 'largest concavity of a part, a length', parseNumber('--concavity', { above: 0 }))
    .addOption(
      new Option('--relative-concavity <share>', 'the same, of the diagonal of the mesh (default: 0.015)')
        .argParser(parseNumber('--relative-concavity', { above: 0 }))
        .conflicts('concavity'),
    )
    .option(
      '--simplify <metres>',
      'parts with fewer corners, which grow by at most this',
      parseNumber('--simplify', { above: 0 }),
    )
    .option('--max-parts <n>', 'end with this many', parseCount('--max-parts', { min: 1, max: MAX_PARTS }), 256)
    .option('--out <folder>', 'write the parts as .stl, and compound.json, the shape for a scene file')
    .addHelpText(
      'after',
      `
Concavity is that of Wei et al. 2022: how far the surfaces of a part and of its hull are from each other, and a term of their
volumes. What is printed is a bound: no point of a part's surface is farther from the mesh.
Exit status 2 when the mesh is open, 3 when the parts run out before the concavity is reached (what there is, is written).

Example:
  clearance decompose bracket.stl --concavity 0.001 --out bracket-parts`,
    )
    .action(async (file: string, args: DecomposeArguments, command: Command) => {
      refuseOptions(command, ['surface'], 'a decomposition is of the inside');
      if (args.out !== undefined) requireFolder('--out', args.out);
      const assumed: Assumption[] = [];
      const mesh = await readMesh(file, args, assumed);
      const grounds = toGroundFields(assumed);
      if (mesh.triangles.length === 0) throw new UsageError(`${file}: no triangles, expected a closed mesh`);
      if (!isWatertight(mesh))
        throw new UsageError(
          `${file}: the mesh is open, expected it watertight: close its holes ("clearance info" counts them)`,
        );
      const progress = startBlockingProgress('decomposing');
      let result: Decomposition;
      try {
        result = decomposeMesh(mesh, {
          concavity: args.concavity,
          relativeConcavity: args.relativeConcavity,
          maximumParts: args.maxParts,
          simplification: args.simplify,
          onProgress: (parts, concavity) => progress.update(`${parts} parts, concavity ${formatLength(concavity)}`),
        });
      } finally {
        progress.stop();
      }
      const { status, parts, concavity, volume, partsVolume, shape } = result;
      const files = args.out === undefined ? [] : await writeParts(args.out, basename(file, extname(file)), result);
      if (args.json) {
        await writeLine(toJson({ status, parts: parts.length, concavity, volume, partsVolume, files, ...grounds }));
      } else {
        const end = status === 'ok' ? '' : ', the parts ran out';
        await writeLine(
          `${shape.children.length} convex parts, concavity at most ${formatLength(concavity)}${end}${groundText(grounds)}`,
        );
        const excess = Number((100 * (partsVolume / volume - 1)).toPrecision(3));
        await writeLine(
          `volume ${formatNumber(volume)} m3, of the parts ${formatNumber(partsVolume)} m3 (${excess} % more)`,
        );
        for (const name of files) await writeLine(name);
      }
      process.exitCode = status === 'ok' ? ExitStatus.done : ExitStatus.limit;
    });
}

/** `NAME-001.stl` and on, and the compound; returns the paths. */
async function writeParts(folder: string, name: string, { parts }: Decomposition): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const digits = Math.max(3, String(parts.length).length);
  const files: string[] = [];
  for (const [i, part] of parts.entries()) {
    const path = join(folder, `${name}-${String(i + 1).padStart(digits, '0')}.stl`);
    await writeFile(path, writeStl(part));
    files.push(path);
  }
  const children = parts.map(({ vertices }) => ({ shape: { type: 'convex', points: toTriples(vertices) } }));
  const path = join(folder, 'compound.json');
  await writeFile(path, `${JSON.stringify({ type: 'compound', children })}\n`);
  return [...files, path];
}

function toTriples(values: Float64Array): number[][] {
  return Array.from({ length: values.length / 3 }, (_, i) => Array.from(values.subarray(3 * i, 3 * i + 3)));
}

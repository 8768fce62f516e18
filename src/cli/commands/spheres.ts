/** `clearance spheres`: spheres that provably contain a robot's links, and whether given ones do. */
import { mkdirSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { RobotDescription } from '../../scene/description.js';
import {
  countLinksWithShapes,
  type FittedSphereModel,
  fitRobotSpheres,
  type LinkSphereProof,
  toSphereLists,
  verifyRobotSpheres,
} from '../../scene/robot-spheres.js';
import { ExitStatus, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { groundText, modelMissing, toGroundFields } from '../grounds.js';
import { requireFolder, requireWritable, toJson, writeLine } from '../json-lines.js';
import { addMeshModes, addMeshReading, meshMode } from '../mesh-arguments.js';
import { startBlockingProgress } from '../messages.js';
import { formatLength, parseCount, parseNumber } from '../number-arguments.js';
import { addRobotFileOptions, loadRobotArgument, type RobotArguments } from '../robot-arguments.js';
import { createFolderMemory } from '../sphere-cache.js';
import { emptySemantic, readSphereFile, requireSphereFileName, writeSphereFile } from '../sphere-files.js';
import { formatNumber } from '../words.js';

interface SphereArguments extends RobotArguments {
  readonly perLink?: number;
  readonly total?: number;
  readonly excess?: number;
  readonly coarse?: boolean;
  readonly out?: string;
  readonly verify?: string;
  readonly tolerance?: number;
  readonly cache?: string;
  readonly json?: boolean;
}

const MOST = 2000;

export function spheresCommand(): Command {
  return addRobotFileOptions(addMeshReading(addMeshModes(new Command('spheres'))))
    .description("spheres that contain the collision shapes of each of a robot's links, with a proof")
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .addOption(new Option('--geometry <kind>', 'which shapes').choices(['collision', 'visual']).default('collision'))
    .addOption(
      new Option('--per-link <n>', 'at most this many spheres for each link')
        .argParser(parseCount('--per-link', { min: 1, max: MOST }))
        .conflicts(['total', 'excess']),
    )
    .addOption(
      new Option('--total <n>', 'at most this many in all, shared out (default: 6 for each link with geometry)')
        .argParser(parseCount('--total', { min: 1 }))
        .conflicts('excess'),
    )
    .addOption(
      new Option('--excess <metres>', 'as few as stick out of their link by at most this').argParser(
        parseNumber('--excess', { above: 0 }),
      ),
    )
    .option('--coarse', 'the coarse level: about a quarter of the spheres')
    .option('--out <file>', 'write them: .json (for --spheres), .yml, or .srdf (what --srdf says is kept)')
    .option('--cache <folder>', 'keep what was fitted, by content, and take it from there')
    .option('--verify <file>', 'prove given spheres instead (.json, .yml, .srdf): where and by how much they fail')
    .addOption(
      new Option('--tolerance <metres>', 'with --verify: the spheres are taken as this much larger').argParser(
        parseNumber('--tolerance', { min: 0 }),
      ),
    )
    .addHelpText(
      'after',
      `
Excess is how far a sphere sticks out of its link, an upper bound. Exit status 1 when something is not proven.

Examples:
  clearance spheres arm.urdf --total 60 --out arm-spheres.json
  clearance spheres arm.urdf --verify arm-spheres.json`,
    )
    .action(async (file: string, args: SphereArguments, command: Command) => {
      refuseOptions(command, ['solid'], 'means nothing here, watertight meshes of a robot are solid anyway');
      if (args.verify !== undefined)
        refuseOptions(command, ['perLink', 'total', 'excess', 'coarse', 'out', 'cache'], 'means nothing with --verify');
      else refuseOptions(command, ['tolerance'], 'means nothing without --verify');
      if (args.out !== undefined) {
        requireSphereFileName('--out', args.out);
        requireWritable('--out', args.out);
      }
      if (args.cache !== undefined) requireFolder('--cache', args.cache);
      const { description, meshes, semantic, issues } = await loadRobotArgument(file, args, { meshes: true });
      const assumed = modelMissing(file, issues, args);
      const robot = {
        description,
        meshes,
        meshMode: meshMode(args),
        geometry: args.geometry as 'collision' | 'visual',
      };
      if (args.verify !== undefined) {
        const given = readSphereFile('--verify', args.verify);
        requireKnownLinks(args.verify, given.keys(), description);
        const proofs = verifyRobotSpheres(robot, given, { tolerance: args.tolerance });
        await printProofs(proofs, toGroundFields(assumed), args.json);
        process.exitCode = proofs.every(({ proven }) => proven) ? ExitStatus.done : ExitStatus.negative;
        return;
      }
      if (args.total !== undefined) {
        const least = countLinksWithShapes(robot);
        if (args.total < least)
          throw new UsageError(`--total ${args.total}: ${least} links have geometry, expected ${least} or more`);
      }
      if (args.cache !== undefined) mkdirSync(args.cache, { recursive: true });
      const progress = startBlockingProgress('fitting');
      const start = performance.now();
      let model: FittedSphereModel;
      try {
        model = fitRobotSpheres(robot, {
          count: args.perLink,
          total: args.total,
          excess: args.excess,
          memory: args.cache === undefined ? undefined : createFolderMemory(args.cache),
          onProgress: (done, link) => progress.update(`${link} (${done + 1})`),
        });
      } finally {
        progress.stop();
      }
      const ms = performance.now() - start;
      const spheres = toSphereLists(model, args.coarse ? 0 : undefined);
      if (args.out !== undefined) writeSphereFile(args.out, spheres, semantic ?? emptySemantic(description.name));
      await printModel(model, spheres, ms, toGroundFields(assumed), args);
      process.exitCode = model.proven ? ExitStatus.done : ExitStatus.negative;
    });
}

function requireKnownLinks(file: string, links: Iterable<string>, { model }: RobotDescription): void {
  const known = new Set(model.links.map(({ name }) => name));
  for (const link of links)
    if (!known.has(link)) throw new UsageError(`--verify ${file}: the robot has no link "${link}"`);
}

type Grounds = ReturnType<typeof toGroundFields>;

async function printModel(
  model: FittedSphereModel,
  spheres: ReturnType<typeof toSphereLists>,
  ms: number,
  grounds: Grounds,
  { json, out }: SphereArguments,
): Promise<void> {
  if (json) {
    const links = model.reports.map(({ link, excess, volume, shapeVolume, proven }) => ({
      link,
      spheres: spheres.get(link)!.map(({ center, radius }) => [...center, radius]),
      excess,
      volumeRatio: shapeVolume === null ? null : volume / shapeVolume,
      proven,
    }));
    await writeLine(toJson({ links, ms, ...grounds }));
    return;
  }
  let count = 0;
  for (const { link, excess, volume, shapeVolume, proven } of model.reports) {
    const own = spheres.get(link)!.length;
    count += own;
    const ratio = shapeVolume === null ? '' : `, volume x ${formatNumber(volume / shapeVolume, 3)}`;
    await writeLine(
      `${String(own).padStart(4)}  ${link}: at most ${formatLength(excess)} outside${ratio}${proven ? '' : ', NOT PROVEN'}`,
    );
  }
  const verdict = model.proven ? 'proven to contain their links' : 'not all proven';
  await writeLine(`${count} spheres for ${model.reports.length} links, ${verdict}${groundText(grounds)}`);
  if (out !== undefined) await writeLine(out);
}

async function printProofs(proofs: readonly LinkSphereProof[], grounds: Grounds, json?: boolean): Promise<void> {
  if (json) {
    const links = proofs.map(({ link, proven, gap, uncovered }) => ({ link, proven, gap, uncovered }));
    await writeLine(toJson({ proven: proofs.every(({ proven }) => proven), links, ...grounds }));
    return;
  }
  for (const { link, proven, gap, uncovered } of proofs) {
    if (proven || !uncovered) await writeLine(`${link}: contained`);
    else if (gap === Number.POSITIVE_INFINITY) await writeLine(`${link}: no spheres`);
    else {
      const place = `[${uncovered.point.map((x) => formatNumber(x, 4)).join(', ')}]`;
      const what = uncovered.interior ? 'a hole inside' : 'sticks out';
      await writeLine(`${link}: ${what} at ${place}, by up to ${formatLength(gap)}`);
    }
  }
  const failing = proofs.filter(({ proven }) => !proven).length;
  await writeLine(
    `${failing === 0 ? 'every link is contained' : `${failing} of ${proofs.length} links are not contained`}${groundText(grounds)}`,
  );
}

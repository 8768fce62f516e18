/** `clearance sequence`: the order in which an assembly comes apart, every step certified. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { formatIssue } from '../../io/issue.js';
import { parseAssembly } from '../../io/rigid/assembly-file.js';
import { type AssemblyPart, type AssemblySequence, planSequence } from '../../rigid/sequence.js';
import type { Assumption } from '../../scene/description.js';
import { ExitStatus, UsageError } from '../exit.js';
import { groundText, toGroundFields } from '../grounds.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { addMeshReading, addScaleOption, type MeshArguments, readMesh } from '../mesh-arguments.js';
import { startBlockingProgress } from '../messages.js';
import { parseCount, parseNumber } from '../number-arguments.js';
import { countOf, formatNumber } from '../words.js';

interface SequenceArguments extends MeshArguments {
  readonly timeout?: number;
  readonly queries?: number;
  readonly partQueries?: number;
  readonly base?: string;
  readonly allowOutside?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

const EXITS: Readonly<Record<AssemblySequence['status'], ExitStatus>> = {
  solved: ExitStatus.done,
  stuck: ExitStatus.negative,
  limit: ExitStatus.limit,
};

export function sequenceCommand(): Command {
  const command = new Command('sequence')
    .description(
      'in which order, and how, an assembly comes apart: every step proven free; the reverse puts it together',
    )
    .argument('<assembly>', 'parts with name, file and pose (.json)')
    .option('--timeout <s>', 'stop after so many seconds', parseNumber('--timeout', { above: 0 }))
    .option(
      '--queries <n>',
      'the deterministic limit: queries of collision and distance (default 50 million)',
      parseCount('--queries', { min: 1 }),
    )
    .option(
      '--part-queries <n>',
      'of these, for a part that no straight way lets out (default 100,000; 0: straight ways only)',
      parseCount('--part-queries'),
    )
    .option('--base <name>', 'the part that stays (default: the one with the largest box)')
    .option('--allow-outside', "mesh files may lie outside of the assembly's folder")
    .option('--out <file>', 'write the answer as JSON too');
  return addMeshReading(addScaleOption(command))
    .addHelpText(
      'after',
      `
"stuck" says who holds whom in every direction tried; it is no proof. "precedence" holds pairs [a, b]: a has to be out before b takes its
way. A step of several parts comes out as one, and is taken apart where it is.

Exit status 1 when parts are stuck, 3 when stopped by a limit.

Examples:
  clearance sequence gearbox.json
  clearance sequence gearbox.json --json --out sequence.json`,
    )
    .action(run);
}

async function run(file: string, args: SequenceArguments): Promise<void> {
  requireReadable(file);
  if (args.out !== undefined) {
    requireWritable('--out', args.out);
    requireOtherFile('--out', args.out, file);
  }
  const assumed: Assumption[] = [];
  const parts = await readParts(file, args, assumed);
  const grounds = toGroundFields(assumed);
  const progress = startBlockingProgress('sequence');
  const begin = performance.now();
  let steps = 0;
  const answer = planSequence(parts, {
    ...(args.queries === undefined ? {} : { maxQueries: args.queries }),
    ...(args.partQueries === undefined ? {} : { queriesPerPart: args.partQueries }),
    ...(args.base === undefined ? {} : { base: args.base }),
    onStep: () => {
      steps++;
    },
    shouldStop: () => {
      progress.update(countOf(steps, 'step'));
      return args.timeout !== undefined && performance.now() - begin > 1000 * args.timeout;
    },
  });
  progress.stop();
  const text = toJson({ ...answer, planMs: performance.now() - begin, ...grounds });
  if (args.out !== undefined) writeFileSync(args.out, `${text}\n`);
  await writeLine(args.json ? text : describe(answer, groundText(grounds)));
  process.exitCode = EXITS[answer.status];
}

async function readParts(file: string, args: SequenceArguments, assumed: Assumption[]): Promise<AssemblyPart[]> {
  const { value, issues } = parseAssembly(readFileSync(file, 'utf8'));
  if (value === null) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  const folder = dirname(resolve(file));
  const parts: AssemblyPart[] = [];
  for (const { name, file: mesh, pose } of value) {
    const path = resolve(folder, mesh);
    const inside = relative(folder, path);
    if (!args.allowOutside && (inside.startsWith('..') || isAbsolute(inside)))
      throw new UsageError(`${file}: part "${name}": ${mesh} lies outside of the assembly's folder (--allow-outside)`);
    requireReadable(path);
    parts.push({ name, mesh: await readMesh(path, args, assumed), pose });
  }
  return parts;
}

function describe({ status, reason, steps, precedence }: AssemblySequence, grounds: string): string {
  const lines = steps.map(
    ({ parts, method, path, clearance }, i) =>
      `${i + 1}. ${parts.join(' + ')}: ${method}, ${countOf(path.length, 'pose')}, at least ${formatNumber(clearance)} clear`,
  );
  const order = precedence.length > 0 ? [`before: ${precedence.map(([a, b]) => `${a} < ${b}`).join(', ')}`] : [];
  return [
    `${status === 'solved' ? `solved: ${countOf(steps.length, 'step')}` : `${status}: ${reason}`}${grounds}`,
    ...lines,
    ...order,
  ].join('\n');
}

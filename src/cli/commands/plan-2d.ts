/** `clearance plan-2d`: a translating body in the plane, a path or the proof that there is none. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { formatIssue } from '../../io/issue.js';
import { parsePlaneProblem } from '../../io/plane/plane-file.js';
import { type PlaneMethod, type PlanePlan, type PlaneStatus, planInPlane } from '../../plane/plan.js';
import type { PlaneProblem, Touching } from '../../plane/problem.js';
import { ExitStatus, UsageError } from '../exit.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { formatLength, parseNumber } from '../number-arguments.js';
import { drawPlane } from '../plots/plane-plot.js';
import { formatNumber } from '../words.js';

interface PlaneArguments {
  readonly method: PlaneMethod;
  readonly touching?: Touching;
  readonly width?: number;
  readonly svg?: string;
  readonly json?: boolean;
}

const statuses: Readonly<Record<PlaneStatus, ExitStatus>> = {
  solved: ExitStatus.done,
  impossible: ExitStatus.negative,
  'invalid-start': ExitStatus.negative,
  'invalid-goal': ExitStatus.negative,
  undecided: ExitStatus.limit,
};

export function plan2dCommand(): Command {
  return new Command('plan-2d')
    .description('a path of a body that moves without turning in the plane, or the proof that there is none')
    .argument('<problem>', 'body, obstacles, bounds, start and goal (.json), - for standard input')
    .addOption(
      new Option('--method <name>', 'what the path is to be')
        .choices(['shortest', 'clearance', 'trapezoids'])
        .default('shortest'),
    )
    .addOption(
      new Option('--touching <word>', 'whether touching an obstacle is free, in place of what the file says').choices([
        'free',
        'blocked',
      ]),
    )
    .option(
      '--width <d>',
      'how far the polygons of discs may be from them (default: 1e-7 of the largest disc)',
      parseNumber('--width', { above: 0 }),
    )
    .option('--svg <file>', 'draw obstacles, forbidden places, map, path or chain')
    .addHelpText(
      'after',
      `
"impossible" is a proof: "proof" is a closed chain of forbidden places that holds one of start and goal, checked by an
independent verifier. "verified" says that the path, as the numbers that are printed, was found free exactly.

Exit status 1 when there is no path, or start or goal is not free; 3 when discs leave it undecided within --width.

Examples:
  clearance plan-2d room.json
  clearance plan-2d room.json --method clearance --svg room.svg --json`,
    )
    .action(async (file: string, args: PlaneArguments) => {
      if (args.svg !== undefined) {
        requireWritable('--svg', args.svg);
        if (file !== '-') requireOtherFile('--svg', args.svg, file);
      }
      const problem = readProblem(file, args.touching);
      const start = performance.now();
      const plan = planInPlane(problem, { method: args.method, width: args.width });
      const ms = performance.now() - start;
      if (args.svg !== undefined) writeFileSync(args.svg, drawPlane(problem, plan));
      await writeLine(args.json ? toJson(toAnswer(plan, args.method, ms)) : describe(plan));
      process.exitCode = statuses[plan.status];
    });
}

function readProblem(file: string, touching: Touching | undefined): PlaneProblem {
  if (file !== '-') requireReadable(file);
  const { value, issues } = parsePlaneProblem(readFileSync(file === '-' ? 0 : file, 'utf8'));
  if (value === null) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  return touching === undefined ? value : { ...value, touching };
}

function toAnswer(plan: PlanePlan, method: PlaneMethod, ms: number): Record<string, unknown> {
  const { status, reason, path, length, verified, clearance, touching, width, separation, freeSpace } = plan;
  const answer: Record<string, unknown> = { status, reason, touching, width };
  if (status === 'solved') Object.assign(answer, { path, length, method, verified, clearance });
  if (separation !== null) answer.proof = separation;
  if (freeSpace !== null) answer.trapezoids = freeSpace.map.trapezoidCount;
  return { ...answer, ms };
}

function describe({ status, reason, path, length, verified, clearance, touching }: PlanePlan): string {
  if (status !== 'solved') return `${status}: ${reason} (touching is ${touching})`;
  const kept = clearance > 0 ? `, at least ${formatLength(clearance)} clear` : '';
  const doubt = verified ? '' : ', not found free in the numbers that are printed: the way is too narrow for them';
  const places = path.map(([x, y]) => `  ${formatNumber(x)} ${formatNumber(y)}`);
  return [
    `solved: ${path.length} places, ${formatLength(length)}${kept} (touching is ${touching})${doubt}`,
    ...places,
  ].join('\n');
}

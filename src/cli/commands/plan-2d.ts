/** `clearance plan-2d`: a body in the plane, turning or not, a path or the proof that there is none. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { formatIssue, type Parsed } from '../../io/issue.js';
import { parsePlaneProblem, parseTurningProblem } from '../../io/plane/plane-file.js';
import { isRecord } from '../../math/known-keys.js';
import { loadRigidProblem } from '../../node/load-rigid-problem.js';
import { type PlaneMethod, type PlanePlan, type PlaneStatus, planInPlane } from '../../plane/plan.js';
import type { Touching } from '../../plane/problem.js';
import type { TurningProblem } from '../../plane/turning/turning-problem.js';
import { projectRigidProblem } from '../../rigid/plane-problem.js';
import type { Assumption } from '../../scene/description.js';
import { ExitStatus, orUsageError, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { toGroundFields } from '../grounds.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { formatLength, parseCount, parseNumber } from '../number-arguments.js';
import { answerTurning, createTimeLimit } from '../plan-turning.js';
import { addInputs, type PlaneInputs } from '../plane-inputs.js';
import { drawPlane } from '../plots/plane-plot.js';
import { collect } from '../robot-arguments.js';
import { formatNumber } from '../words.js';

interface PlaneArguments extends PlaneInputs {
  readonly method: PlaneMethod;
  readonly touching?: Touching;
  readonly turn?: boolean;
  readonly resolution: number;
  readonly boxes: number;
  readonly timeout: number;
  readonly svg?: string;
  readonly json?: boolean;
}

/** Options of one kind of body that mean nothing for the other. */
const onlyTranslating = ['method', 'width'];
const onlyTurning = ['resolution', 'boxes'];
/** Of problems that are polygons already. */
const onlyPlane = ['obstacle', 'body', 'at', 'q'];

const PLANE_EXITS: Readonly<Record<PlaneStatus, ExitStatus>> = {
  solved: ExitStatus.done,
  impossible: ExitStatus.negative,
  'invalid-start': ExitStatus.negative,
  'invalid-goal': ExitStatus.negative,
  undecided: ExitStatus.limit,
};

export function plan2dCommand(): Command {
  return new Command('plan-2d')
    .description('a path of a body that moves in the plane, turning or not, or the proof that there is none')
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
    .option('--turn', 'the body may turn, as a file with "turning": true says')
    .option(
      '--resolution <radians>',
      'of a body that turns: slabs of angles are not made narrower',
      parseNumber('--resolution', { above: 0 }),
      0.001,
    )
    .option(
      '--boxes <n>',
      'of a body that turns: boxes of poses that are made at most',
      parseCount('--boxes', { min: 1 }),
      200_000,
    )
    .option('--timeout <s>', 'stop after so many seconds', parseNumber('--timeout', { above: 0 }), 120)
    .option('--obstacle <file>', 'obstacles besides: a drawing (.svg), a map (.geojson), a mesh (repeatable)', collect)
    .option(
      '--body <file>',
      "the body, in place of the file's: as --obstacle, or the footprint of a robot (.urdf, .xacro)",
    )
    .option(
      '--at <z>',
      'meshes are cut at this height, robots count there; seen from above unless said',
      parseNumber('--at'),
    )
    .option(
      '--q <values>',
      'joint values of the robot of --body: numbers, JSON, or the name of a state (default: neutral)',
    )
    .option('--svg <file>', 'draw obstacles, forbidden places, map, path or chain')
    .addHelpText(
      'after',
      `
"impossible" is a proof: "proof" is a closed chain of forbidden places that holds one of start and goal, checked by an
independent verifier; of a body that turns it is a tree of boxes of poses. "verified" says that the path, as the numbers that are printed, was found free exactly.

A problem of plan-rigid with group SE2 is read too: its meshes become footprints, and the body turns.

Exit status 1 when there is no path, or start or goal is not free; 3 when discs leave it undecided within --width, a body that
turns within --resolution and --boxes, or --timeout ran out.

Examples:
  clearance plan-2d room.json
  clearance plan-2d room.json --method clearance --svg room.svg --json
  clearance plan-2d corner.json --turn --svg corner.svg
  clearance plan-2d hall.json --obstacle hall.stl --at 0.4 --body cart.urdf`,
    )
    .action(async (file: string, args: PlaneArguments, command: Command) => {
      if (args.svg !== undefined) {
        requireWritable('--svg', args.svg);
        if (file !== '-') requireOtherFile('--svg', args.svg, file);
      }
      if (file !== '-') requireReadable(file);
      const text = readFileSync(file === '-' ? 0 : file, 'utf8');
      const kind = nameKind(text);
      if (args.body === undefined) refuseOptions(command, ['q'], 'means nothing without --body');
      if (args.body === undefined && args.obstacle === undefined)
        refuseOptions(command, ['at'], 'means nothing without --obstacle or --body');
      const assumed: Assumption[] = [];
      if (kind !== 'translating' || args.turn === true) {
        refuseOptions(command, onlyTranslating, 'means nothing of a body that turns');
        if (kind === 'rigid') {
          refuseOptions(command, ['touching'], 'means nothing of meshes, which may not touch');
          refuseOptions(command, onlyPlane, 'means nothing of a problem of meshes');
        }
        const problem =
          kind === 'rigid' ? await readMeshes(file) : await addInputs(readTurning(file, text), args, assumed);
        process.exitCode = await answerTurning(withTouching(problem, args.touching), args, assumed);
        return;
      }
      refuseOptions(command, onlyTurning, 'means nothing without --turn');
      const read = withTouching(takeParsed(file, parsePlaneProblem(text)), args.touching);
      const problem = await addInputs(read, args, assumed);
      const start = performance.now();
      const shouldStop = createTimeLimit(args.timeout);
      const plan = planInPlane(problem, { method: args.method, width: args.width, shouldStop });
      const ms = performance.now() - start;
      if (args.svg !== undefined) writeFileSync(args.svg, drawPlane(problem, plan));
      await writeLine(args.json ? toJson({ ...toAnswer(plan, ms), ...toGroundFields(assumed) }) : describe(plan));
      process.exitCode = PLANE_EXITS[plan.status];
    });
}

type Kind = 'translating' | 'turning' | 'rigid';

/** What a file is about, as far as it says so; what is wrong with it is for those to say that read it. */
function nameKind(text: string): Kind {
  try {
    const data: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (!isRecord(data)) return 'translating';
    if ('environment' in data || 'group' in data) return 'rigid';
    return data.turning === true ? 'turning' : 'translating';
  } catch {
    return 'translating';
  }
}

function takeParsed<T>(file: string, { value, issues }: Parsed<T>): T {
  if (value === null) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  return value;
}

const withTouching = <T extends object>(problem: T, touching: Touching | undefined): T =>
  touching === undefined ? problem : { ...problem, touching };

const readTurning = (file: string, text: string): TurningProblem => takeParsed(file, parseTurningProblem(text));

async function readMeshes(file: string): Promise<TurningProblem> {
  if (file === '-') throw new UsageError('-: a problem with meshes is read from its file, beside which they lie');
  const { value, issues } = await loadRigidProblem(file);
  const faults = issues.filter((issue) => issue.severity === 'error' || issue.assumes !== undefined);
  if (value === null || faults.length > 0)
    throw new UsageError(faults.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  return orUsageError(file, () => projectRigidProblem(value));
}

function toAnswer(plan: PlanePlan, ms: number): Record<string, unknown> {
  const { status, reason, method, path, length, verified, clearance, touching, width, separation, freeSpace } = plan;
  const answer: Record<string, unknown> = { status, reason, touching, width };
  if (status === 'solved') Object.assign(answer, { path, length, method, verified, clearance });
  if (status === 'solved' && method === 'clearance') answer.clearanceLimit = plan.clearanceLimit;
  if (separation !== null) answer.proof = separation;
  if (freeSpace !== null) answer.trapezoids = freeSpace.map.trapezoidCount;
  return { ...answer, ms };
}

function describe({ status, reason, method, path, length, verified, clearance, touching }: PlanePlan): string {
  if (status !== 'solved') return `${status}: ${reason} (touching is ${touching})`;
  const kept = clearance > 0 ? `, at least ${formatLength(clearance)} clear` : '';
  const doubt = verified ? '' : ', not found free in the numbers that are printed: the way is too narrow for them';
  const places = path.map(([x, y]) => `  ${formatNumber(x)} ${formatNumber(y)}`);
  return [
    `solved: ${path.length} places, ${formatLength(length)}${kept} (touching is ${touching})${doubt}`,
    ...(reason === '' ? [] : [`method ${method}: ${reason}`]),
    ...places,
  ].join('\n');
}

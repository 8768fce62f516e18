/** `clearance plan-rigid`: a rigid body from start to goal among obstacles, certified; or a given path judged. */

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Parsed } from '../../io/issue.js';
import { parseRigidCertificate, parseRigidPath } from '../../io/rigid/rigid-file.js';
import { loadRigidProblem } from '../../node/load-rigid-problem.js';
import type { RigidPathProof } from '../../rigid/certify-path.js';
import { certifyRigidPath, verifyRigidPath } from '../../rigid/plan-rigid.js';
import type { RigidPose } from '../../rigid/pose.js';
import type { RigidProblem } from '../../rigid/problem.js';
import { createRigidSearch, type RigidPlan } from '../../rigid/rigid-search.js';
import type { Assumption } from '../../scene/description.js';
import { ExitStatus, UsageError } from '../exit.js';
import { type GroundFields, groundText, toGroundFields } from '../grounds.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { takeWhole } from '../mesh-arguments.js';
import { startBlockingProgress, startProgress } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import { planRigidOnWorkers } from '../plan-rigid-searches.js';
import {
  addRigidLimits,
  addSweptOptions,
  type RigidLimits,
  type SweptArguments,
  searchLimits,
} from '../rigid-arguments.js';
import {
  describePose,
  describeSwept,
  listClearances,
  measurePath,
  RIGID_EXITS,
  sweptLine,
  toStates,
  writeCertificate,
  writeSwept,
} from '../rigid-output.js';
import { countOf, formatNumber } from '../words.js';

interface RigidArguments extends RigidLimits, SweptArguments {
  readonly shorten: boolean;
  readonly searches: number;
  readonly certificate?: string;
  readonly verify?: string;
  readonly json?: boolean;
}

export function planRigidCommand(): Command {
  const command = new Command('plan-rigid')
    .description('a rigid body from start to goal among obstacles, proven free at every time of its path')
    .argument('<problem>', 'meshes, group (SE3 or SE2), start, goal and bounds (.json)');
  addRigidLimits(command)
    .option('--no-shorten', 'leave the path as it was found')
    .option(
      '--searches <n>',
      'so many, with seeds from --seed on, a worker each as far as there are processors; the path that took the fewest queries',
      parseCount('--searches', { min: 1, max: 256 }),
      1,
    )
    .option('--certificate <file>', 'write what proves the path free; with --verify: read and check it')
    .option('--verify <path>', 'judge this path (.json, as --json prints it) in place of planning');
  return addSweptOptions(command)
    .addHelpText(
      'after',
      `
Between two poses of a path the body's origin goes straight and the body turns at a constant rate. Meshes are surfaces: a body that lies
wholly within a closed obstacle is free. "clearance" is proven: nothing comes nearer at any time; "narrowest" is where it is tightest.

Exit status 1 when start or goal touches or is out of bounds, or a verified path collides; 3 when stopped by a limit.

Examples:
  clearance plan-rigid problem.json --timeout 60
  clearance plan-rigid problem.json --seed 3 --certificate proof.json --json > path.json
  clearance plan-rigid problem.json --verify path.json --certificate proof.json`,
    )
    .action(async (file: string, args: RigidArguments) => {
      if (args.verify === undefined && args.certificate !== undefined) {
        requireWritable('--certificate', args.certificate);
        requireOtherFile('--certificate', args.certificate, file);
      }
      if (args.swept !== undefined) {
        requireWritable('--swept', args.swept);
        requireOtherFile('--swept', args.swept, file);
        if (args.verify !== undefined) throw new UsageError('--swept: not with --verify, which judges a path');
      }
      if (args.searches > 1 && !args.shorten) throw new UsageError('--no-shorten: not with --searches');
      const assumed: Assumption[] = [];
      const problem = take(file, await loadRigidProblem(file), assumed);
      if (args.verify !== undefined) await verify(problem, args.verify, args, assumed);
      else await plan(problem, args, toGroundFields(assumed));
    });
}

const take = <T>(file: string, { value, issues }: Parsed<T>, assumed: Assumption[]): T =>
  takeWhole(file, { value, issues: issues.map((issue) => ({ file, ...issue })) }, assumed);

/** Queries between looks at the clock. */
const SLICE = 1024;

interface Planned {
  readonly answer: RigidPlan;
  /** Of several searches the one whose plan it is. */
  readonly seed?: number | null;
  readonly times: { readonly prepareMs: number; readonly planMs: number; readonly certifyMs: number };
}

async function plan(problem: RigidProblem, args: RigidArguments, grounds: GroundFields): Promise<void> {
  const { answer, seed, times } = args.searches > 1 ? await searchSideBySide(problem, args) : search(problem, args);
  if (answer.proof && args.certificate !== undefined) writeCertificate(args.certificate, answer.path, answer.proof);
  const swept = answer.proof ? writeSwept(args, problem.body, [problem.obstacles], answer.path) : null;
  const found = seed === undefined ? {} : { seed };
  const whose = typeof seed === 'number' ? `, of ${args.searches} searches that with seed ${seed}` : '';
  await writeLine(
    args.json
      ? toJson({
          ...{ ...toAnswer(answer, problem), ...found },
          ...(swept && { swept: describeSwept(swept) }),
          ...{ ...times, ...grounds },
        })
      : [describe(answer, times.planMs, groundText(grounds), whose), ...(swept ? [sweptLine(swept)] : [])].join('\n'),
  );
  process.exitCode = RIGID_EXITS[answer.status];
}

function search(problem: RigidProblem, args: RigidArguments): Planned {
  const begin = performance.now();
  const run = createRigidSearch(problem, { ...searchLimits(args), ...(args.shorten ? {} : { shorten: 0 }) });
  const progress = startBlockingProgress('planning');
  const prepared = performance.now();
  let found = Infinity;
  while (!run.step(SLICE)) {
    const now = performance.now();
    if (run.isFound) {
      found = Math.min(found, now);
      continue;
    }
    const { queries, startPoses, goalPoses } = run.progress;
    progress.update(`${queries} queries, trees of ${startPoses} and ${goalPoses} poses`);
    if (now - prepared > 1000 * args.timeout) break;
  }
  progress.stop();
  const end = performance.now();
  const answer = run.result();
  run.dispose();
  const planned = Math.min(found, end);
  const times = { prepareMs: prepared - begin, planMs: planned - prepared, certifyMs: end - planned };
  return { answer, times };
}

async function searchSideBySide(problem: RigidProblem, args: RigidArguments): Promise<Planned> {
  const begin = performance.now();
  const progress = startProgress(`${args.searches} searches`);
  const { plan: answer, seed } = await planRigidOnWorkers(problem, args.searches, args, (share) =>
    progress.update(`${formatNumber(100 * share, 3)} % of the most that may be needed`),
  );
  progress.stop();
  // Searches shorten and certify where they run.
  return { answer, seed, times: { prepareMs: 0, planMs: performance.now() - begin, certifyMs: 0 } };
}

function toAnswer(plan: RigidPlan, problem: RigidProblem): Record<string, unknown> {
  const { status, reason, path, proof, fault, searchQueries, queries, method } = plan;
  const answer: Record<string, unknown> = { status, reason, path: toStates(path, problem.group) };
  answer.certified = proof?.status === 'free';
  if (proof)
    Object.assign(answer, { ...listClearances(proof), narrowest: proof.narrowest, ...measurePath(path), method });
  if (fault) {
    const { triangleObstacle, triangleBody, depth, freePose } = fault;
    answer.fault = { triangleObstacle, triangleBody, depth, freePose };
  }
  return { ...answer, searchQueries, queries };
}

function describe(
  { status, reason, path, proof, queries }: RigidPlan,
  ms: number,
  grounds: string,
  whose: string,
): string {
  if (status !== 'solved' || !proof) return `${status}: ${reason}`;
  const { length, turn } = measurePath(path);
  const narrow = proof.narrowest;
  const lines = [
    `solved: ${countOf(path.length, 'pose')}, ${formatNumber(length)} long, ${formatNumber(turn)} rad of turn, in ${formatNumber(ms / 1000)} s and ${queries} queries${whose}`,
    `certified: nothing comes nearer than ${formatNumber(proof.clearance)}${grounds}`,
  ];
  if (narrow)
    lines.push(
      `narrowest: ${formatNumber(narrow.distance)} between triangle ${narrow.triangleBody} of the body and ${narrow.triangleObstacle} of the obstacles, motion ${narrow.motion}, t = ${formatNumber(narrow.t)}`,
    );
  return [...lines, ...path.map(describePose)].join('\n');
}

async function verify(problem: RigidProblem, file: string, args: RigidArguments, assumed: Assumption[]): Promise<void> {
  requireReadable(file);
  const path = take(file, parseRigidPath(readFileSync(file, 'utf8')), assumed);
  const grounds = toGroundFields(assumed);
  const ends = `${describeEnds(problem, path)}${groundText(grounds)}`;
  if (args.certificate !== undefined) {
    requireReadable(args.certificate);
    const certificate = take(args.certificate, parseRigidCertificate(readFileSync(args.certificate, 'utf8')), assumed);
    const { valid, reason, checked } = verifyRigidPath(problem, path, certificate);
    const status = valid ? 'free' : 'undecided';
    const text = valid ? `free: ${countOf(checked, 'distance')} checked${ends}` : `undecided: ${reason}`;
    await writeLine(args.json ? toJson({ status, reason, checked, ends, ...grounds }) : text);
    process.exitCode = valid ? ExitStatus.done : ExitStatus.limit;
    return;
  }
  const proof = certifyRigidPath(problem, path);
  await writeLine(args.json ? toJson({ ...withoutBalls(proof), ends, ...grounds }) : describeProof(proof, ends));
  process.exitCode = { free: ExitStatus.done, collides: ExitStatus.negative, undecided: ExitStatus.limit }[
    proof.status
  ];
}

const withoutBalls = ({ status, clearance, narrowest }: RigidPathProof): Record<string, unknown> => ({
  ...{ status, clearance, narrowest },
  segment: status === 'free' ? null : narrowest?.motion,
  t: narrowest?.t ?? null,
});

function describeProof({ status, clearance, narrowest }: RigidPathProof, ends: string): string {
  if (status === 'free') return `free: nothing comes nearer than ${formatNumber(clearance)}${ends}`;
  return `${status}: motion ${narrowest?.motion}, t = ${narrowest?.t}, triangle ${narrowest?.triangleBody} of the body, ${narrowest?.triangleObstacle} of the obstacles${ends}`;
}

/** Whether the path is one of this problem: said, not judged. */
function describeEnds({ start, goal }: RigidProblem, path: readonly RigidPose[]): string {
  const differs = (a: RigidPose, b: RigidPose): boolean => {
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += a[k] * b[k];
    return (
      Math.abs(Math.abs(dot) - 1) > 1e-12 || [0, 1, 2].some((k) => Math.abs(a[k] - b[k]) > 1e-9 * (1 + Math.abs(b[k])))
    );
  };
  const words = [
    ...(differs(path[0], start) ? ['does not begin at the start'] : []),
    ...(differs(path[path.length - 1], goal) ? ['does not end at the goal'] : []),
  ];
  return words.length === 0 ? '' : `; the path ${words.join(' and ')}`;
}

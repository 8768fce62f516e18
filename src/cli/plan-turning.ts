/** `clearance plan-2d` of a body that turns: what is printed and drawn. */
import { writeFileSync } from 'node:fs';
import { planTurning, type TurningPlan } from '../plane/turning/plan-turning.js';
import type { TurningProblem } from '../plane/turning/turning-problem.js';
import type { Assumption } from '../scene/description.js';
import { ExitStatus } from './exit.js';
import { toGroundFields } from './grounds.js';
import { toJson, writeLine } from './json-lines.js';
import { formatLength } from './number-arguments.js';
import { drawTurning } from './plots/turning-plot.js';
import { countOf, formatNumber } from './words.js';

interface TurningArguments {
  readonly resolution: number;
  readonly boxes: number;
  readonly timeout: number;
  readonly svg?: string;
  readonly json?: boolean;
}

/** True once so many seconds have passed from now. */
export function createTimeLimit(seconds: number): () => boolean {
  const end = performance.now() + 1000 * seconds;
  return () => performance.now() >= end;
}

/** Plans, prints, draws; the exit status. */
export async function answerTurning(
  problem: TurningProblem,
  args: TurningArguments,
  assumed: readonly Assumption[],
): Promise<ExitStatus> {
  const start = performance.now();
  const { resolution, boxes } = args;
  const plan = planTurning(problem, { resolution, boxes, shouldStop: createTimeLimit(args.timeout) });
  const ms = performance.now() - start;
  if (args.svg !== undefined) writeFileSync(args.svg, drawTurning(problem, plan));
  await writeLine(args.json ? toJson({ ...toAnswer(plan, ms), ...toGroundFields(assumed) }) : describe(plan));
  if (plan.status === 'solved') return ExitStatus.done;
  return plan.status === 'undecided' ? ExitStatus.limit : ExitStatus.negative;
}

function toAnswer(plan: TurningPlan, ms: number): Record<string, unknown> {
  const { status, reason, touching, width, path, length, turn, method, verified, proof, resolution, maps, boxes } =
    plan;
  const answer: Record<string, unknown> = { status, reason, touching, width, resolution, maps, boxes };
  if (status === 'solved') Object.assign(answer, { path, length, turn, method, verified });
  if (proof !== null) answer.proof = proof;
  return { ...answer, ms };
}

function describe({ status, reason, path, length, turn, method, verified, touching }: TurningPlan): string {
  if (status !== 'solved') return `${status}: ${reason} (touching is ${touching})`;
  const doubt = verified ? '' : ', not found free in the numbers that are printed';
  return [
    `solved: ${countOf(path.length, 'pose')}, ${formatLength(length)}, ${formatNumber(turn)} rad of turn, by ${method} (touching is ${touching})${doubt}`,
    ...path.map((pose) => `  ${pose.map((x) => formatNumber(x)).join(' ')}`),
  ].join('\n');
}

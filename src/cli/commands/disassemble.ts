/** `clearance disassemble`: how one part comes out of others, and the volume that it sweeps. */
import { Command } from 'commander';
import { joinMeshes } from '../../geometry/join-meshes.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { ownerOf } from '../../rigid/meshes.js';
import type { RigidPose } from '../../rigid/pose.js';
import type { RigidPlan } from '../../rigid/rigid-search.js';
import type { SweptVolume } from '../../rigid/swept-volume.js';
import { takeOut } from '../../rigid/take-out.js';
import type { Assumption } from '../../scene/description.js';
import { UsageError } from '../exit.js';
import { groundText, toGroundFields } from '../grounds.js';
import { requireOtherFile, requireReadable, requireWritable, toJson, writeLine } from '../json-lines.js';
import { addMeshReading, addScaleOption, type MeshArguments, readMesh } from '../mesh-arguments.js';
import { startBlockingProgress } from '../messages.js';
import { splitNumbers } from '../number-arguments.js';
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

interface DisassembleArguments extends MeshArguments, RigidLimits, SweptArguments {
  readonly part: string;
  readonly obstacles: string;
  readonly start?: string;
  readonly goal?: string;
  readonly certificate?: string;
  readonly json?: boolean;
}

export function disassembleCommand(): Command {
  const command = new Command('disassemble')
    .description('how a part comes out of others, proven free at every time of its path, and the volume that it sweeps')
    .requiredOption('--part <file>', 'mesh of the part')
    .requiredOption('--obstacles <files>', 'meshes of the others, by commas')
    .option('--start <pose>', 'x,y,z,qx,qy,qz,qw of the part (default: where its mesh puts it)')
    .option('--goal <pose>', 'where it is to go (default: out of the box of the others)');
  addRigidLimits(command).option('--certificate <file>', 'write what proves the path free');
  addSweptOptions(command);
  return addMeshReading(addScaleOption(command))
    .addHelpText(
      'after',
      `
A part that touches the others as it stands has no free way: parts need play. The planner proves no part to be stuck.

Exit status 1 when start or goal touches, 3 when stopped by a limit.

Examples:
  clearance disassemble --part shaft.stl --obstacles housing.stl,cover.stl
  clearance disassemble --part shaft.stl --obstacles housing.stl --swept swept.stl --json`,
    )
    .action(run);
}

async function run(args: DisassembleArguments): Promise<void> {
  const files = args.obstacles.split(',').filter((file) => file !== '');
  if (files.length === 0) throw new UsageError('--obstacles: expected the names of mesh files');
  for (const file of [args.part, ...files]) requireReadable(file);
  for (const option of ['certificate', 'swept'] as const) {
    const file = args[option];
    if (file === undefined) continue;
    requireWritable(`--${option}`, file);
    for (const input of [args.part, ...files]) requireOtherFile(`--${option}`, file, input);
  }
  const start = readPose('--start', args.start) ?? Float64Array.of(0, 0, 0, 0, 0, 0, 1);
  const goal = readPose('--goal', args.goal);
  const assumed: Assumption[] = [];
  const part = await readMesh(args.part, args, assumed);
  const meshes: TriangleMesh[] = [];
  for (const file of files) meshes.push(await readMesh(file, args, assumed));
  const progress = startBlockingProgress('searching');
  const begin = performance.now();
  const plan = takeOut({
    ...{ part, obstacles: joinMeshes(meshes), start, ...searchLimits(args) },
    ...(goal ? { goal } : {}),
    shouldStop: () => {
      const seconds = (performance.now() - begin) / 1000;
      progress.update(`${formatNumber(seconds, 3)} s`);
      return seconds > args.timeout;
    },
  });
  progress.stop();
  const planMs = performance.now() - begin;
  if (plan.proof && args.certificate !== undefined) writeCertificate(args.certificate, plan.path, plan.proof);
  const swept = plan.status === 'solved' ? writeSwept(args, part, meshes, plan.path) : null;
  const owner = (triangle: number): string | null => files[ownerOf(meshes, triangle)] ?? null;
  const grounds = toGroundFields(assumed);
  await writeLine(
    args.json
      ? toJson({ ...toAnswer(plan, owner, swept), planMs, ...grounds })
      : describe(plan, owner, swept, planMs, groundText(grounds)),
  );
  process.exitCode = RIGID_EXITS[plan.status];
}

function readPose(option: string, text: string | undefined): RigidPose | null {
  if (text === undefined) return null;
  const numbers = splitNumbers(text.replace(/^\s*\[|\]\s*$/g, ''));
  const square = numbers.slice(3).reduce((sum, x) => sum + x * x, 0);
  if (numbers.length !== 7 || !(Math.abs(square - 1) < 1e-3))
    throw new UsageError(`${option} "${text}": expected x,y,z,qx,qy,qz,qw with a quaternion of length 1`);
  const length = Math.sqrt(square);
  return Float64Array.from(numbers, (x, k) => (k < 3 ? x : x / length));
}

type Owner = (triangle: number) => string | null;

function toAnswer(plan: RigidPlan, owner: Owner, swept: SweptVolume | null): Record<string, unknown> {
  const { status, reason, path, proof, fault, queries, method } = plan;
  const answer: Record<string, unknown> = {
    status,
    reason,
    path: toStates(path, 'SE3'),
    certified: proof?.status === 'free',
  };
  if (proof) {
    const narrowest = proof.narrowest && { ...proof.narrowest, obstacle: owner(proof.narrowest.triangleObstacle) };
    Object.assign(answer, { ...listClearances(proof), narrowest, ...measurePath(path), method });
  }
  if (fault) answer.fault = { ...fault, obstacle: owner(fault.triangleObstacle) };
  if (swept) answer.swept = describeSwept(swept);
  return { ...answer, queries };
}

function describe(plan: RigidPlan, owner: Owner, swept: SweptVolume | null, ms: number, grounds: string): string {
  const { status, reason, path, proof, fault } = plan;
  if (status !== 'solved' || !proof) {
    const held = fault && fault.triangleObstacle >= 0 ? ` (${owner(fault.triangleObstacle)})` : '';
    return `${status}: ${reason}${held}`;
  }
  const lines = [
    `solved: ${countOf(path.length, 'pose')} in ${formatNumber(ms / 1000)} s; certified: nothing comes nearer than ${formatNumber(proof.clearance)}${grounds}`,
  ];
  if (proof.narrowest && proof.narrowest.triangleObstacle >= 0)
    lines.push(
      `narrowest: ${formatNumber(proof.narrowest.distance)} to triangle ${proof.narrowest.triangleObstacle}, of ${owner(proof.narrowest.triangleObstacle)}, motion ${proof.narrowest.motion}, t = ${formatNumber(proof.narrowest.t)}`,
    );
  if (swept) lines.push(sweptLine(swept));
  return [...lines, ...path.map(describePose)].join('\n');
}

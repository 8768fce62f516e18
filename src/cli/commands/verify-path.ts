/** `clearance verify-path`: whether a path is free at every time, found anew or by its certificate. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { formatIssue } from '../../io/issue.js';
import { type PathCertificateFile, parsePathCertificates } from '../../io/trajectory/path-certificate.js';
import { certifyPath } from '../../scene/motion/certify-path.js';
import { verifyPathCertificate } from '../../scene/motion/verify-path.js';
import { disposeScene } from '../../scene/scene.js';
import { requireMovable } from '../configuration-argument.js';
import { ExitStatus, UsageError } from '../exit.js';
import { type GroundFields, groundText } from '../grounds.js';
import { type BatchAnswer, type InputLine, requireReadable, runBatch } from '../json-lines.js';
import { addLimitsOption, createLimitCheck, type LimitArguments } from '../limit-check.js';
import { startProgress } from '../messages.js';
import { readStates, type StateEntry } from '../motion-file.js';
import { formatLength, parseCount, parseNumber } from '../number-arguments.js';
import { addSceneOptions, type RobotArguments } from '../robot-arguments.js';
import { answerGrounds, type LoadedScene, loadSceneArguments, sceneGrounds } from '../scene-arguments.js';
import { readState } from '../state-arguments.js';
import { countOf } from '../words.js';

interface VerifyArguments extends RobotArguments, LimitArguments {
  readonly path: string;
  readonly certificate?: string;
  readonly tolerance?: number;
  readonly configurations?: number;
  readonly json?: boolean;
}

/** A path of the file, or why its lines are none. */
type GivenPath = readonly StateEntry[];

export function verifyPathCommand(): Command {
  return addLimitsOption(addSceneOptions(new Command('verify-path')))
    .description('is a robot free at every time while it goes straight from waypoint to waypoint')
    .argument('<robot>', 'robot (.urdf, .xacro)')
    .requiredOption(
      '--path <file>',
      'path or paths (.json, .csv, JSON Lines, as `plan --out` writes them), - for standard input',
    )
    .option(
      '--certificate <file>',
      'what `plan --certificate` wrote: checked with distances alone, in place of a search',
    )
    .option(
      '--tolerance <d>',
      'gaps below d, beyond margins, stay undecided (default 1e-6 m)',
      parseNumber('--tolerance', { above: 0 }),
    )
    .option(
      '--configurations <n>',
      'the deterministic limit, per straight motion (default 100,000)',
      parseCount('--configurations', { min: 1 }),
    )
    .addHelpText(
      'after',
      `
"segment" i goes from waypoint i to i + 1, "t" in [0, 1] is where on it "a" and "b" touch, not necessarily first; of a free path
"clearance" is what no pair comes nearer than, beyond its margin.

Exit status 1 when a path collides, 3 when one is undecided.

Examples:
  clearance plan arm.urdf --srdf arm.srdf --scene table.json --start home --goal ready --out path.json --certificate proof.json
  clearance verify-path arm.urdf --srdf arm.srdf --scene table.json --path path.json
  clearance verify-path arm.urdf --srdf arm.srdf --scene table.json --path path.json --certificate proof.json`,
    )
    .action(async (file: string, args: VerifyArguments) => {
      if (args.certificate !== undefined)
        for (const option of ['tolerance', 'configurations'] as const)
          if (args[option] !== undefined)
            throw new UsageError(
              `--${option}: means nothing with --certificate, which is checked and not searched for`,
            );
      const certificates = args.certificate === undefined ? null : readCertificates(args.certificate);
      const loaded = await loadSceneArguments(file, args);
      requireMovable(loaded.group);
      const progress = startProgress('verifying');
      try {
        process.exitCode = await runBatch<GivenPath>(
          {
            source: args.path,
            read: readPaths,
            json: Boolean(args.json),
            onProgress: (n) => progress.update(countOf(n, 'path')),
          },
          createAnswer(loaded, args, certificates),
        );
      } finally {
        progress.stop();
        disposeScene(loaded.scene);
      }
    });
}

function readCertificates(file: string): PathCertificateFile {
  requireReadable(file);
  const { value, issues } = parsePathCertificates(readFileSync(file, 'utf8'));
  if (!value) throw new UsageError(issues.map((issue) => formatIssue({ file, ...issue })).join('\n'));
  return value;
}

/** The states of a file, path by path; what cannot be read spoils the path that it belongs to. */
async function* readPaths(source: string): AsyncGenerator<InputLine<GivenPath>> {
  let index = 0;
  let line = 0;
  let path: StateEntry[] = [];
  let error: string | undefined;
  const flush = (): InputLine<GivenPath> =>
    error === undefined ? { index: index++, line, value: path } : { index: index++, line, error };
  for await (const entry of readStates(source)) {
    if (entry.value?.first && (path.length > 0 || error !== undefined)) {
      yield flush();
      path = [];
      error = undefined;
    }
    if (path.length === 0 && error === undefined) line = entry.line;
    if (entry.error !== undefined) error ??= entry.error;
    else if (entry.value!.t !== undefined)
      error ??=
        'got a trajectory, whose way between samples is not straight; `clearance trajectory --path` checks those';
    else path.push(entry.value!);
  }
  if (path.length > 0 || error !== undefined) yield flush();
}

function createAnswer(loaded: LoadedScene, args: VerifyArguments, certificates: PathCertificateFile | null) {
  const { scene, robot, model } = loaded;
  const fixed = sceneGrounds(scene);
  const limits = createLimitCheck(model, args);
  let place = 0;
  return (entries: GivenPath): BatchAnswer => {
    const at = place++;
    const path = entries.map((entry) => {
      const q = readState(loaded, entry);
      limits.look(q);
      return q;
    });
    if (certificates === null) {
      const { tolerance, configurations: maxConfigurations } = args;
      const found = certifyPath(scene, robot, path, { tolerance, maxConfigurations });
      const { status, reason, segment, t, a, b, configurations, distances } = found;
      return limits.complete(
        toAnswer(
          { status, reason, segment, t, a, b, configurations, distances },
          found.clearance,
          path,
          answerGrounds(scene, fixed, found),
        ),
      );
    }
    const certificate = certificates[at] ?? null;
    if (certificate === null) throw new UsageError(`--certificate ${args.certificate}: has none for path ${at}`);
    const proof = verifyPathCertificate(scene, robot, path, certificate);
    const { isProven, reason, segment, t, a, b, distances } = proof;
    const status = isProven ? 'free' : 'undecided';
    return limits.complete(
      toAnswer(
        { status, reason, segment, t, a, b, distances },
        proof.clearance,
        path,
        answerGrounds(scene, fixed, proof),
      ),
    );
  };
}

interface Verdict {
  readonly status: 'free' | 'collides' | 'undecided';
  readonly reason: string;
  readonly segment: number | null;
  readonly t: number | null;
  readonly a: string | null;
  readonly b: string | null;
  readonly configurations?: number;
  readonly distances: number;
}

const EXITS: Readonly<Record<Verdict['status'], ExitStatus>> = {
  free: ExitStatus.done,
  collides: ExitStatus.negative,
  undecided: ExitStatus.limit,
};

function toAnswer(
  verdict: Verdict,
  clearance: number,
  path: readonly Float64Array[],
  grounds: GroundFields,
): BatchAnswer {
  const { status, reason } = verdict;
  const gap = clearance === Infinity ? null : clearance;
  const kept = gap === null ? 'nothing to touch' : `nothing nearer than ${formatLength(gap)}`;
  return {
    result: { ...verdict, clearance: gap, waypoints: path.length, ...grounds },
    text: `${status}: ${status === 'free' ? `${countOf(path.length, 'waypoint')}, ${kept}` : reason}${groundText(grounds)}`,
    status: EXITS[status],
  };
}

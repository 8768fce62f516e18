/**
 * What the best path costs after how much time, on the Panda problems of MotionBenchMaker (../shared/oracles/planning), spheres and cylinders as VAMP takes
 * them: our anytime planner, and VAMP's where BENCH_VAMP_ANYTIME names a program that reads the problems from the file its first argument names
 * and answers "METHOD INDEX SECONDS SEED" with "n t1 c1 t2 c2 ...", seconds and costs of better paths (VAMP is not to be had as a package).
 * CPU times of each process; each side looks at its clock every few checks. BENCH_EVERY takes every so many of the problems, BENCH_SECONDS ends each.
 *
 * Rows: per time the mean cost over the problems that all sides have solved by then, against the best of theirs; and how many each has.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planPath } from '../../dist/esm/planning.js';
import { cpu, startProgress } from '../measure.mjs';
import { startNative } from '../native-program.mjs';
import { describeForVamp, folder, readRobot, toShape } from './planning.mjs';

const suite = 'planning-optimal';
const resolution = 1 / 32;
const range = 1;
const every = Number(process.env.BENCH_EVERY ?? 12);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const times = [0.01, 0.03, 0.1, 0.3, 1].filter((t) => t <= seconds);
const methods = (process.env.BENCH_METHODS ?? 'anytime,aorrtc').split(',');
/** Looks at the clock that are answered with the last one: reading CPU times costs as much as a check. */
const CLOCK_EVERY = 8;

const costAt = (steps, t) => steps.reduce((least, [at, cost]) => (at <= t ? Math.min(least, cost) : least), Infinity);
const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

function solve({ checks, checker, space }, { start, goals, obstacles }) {
  checks.setEnvironment(obstacles.map(toShape));
  const steps = [];
  const begin = cpu();
  let looks = 0;
  let last = 0;
  const clock = () => {
    if (looks++ % CLOCK_EVERY === 0) last = (cpu() - begin) / 1e3;
    return last;
  };
  planPath({
    ...{ space, checker, start, goals, resolution, range, planner: 'anytime-rrt-connect', seed: 1 },
    ...{ rounds: Infinity, maxIterations: 1e9, timeoutMs: 1000 * seconds, clock },
    onImprovement: ({ cost }) => steps.push([(cpu() - begin) / 1e6, cost]),
  });
  return steps;
}

async function ask(peer, line) {
  const [count, ...numbers] = (await peer.ask(line)).trim().split(' ').map(Number);
  return Array.from({ length: count }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
}

export async function* run() {
  if (!existsSync(join(folder, 'panda.json'))) {
    process.stderr.write(`bench: ${suite} is left out: no ${folder}\n`);
    return;
  }
  const robot = readRobot('panda');
  const { problems } = robot;
  const program = process.env.BENCH_VAMP_ANYTIME;
  const scratch = mkdtempSync(join(tmpdir(), 'planning-'));
  writeFileSync(join(scratch, 'problems.txt'), describeForVamp(robot));
  const peer = program ? startNative(program, [join(scratch, 'problems.txt'), String(range)]) : null;
  // The program says that it has read the problems.
  if (peer) await peer.ask('');
  for (let i = 0; i < 3; i++) solve(robot, problems[0]);
  const results = [];
  const progress = startProgress(suite);
  for (let i = 0; i < problems.length; i += every) {
    const ours = solve(robot, problems[i]);
    const theirs = {};
    for (const method of peer ? methods : []) theirs[method] = await ask(peer, `${method} ${i} ${seconds} 0`);
    results.push({ ours, theirs });
    progress.update(i / problems.length);
  }
  progress.stop();
  peer?.close();
  rmSync(scratch, { recursive: true });
  for (const t of times) {
    const sides = (result) => [result.ours, ...Object.values(result.theirs)];
    const solved = results.filter((result) => sides(result).every((steps) => costAt(steps, t) < Infinity));
    const ours = mean(solved.map((result) => costAt(result.ours, t)));
    const costs = Object.fromEntries(
      (peer ? methods : []).map((method) => [method, mean(solved.map(({ theirs }) => costAt(theirs[method], t)))]),
    );
    const [peerName, best] = Object.entries(costs).sort((a, b) => a[1] - b[1])[0] ?? [null, null];
    yield {
      ...{ suite, case: `panda, cost after ${t} s, mean`, ours, peer: best, peerName: peerName && `VAMP ${peerName}` },
      ...{ ratio: best === null ? null : ours / best, unit: 'rad', n: solved.length, spread: 0, of: results.length },
    };
  }
}

/**
 * Motion planning on the seven families of MotionBenchMaker problems (../shared/oracles/planning), robots covered with the given spheres,
 * cylinders as VAMP takes them: RRT-Connect in the kernel linked with compiled checks, against OMPL's RRT-Connect with checks in C++
 * (Debian libompl-dev), and against native VAMP where BENCH_VAMP names a folder with programs `panda` and `ur5` that read the
 * problems from the file PROGRAM's first argument and answer `plan INDEX REPEATS` with "plan us, simplify us, iterations, cost,
 * simplified cost, states checked along the simplified path, 1 when solved, us for twenty times these states, plan us by its own clock"
 * (VAMP is not to be had as a package). Times are of whole calls; VAMP's own clock leaves out the buffers that a call of it clears. All sides answer each problem in turn; times are CPU
 * times, of the process, as the load of a machine disturbs others.
 *
 * Rows: per robot and over all problems the quantiles of planning with the sampler, range and dynamic domain of VAMP, of
 * planning and simplification with the finest check at a quarter of the resolution, and the length of what comes out; per family the
 * median, edges per second of planning time and valid states checked per second along the paths.
 * Plot: share of the problems solved, over time.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSphereChecks, proveImpossiblePairs } from '../../dist/esm/compile.js';
import { poseToTransform } from '../../dist/esm/math.js';
import { buildModel } from '../../dist/esm/model.js';
import { createCompiledChecker, createRealVectorSpace, planPath, simplifyPath } from '../../dist/esm/planning.js';
import { cpu, startProgress } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';
import { lineChart } from '../plot.mjs';

const suite = 'planning';
export const folder = fileURLToPath(new URL('../../../shared/oracles/planning/', import.meta.url));
const ranges = { panda: 1, ur5: 1.5 };
const resolution = 1 / 32;
/** Of each call, one after another, on all sides: the first ones find cold caches, as all sides are asked in turn. */
const repeats = 10;
const omplSeconds = 2;
/** Times that the states of a path are checked. */
const RATE_REPEATS = 20;
const VAMP_RATE_REPEATS = 20;
/** OMPL is a hundred times slower: every so many of the problems. */
const omplEvery = 5;

const readJson = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))];
const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Bodies by joint; the links with spheres hang on them without a placement. */
function toModel(robot) {
  const body = (joint) => (joint < 0 ? 'base' : `body${joint}`);
  const unit = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  const joints = [
    ...robot.joints.map(({ name, type, parent, T, axis, lower, upper }, j) => ({
      ...{ name, type, parent: body(parent), child: body(j), axis, limits: { lower, upper } },
      origin: Float64Array.of(...T.slice(0, 3).flatMap((row) => row.slice(0, 3)), T[0][3], T[1][3], T[2][3]),
    })),
    ...robot.links.map(({ name, joint }) => ({
      ...{ name: `${name}_fixed`, type: 'fixed', parent: body(joint), child: name, origin: unit, axis: [0, 0, 1] },
    })),
  ];
  const names = [...new Set(['base', ...joints.map(({ child }) => child)])];
  return buildModel({ name: robot.name, links: names.map((name) => ({ name })), joints }).model;
}

/** As VAMP takes them: cylinders are capsules, in family `box` boxes. */
function asTaken(obstacle, family) {
  const { type, radius, length } = obstacle;
  if (type !== 'cylinder') return obstacle;
  return family === 'box'
    ? { ...obstacle, type: 'box', half_extents: [radius, radius, length / 2] }
    : { ...obstacle, type: 'capsule' };
}

export function toShape({ type, position, quaternion_xyzw, half_extents: h, radius, length }) {
  const placement = poseToTransform(new Float64Array(12), [...position, ...quaternion_xyzw]);
  if (type === 'box') return { shape: { type, size: h.map((x) => 2 * x) }, placement };
  return { shape: type === 'sphere' ? { type, radius } : { type, radius, length }, placement };
}

export function readRobot(name) {
  const robot = readJson(`${name}_robot.json`);
  const model = toModel(robot);
  const spheres = {
    links: robot.links.map((link) => ({
      ...{ link: link.name, bound: Float64Array.from(link.bound), levels: [Float64Array.from(link.spheres.flat())] },
    })),
    proven: false,
    assumed: [],
  };
  const pairs = robot.pairs.map(([a, b]) => [robot.links[a].name, robot.links[b].name]);
  const indices = robot.joints.map((_, i) => i);
  const never = proveImpossiblePairs(model, spheres, { pairs, indices, rest: new Float64Array(indices.length) });
  const checks = compileSphereChecks(model, spheres, { pairs, never });
  const space = createRealVectorSpace({
    lower: robot.joints.map(({ lower }) => lower),
    upper: robot.joints.map(({ upper }) => upper),
  });
  const problems = Object.entries(readJson(`${name}.json`).problems).flatMap(([family, list]) =>
    list.map(({ index, start, goals, obstacles }) => ({
      ...{ family, index, start: Float64Array.from(start), goals: goals.map((goal) => Float64Array.from(goal)) },
      obstacles: obstacles.map((obstacle) => asTaken(obstacle, family)),
    })),
  );
  return { name, robot, checks, space, problems, checker: createCompiledChecker(checks) };
}

/** Robot and problems as OMPL's program reads them. */
function describeForOmpl({ robot, problems }) {
  const row = (T) => [...T.slice(0, 3).flatMap((r) => r.slice(0, 3)), T[0][3], T[1][3], T[2][3]].join(' ');
  const obstacle = (o) => {
    const { placement } = toShape(o);
    const sizes = { box: o.half_extents, capsule: [o.length, o.radius], sphere: [o.radius] }[o.type];
    return `${{ box: 'B', capsule: 'C', sphere: 'S' }[o.type]} ${[...placement].join(' ')} ${sizes.join(' ')}`;
  };
  return [
    robot.joints.length,
    ...robot.joints.map((j) =>
      [j.type === 'prismatic' ? 'P' : 'R', j.parent, row(j.T), j.axis.join(' '), j.lower, j.upper].join(' '),
    ),
    robot.links.length,
    ...robot.links.map((l) => [l.joint, l.bound.join(' '), l.spheres.length, l.spheres.flat().join(' ')].join(' ')),
    robot.pairs.length,
    ...robot.pairs.map((pair) => pair.join(' ')),
    problems.length,
    ...problems.flatMap(({ start, goals, obstacles }) => [
      ...[start.join(' '), goals[0].join(' '), obstacles.length, ...obstacles.map(obstacle)],
    ]),
  ].join('\n');
}

/** The problems as VAMP's program reads them: rotation by rows, capsules by their axis. */
export function describeForVamp({ problems }) {
  const obstacle = (o) => {
    const R = toShape(o).placement;
    if (o.type === 'box') return ['B', ...o.position, ...R.subarray(0, 9), ...o.half_extents].join(' ');
    if (o.type === 'sphere') return ['S', ...o.position, o.radius].join(' ');
    return ['C', ...o.position, R[2], R[5], R[8], o.length, o.radius].join(' ');
  };
  const lines = problems.flatMap(({ family, index, start, goals, obstacles }) => [
    [family, index, ...start, goals.length, ...goals.flatMap((goal) => [...goal]), obstacles.length].join(' '),
    ...obstacles.map(obstacle),
  ]);
  return [problems.length, ...lines].join('\n');
}

function solve({ checks, checker, space, name }, { start, goals, obstacles }) {
  checks.setEnvironment(obstacles.map(toShape));
  const request = {
    ...{ space, checker, start, goals, sampler: 'halton', seed: 0, range: ranges[name], resolution },
    ...{ dynamicDomain: { radius: 4, minRadius: 1, alpha: 1e-4 }, maxIterations: 1e6, verifyResolution: Infinity },
  };
  let found = planPath(request);
  const begin = cpu();
  for (let r = 0; r < repeats; r++) found = planPath(request);
  const plan = (cpu() - begin) / repeats;
  if (found.status !== 'solved') return { plan, found, simplify: 0, short: null };
  let short = null;
  const second = cpu();
  for (let r = 0; r < repeats; r++) short = simplifyPath({ space, checker, path: found.path, resolution });
  return { plan, found, short, simplify: (cpu() - second) / repeats };
}

/** Valid states per second along a path. */
function rateStates({ checks, space }, path) {
  const { motion, memory, arguments: room } = checks.exports;
  const view = new Float64Array(memory.buffer);
  const [a, b] = [room.value, room.value + 8 * space.dimension];
  let states = 0;
  const begin = cpu();
  for (let r = 0; r < RATE_REPEATS; r++) {
    for (let i = 1; i < path.length; i++) {
      view.set(path[i - 1], a / 8);
      view.set(path[i], b / 8);
      motion(a, b, resolution);
      states += 4 * Math.ceil(space.distance(path[i - 1], path[i]) / (4 * resolution));
    }
  }
  return { states, us: cpu() - begin };
}

async function* runRobot(name) {
  const robot = readRobot(name);
  const { problems } = robot;
  const omplProgram = buildNative('planning-ompl', ['ompl', 'eigen3'], ['-lode', '-L_link_dirs-NOTFOUND']);
  const ompl = omplProgram && startNative(omplProgram);
  ompl?.write(`${describeForOmpl(robot)}\n`);
  const vampProgram = process.env.BENCH_VAMP && join(process.env.BENCH_VAMP, name);
  const scratch = mkdtempSync(join(tmpdir(), 'planning-'));
  writeFileSync(join(scratch, 'problems.txt'), describeForVamp(robot));
  const vamp =
    vampProgram && existsSync(vampProgram)
      ? startNative(vampProgram, [join(scratch, 'problems.txt'), String(ranges[name])])
      : null;
  // All of them once: WebAssembly is compiled again by what turns out to be hot.
  for (const problem of problems) solve(robot, problem);
  const results = [];
  const progress = startProgress(`${suite}: ${name}`);
  for (const [i, problem] of problems.entries()) {
    const ours = solve(robot, problem);
    const rate = ours.short ? rateStates(robot, ours.short.path) : null;
    const numbers = async (peer, line) => (await peer.ask(line)).trim().split(' ').map(Number);
    const theirs = vamp ? await numbers(vamp, `plan ${i} ${repeats}`) : null;
    const isAsked = ompl && i % omplEvery === 0 && ours.short !== null;
    const slow = isAsked
      ? await numbers(ompl, `plan ${i} ${ranges[name]} ${resolution} ${omplSeconds} ${i + 1}`)
      : null;
    results.push({ family: problem.family, ours, rate, theirs, slow });
    progress.update(i / problems.length);
  }
  progress.stop();
  ompl?.close();
  vamp?.close();
  rmSync(scratch, { recursive: true });
  yield* summarize(name, results);
}

function* summarize(name, results) {
  const solved = results.filter(({ ours }) => ours.short !== null);
  const both = solved.filter(({ theirs }) => theirs?.[6] === 1);
  const asked = solved.filter(({ slow }) => slow?.[2] === 1);
  const row = (what, unit, ours, peer, peerName, n) => ({
    ...{
      suite,
      case: `${name}, ${what}`,
      ours,
      peer,
      peerName,
      ratio: peer === null ? null : ours / peer,
      unit,
      n,
      spread: 0,
    },
  });
  const statistics = { median: (v) => quantile(v, 0.5), mean, p95: (v) => quantile(v, 0.95) };
  const sides = [
    ['VAMP', both, ({ theirs }) => theirs[0], ({ theirs }) => theirs[1], ({ theirs }) => theirs[4]],
    ['OMPL', asked, ({ slow }) => slow[0], ({ slow }) => slow[1], ({ slow }) => slow[3]],
  ];
  for (const [peer, of, plan, simplify, length] of sides) {
    if (of.length === 0) continue;
    for (const [what, f] of Object.entries(statistics))
      yield row(`plan, ${what}`, 'us', f(of.map(({ ours }) => ours.plan)), f(of.map(plan)), peer, of.length);
    if (peer === 'VAMP') yield* compareInside(row, statistics, of);
    const whole = of.map(({ ours }) => ours.plan + ours.simplify);
    const theirWhole = of.map((result) => plan(result) + simplify(result));
    yield row('plan and simplify, median', 'us', quantile(whole, 0.5), quantile(theirWhole, 0.5), peer, of.length);
    yield row(
      'final length, mean',
      'rad',
      mean(of.map(({ ours }) => ours.short.length)),
      mean(of.map(length)),
      peer,
      of.length,
    );
  }
  const times = solved.map(({ ours }) => ours.plan);
  yield row('solved', '%', (100 * solved.length) / results.length, null, null, results.length);
  yield { ...row('plan, median, alone', 'us', quantile(times, 0.5), null, null, times.length), times: curves(results) };
  for (const family of new Set(results.map((result) => result.family))) {
    const own = solved.filter((result) => result.family === family);
    const us = own.map(({ ours }) => ours.plan);
    const edges = own.reduce((sum, { ours }) => sum + ours.found.checks, 0);
    const states = own.reduce((sum, { rate }) => sum + rate.states, 0);
    const statesUs = own.reduce((sum, { rate }) => sum + rate.us, 0);
    const theirs = own.filter((result) => result.theirs?.[6] === 1).map((result) => result.theirs[0]);
    const peer = theirs.length > 0 ? quantile(theirs, 0.5) : null;
    yield row(`${family}, plan, median`, 'us', quantile(us, 0.5), peer, peer === null ? null : 'VAMP', us.length);
    yield row(`${family}, edges per second`, 'k/s', (1e3 * edges) / us.reduce((a, b) => a + b, 0), null, null, edges);
    yield row(`${family}, valid states per second`, 'k/s', (1e3 * states) / statesUs, null, null, states);
  }
}

/** By VAMP's own clock; and what the states and motions of the simplified paths cost, which are all valid. */
function* compareInside(row, statistics, of) {
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const own = of.map(({ theirs }) => theirs[8]);
  if (own.every((us) => us > 0))
    for (const [what, f] of Object.entries(statistics)) {
      const ours = f(of.map((result) => result.ours.plan));
      yield row(`plan against its own clock, ${what}`, 'us', ours, f(own), 'VAMP', of.length);
    }
  if (!of.every(({ theirs }) => theirs[7] > 0)) return;
  const us = sum(of.map(({ rate }) => rate.us)) / RATE_REPEATS;
  const theirs = sum(of.map((result) => result.theirs[7])) / VAMP_RATE_REPEATS;
  const states = sum(of.map(({ rate }) => rate.states)) / RATE_REPEATS;
  const theirStates = sum(of.map((result) => result.theirs[5])) / VAMP_RATE_REPEATS;
  yield row('valid state', 'ns', (1e3 * us) / states, (1e3 * theirs) / theirStates, 'VAMP', states);
  const length = sum(of.map(({ ours }) => ours.short.length));
  const theirLength = sum(of.map((result) => result.theirs[4]));
  yield row('valid motions, per radian', 'us', us / length, theirs / theirLength, 'VAMP', of.length);
}

/** Sorted times of each side, microseconds, for the plot. */
function curves(results) {
  const series = { ours: results.filter(({ ours }) => ours.short).map(({ ours }) => ours.plan) };
  const theirs = results.filter((result) => result.theirs?.[6] === 1).map((result) => result.theirs[0]);
  if (theirs.length > 0) series['native VAMP'] = theirs;
  const slow = results.filter((result) => result.slow).map((result) => result.slow);
  if (slow.length > 0) series.OMPL = slow.filter(([, , isSolved]) => isSolved === 1).map(([us]) => us);
  return Object.entries(series).map(([name, times]) => ({
    name,
    times: sorted(times),
    of: name === 'OMPL' ? slow.length : results.length,
  }));
}

export async function* run() {
  for (const name of Object.keys(ranges)) {
    if (!existsSync(join(folder, `${name}.json`))) {
      process.stderr.write(`bench: ${name} is left out: no ${folder}\n`);
      continue;
    }
    yield* runRobot(name);
  }
}

/** Share of the problems solved over time. */
export function plot(rows) {
  return rows
    .filter(({ times }) => times)
    .map((row) => {
      const name = row.case.split(',')[0];
      const series = row.times.map(({ name: side, times, of }) => ({
        ...{ name: side, points: times.map((us, i) => [us, (100 * (i + 1)) / of]) },
      }));
      const chart = { title: `Problems solved over time, ${name}`, xLabel: 'CPU time, µs', yLabel: 'solved, %' };
      return { name: `planning-${name}.svg`, content: lineChart({ ...chart, yLog: false, series }) };
    });
}

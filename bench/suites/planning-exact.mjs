/**
 * Planning with exact shapes: Panda with its own meshes on the seven families of MotionBenchMaker problems (../shared), cylinders as cylinders,
 * fingers open, through `planGroup` as users call it: planned, shortened and certified with the exact shapes. Against OMPL's RRT-Connect
 * with FCL on the same meshes (Debian libompl-dev, libfcl-dev; that FCL has its assertions on), which samples states and proves nothing.
 * Both sides answer each problem in turn; CPU times of the process.
 *
 * BENCH_EXACT_EVERY=n takes every n-th problem (default 10), BENCH_EXACT_OMPL=n every n-th of those for OMPL (default 5). Spheres are fitted as
 * `--spheres auto` fits them; BENCH_SPHERES=quick leaves that out, =FILE takes those of `clearance spheres`.
 * Rows: problems whose ends are free, solved and certified; quantiles of plan + shorten + certify, and of the search and the rest apart; of
 * plans alone by samples as far apart as OMPL's, neither shortened nor certified, against its plans alone; what preparing costs; the median
 * per family.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildModel } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import * as scenes from '../../dist/esm/scene.js';
import { planGroup } from '../../dist/esm/tasks.js';
import { cpu, startProgress } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const suite = 'planning-exact';
const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const every = Number(process.env.BENCH_EXACT_EVERY ?? 10);
const omplEvery = Number(process.env.BENCH_EXACT_OMPL ?? 5);
const omplSeconds = 5;
const repeats = 3;
/** Spheres for each link, where they are fitted. */
const perLink = 8;
const fingers = 0.04;
/** Of samples, on both sides. */
const resolution = 1 / 32;

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))];
const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

async function readPanda() {
  const folder = `${shared}data/robots/panda/`;
  const description = `${folder}panda_description`;
  const { value } = await loadRobot(`${description}/urdf/panda.urdf`, {
    srdf: `${folder}panda_moveit_config/config/panda.srdf`,
    packages: { panda_description: description, moveit_resources_panda_description: description },
  });
  return { files: value, model: buildModel(value.description.model).model };
}

function addObstacles(scene, obstacles) {
  for (const { name, type, position, quaternion_xyzw, half_extents: h, length, radius } of obstacles) {
    const shape =
      type === 'box'
        ? { type, size: h.map((x) => 2 * x) }
        : type === 'sphere'
          ? { type, radius }
          : { type, radius, length };
    scenes.addObject(scene, { name: `obstacle ${name}`, shape, pose: [...position, ...quaternion_xyzw] });
  }
}

/** Meshes in their joints' frames, and the pairs that are compared; the arm stands at zero, the fingers where they are. */
function describeRobot(model, robot, scene) {
  scenes.updateScene(scene);
  const arm = [];
  for (let j = 1; j < model.jointCount; j++)
    if (model.nqs[j] === 1 && !model.jointNames[j].includes('finger')) arm.push(j);
  const X_WJ = (j) => robot.data.jointPlacements.subarray(12 * j, 12 * j + 12);
  const inverse = (X) => {
    const R = [0, 1, 2].flatMap((i) => [X[i], X[3 + i], X[6 + i]]);
    return [...R, ...[0, 1, 2].map((i) => -(R[3 * i] * X[9] + R[3 * i + 1] * X[10] + R[3 * i + 2] * X[11]))];
  };
  const multiply = (A, B) => [
    ...[0, 1, 2].flatMap((i) =>
      [0, 1, 2].map((j) => A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j]),
    ),
    ...[0, 1, 2].map((i) => A[3 * i] * B[9] + A[3 * i + 1] * B[10] + A[3 * i + 2] * B[11] + A[9 + i]),
  ];
  const jointLines = arm.map((j, k) => {
    const parent = k === 0 ? -1 : k - 1;
    const fixed = multiply(
      parent < 0 ? inverse([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]) : inverse(X_WJ(arm[parent])),
      X_WJ(j),
    );
    // At q = 0 of the arm: the placement in the parent's frame.
    return [parent, ...fixed, 0, 0, 1, model.lower[model.idxQ[j]], model.upper[model.idxQ[j]]].join(' ');
  });
  const bodies = robot.links.filter(({ body }) => body.parts.length > 0);
  const carrier = ({ frame }) => {
    let j = model.frameJoints[frame];
    while (j > 0 && !arm.includes(j)) j = model.parents[j];
    return arm.indexOf(j);
  };
  const bodyLines = bodies.map((link) => {
    const k = carrier(link);
    const vertices = [];
    const triangles = [];
    for (const { shape, worldPlacement } of link.body.parts) {
      const X = k < 0 ? worldPlacement : multiply(inverse(X_WJ(arm[k])), worldPlacement);
      const first = vertices.length / 3;
      const v = shape.mesh.vertices;
      for (let i = 0; i < v.length; i += 3)
        for (let r = 0; r < 3; r++)
          vertices.push(X[3 * r] * v[i] + X[3 * r + 1] * v[i + 1] + X[3 * r + 2] * v[i + 2] + X[9 + r]);
      for (const index of shape.mesh.triangles) triangles.push(first + index);
    }
    return [k, vertices.length / 3, triangles.length / 3, ...vertices, ...triangles].join(' ');
  });
  const pairs = [];
  bodies.forEach((a, i) => {
    bodies.slice(i + 1).forEach((b, n) => {
      if (!scenes.isAllowedPair(scene, a.body, b.body)) pairs.push(`${i} ${i + 1 + n}`);
    });
  });
  return [arm.length, ...jointLines, bodies.length, ...bodyLines, pairs.length, ...pairs].join('\n');
}

function describeProblems(problems) {
  const rows = ([x, y, z, w]) => [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    ...[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    ...[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const obstacle = ({ type, position, quaternion_xyzw, half_extents: h, length, radius }) => {
    const sizes = type === 'box' ? h.map((x) => 2 * x) : type === 'sphere' ? [radius] : [length, radius];
    return [{ box: 'B', sphere: 'S', cylinder: 'Y' }[type], ...rows(quaternion_xyzw), ...position, ...sizes].join(' ');
  };
  return [
    problems.length,
    ...problems.flatMap(({ start, goals, obstacles }) => [
      ...[start.join(' '), goals[0].join(' '), obstacles.length, ...obstacles.map(obstacle)],
    ]),
  ].join('\n');
}

export async function* run() {
  if (!existsSync(`${shared}oracles/planning/panda.json`) || !existsSync(`${shared}data/robots/panda`)) {
    process.stderr.write(`bench: ${suite} is left out: no ${shared}oracles/planning or data/robots/panda\n`);
    return;
  }
  const { files, model } = await readPanda();
  const given = JSON.parse(readFileSync(`${shared}oracles/planning/panda.json`, 'utf8')).problems;
  const listed = Object.entries(given).flatMap(([family, list]) => list.map((problem) => ({ family, ...problem })));
  const spheres = chooseSpheres(files, process.env.BENCH_SPHERES);
  const clock = () => performance.now();
  const asked = [];
  let invalid = 0;
  let text = null;
  for (const problem of listed.filter((_, i) => i % every === 0)) {
    const scene = scenes.createScene();
    const robot = scenes.addRobot(scene, { model, ...files });
    const rest = Float64Array.from(robot.q);
    for (let j = 1; j < model.jointCount; j++)
      if (model.jointNames[j].includes('finger')) rest[model.idxQ[j]] = fingers;
    scenes.setConfiguration(robot, rest);
    text ??= describeRobot(model, robot, scene);
    addObstacles(scene, problem.obstacles);
    const request = { group: 'panda_arm', start: [...problem.start], goal: [...problem.goals[0]], clock };
    const all = spheres ? { ...request, spheres } : request;
    const plan = () => planGroup(scene, robot, all);
    const planAlone = () => planGroup(scene, robot, { ...all, simplify: false, edges: 'sampled', resolution });
    const first = plan();
    if (first.status.startsWith('invalid')) invalid++;
    else asked.push({ problem, plan, planAlone, prepareMs: first.prepareMs });
  }
  // All of them again: WebAssembly and JavaScript are compiled again by what turns out to be hot.
  for (let k = 0; k < 2; k++)
    for (const { plan, planAlone } of asked) {
      plan();
      planAlone();
    }
  const program = buildNative('planning-fcl', ['fcl', 'ompl', 'eigen3'], ['-lode', '-L_link_dirs-NOTFOUND']);
  const peer = program && startNative(program);
  peer?.write(`${text}\n${describeProblems(asked.map(({ problem }) => problem))}\n`);
  const progress = startProgress(suite);
  const results = [];
  for (const [i, { problem, plan, planAlone, prepareMs }] of asked.entries()) {
    let found = null;
    const begin = cpu();
    for (let r = 0; r < repeats; r++) found = plan();
    const us = (cpu() - begin) / repeats;
    const second = cpu();
    for (let r = 0; r < repeats; r++) planAlone();
    const aloneUs = (cpu() - second) / repeats;
    const isAsked = peer && i % omplEvery === 0;
    const theirs = isAsked
      ? (await peer.ask(`plan ${i} 1 ${resolution} ${omplSeconds} ${i + 1}`)).trim().split(' ').map(Number)
      : null;
    results.push({ family: problem.family, us, aloneUs, found, theirs, prepareMs });
    progress.update(i / asked.length);
  }
  progress.stop();
  peer?.close();
  yield* summarize(results, invalid);
}

function chooseSpheres(files, wanted) {
  if (wanted === 'quick') return undefined;
  return wanted ? readSpheres(wanted) : scenes.fitRobotSpheres(files, { count: perLink, coarser: 0 });
}

function readSpheres(file) {
  const links = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  return {
    links: links.map(([link, list]) => ({
      ...{ link, bound: new Float64Array(4), levels: [Float64Array.from(list.flat())] },
    })),
    proven: true,
    assumed: [],
  };
}

function* summarize(results, invalid) {
  const row = (what, unit, ours, n, peer = null) => ({
    ...{ suite, case: `panda, meshes, ${what}`, ours, peer, peerName: peer === null ? null : 'OMPL + FCL' },
    ...{ ratio: peer === null ? null : ours / peer, unit, n, spread: 0 },
  });
  const solved = results.filter(({ found }) => found.status === 'solved');
  const n = results.length;
  yield row('ends that touch', 'problems', invalid, invalid + n);
  yield row('solved', '%', (100 * solved.length) / n, n);
  yield row('certified', '%', (100 * solved.filter(({ found }) => found.certified).length) / n, n);
  yield row('repaired', 'problems', solved.filter(({ found }) => found.repairs > 0).length, n);
  const times = solved.map(({ us }) => us);
  const both = solved.filter(({ theirs }) => theirs?.[2] === 1);
  // By the clock: what of a machine's load comes between stays in.
  for (const [what, field] of [
    ['search', 'planMs'],
    ['shorten and certify', 'simplifyMs'],
  ])
    yield row(
      `${what}, median by the clock`,
      'us',
      1000 *
        quantile(
          solved.map(({ found }) => found[field]),
          0.5,
        ),
      n,
    );
  for (const [what, f] of Object.entries({ median: (v) => quantile(v, 0.5), mean, p95: (v) => quantile(v, 0.95) })) {
    yield row(`plan, shorten and certify, ${what}`, 'us', f(times), n);
    if (both.length === 0) continue;
    const ours = f(both.map(({ us }) => us));
    yield row(`the same against their plan, ${what}`, 'us', ours, both.length, f(both.map(({ theirs }) => theirs[0])));
    const alone = f(both.map(({ aloneUs }) => aloneUs));
    yield row(`plan alone, by samples, ${what}`, 'us', alone, both.length, f(both.map(({ theirs }) => theirs[0])));
    const whole = f(both.map(({ theirs }) => theirs[0] + theirs[1]));
    yield row(`the same against their plan and simplification, ${what}`, 'us', ours, both.length, whole);
  }
  yield row(
    'preparing a new scene, median',
    'ms',
    quantile(
      results.map(({ prepareMs }) => prepareMs),
      0.5,
    ),
    n,
  );
  for (const family of new Set(results.map((result) => result.family))) {
    const own = solved.filter((result) => result.family === family).map(({ us }) => us);
    if (own.length > 0) yield row(`${family}, median`, 'us', quantile(own, 0.5), own.length);
  }
}

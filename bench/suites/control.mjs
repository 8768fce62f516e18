/**
 * Path optimisation beside planning: TrajOpt and CHOMP from the straight path and, where that fails, seven bent ones, against RRT-Connect
 * with simplification (`planGroup`), all on the same scenes in one run, in turn. Only certified paths count: free at every time by the exact shapes.
 *
 * Cases: `panda`: the MotionBenchMaker problems (../shared/oracles/planning), the robot as the given spheres; every fifth problem of each family, all of
 * them with --full. `trajopt`: the problems of TrajOpt's tests (../shared/data/planning/trajopt_cases), a box among boxes and PR2's arm about a table, with
 * their meshes. `puzzle`: Tesseract's workcell (tesseract_puzzle), which comes without problems: pairs of
 * seeded free states with something between them.
 * Rows: certified paths, %; CPU time, loading and the planner's preparation not counted, medians; length of the paths that all found, means.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { optimisePath } from '../../dist/esm/control.js';
import { requireValue } from '../../dist/esm/io.js';
import { createRandom, createTransform } from '../../dist/esm/math.js';
import { buildModel, randomConfiguration } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import { addObject, addRobot, createScene, createSceneChecker, disposeScene } from '../../dist/esm/scene.js';
import { createCell, planGroup } from '../../dist/esm/tasks.js';
import { cpu, median, startProgress } from '../measure.mjs';

const suite = 'control';
const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const SEEDS = 8;
const PEER = 'RRT-Connect + simplify';

const cpuMs = () => cpu() / 1000;
const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

/** The robot as spheres on its links; exactly the listed pairs of links are checked. */
function describeSpheres({ name, joints, links, pairs }) {
  const frame = (j) => (j < 0 ? 'base' : `frame${j}`);
  const at = (x, y, z) => {
    const X = createTransform();
    X.set([x, y, z], 9);
    return X;
  };
  const toOrigin = (T) =>
    Float64Array.of(...T.slice(0, 3).flatMap((row) => row.slice(0, 3)), T[0][3], T[1][3], T[2][3]);
  const described = [
    ...joints.map(({ T, parent, lower, upper, ...joint }, j) => ({
      ...{ name: joint.name, type: joint.type, axis: joint.axis, parent: frame(parent), child: frame(j) },
      ...{ origin: toOrigin(T), limits: { lower, upper, velocity: 1, effort: 1 } },
    })),
    ...links.map(({ name: link, joint }) => ({
      ...{ name: `to ${link}`, type: 'fixed', parent: frame(joint), child: link, origin: at(0, 0, 0), axis: [1, 0, 0] },
    })),
  ];
  const names = [...[-1, ...joints.keys()].map(frame), ...links.map((link) => link.name)];
  const collisions = links.flatMap(({ name: link, spheres }) =>
    spheres.map(([x, y, z, radius]) => ({ link, origin: at(x, y, z), shape: { type: 'sphere', radius } })),
  );
  const checked = new Set(pairs.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const allowed = links.flatMap((a, i) =>
    links
      .slice(i + 1)
      .flatMap((b, k) => (checked.has(`${i} ${i + 1 + k}`) ? [] : [{ a: a.name, b: b.name, reason: 'user' }])),
  );
  const model = { name, links: names.map((link) => ({ name: link })), joints: described };
  return { model: buildModel(model).model, description: { name, model, collisions, visuals: [] }, allowed };
}

function* pandaProblems(isFull) {
  const folder = `${shared}oracles/planning/`;
  if (!existsSync(folder)) return;
  const read = (name) => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8'));
  const { model, description, allowed } = describeSpheres(read('panda_robot'));
  for (const [family, list] of Object.entries(read('panda').problems))
    for (const [i, { start, goals, obstacles }] of list.entries()) {
      if (!isFull && i % 5 !== 0) continue;
      const scene = createScene();
      const robot = addRobot(scene, { model, description, allowed: { pairs: allowed, replace: true } });
      for (const { name, type, position, quaternion_xyzw, half_extents, length, radius } of obstacles) {
        const shape =
          type === 'box' ? { type, size: half_extents.map((x) => 2 * x) } : { type, radius, ...(length && { length }) };
        addObject(scene, { name: `obstacle ${name}`, shape, pose: [...position, ...quaternion_xyzw] });
      }
      yield { family, scene, robot, start: Float64Array.from(start), goal: Float64Array.from(goals[0]) };
    }
}

/** Coordinates of q of the joints of a group, in full configurations about `rest`. */
const widen = (rest, indices, values) => {
  const q = Float64Array.from(rest);
  for (const [k, index] of indices.entries()) q[index] = values[k];
  return q;
};
const coordinatesOf = ({ model }, prefix) =>
  [...model.jointNames.keys()].filter((j) => prefix.test(model.jointNames[j])).map((j) => model.idxQ[j]);

async function* trajoptProblems() {
  const folder = `${shared}data/planning/trajopt_cases/trajopt`;
  if (!existsSync(folder)) return;
  const data = `${folder}/test/data`;
  const box = createCell({
    robot: requireValue(await loadRobot(`${data}/boxbot.urdf`, { srdf: `${data}/boxbot.srdf` })),
  });
  yield { family: 'box', ...box, start: Float64Array.of(-1.9, 0), goal: Float64Array.of(1.9, 3.8) };
  const files = { srdf: `${data}/pr2.srdf`, packages: { trajopt: folder } };
  const pr2 = createCell({ robot: requireValue(await loadRobot(`${data}/arm_around_table.urdf`, files)) });
  const names = [
    'shoulder_pan',
    'shoulder_lift',
    'upper_arm_roll',
    'elbow_flex',
    'forearm_roll',
    'wrist_flex',
    'wrist_roll',
  ];
  const indices = names.map((name) => coordinatesOf(pr2.robot, new RegExp(`^r_${name}_joint$`))[0]);
  const { init_info } = JSON.parse(readFileSync(`${data}/config/arm_around_table.json`, 'utf8'));
  const at = (values) => widen(pr2.robot.q, indices, values);
  yield {
    family: 'arm around table',
    group: 'right_arm',
    indices,
    ...pr2,
    start: at(init_info.data[0]),
    goal: at(init_info.data.at(-1)),
  };
}

async function* puzzleProblems(isFull) {
  const folder = `${shared}data/planning/tesseract_puzzle`;
  if (!existsSync(folder)) return;
  const urdf = `${folder}/support/urdf/puzzle_piece_workcell`;
  const files = { srdf: `${urdf}.srdf`, packages: { tesseract: folder } };
  const cell = createCell({ robot: requireValue(await loadRobot(`${urdf}.urdf`, files)) });
  const { robot, scene } = cell;
  const indices = coordinatesOf(robot, /^joint_a\d$/);
  const checker = createSceneChecker(scene, robot);
  const random = createRandom(7);
  const rest = Float64Array.from(robot.q);
  const draw = () => {
    for (;;) {
      const drawn = randomConfiguration(new Float64Array(robot.model.nq), robot.model, random);
      const q = widen(
        rest,
        indices,
        indices.map((i) => drawn[i]),
      );
      if (checker.isValid(q)) return q;
    }
  };
  for (let n = 0; n < (isFull ? 50 : 10); ) {
    const [start, goal] = [draw(), draw()];
    if (checker.motion.isMotionValid(start, goal)) continue;
    n++;
    yield { family: 'workcell', group: 'manipulator', indices, keep: true, ...cell, start, goal };
  }
}

/** All three on one problem, each beginning in turn. */
function answer({ scene, robot, group, indices, start, goal }, turn) {
  const times = {};
  const lengths = {};
  let firsts = {};
  const optimise = (method) => () => {
    const { certified, length, attempts } = optimisePath(scene, robot, { method, start, goal, indices, seeds: SEEDS });
    firsts = { ...firsts, [method]: certified && attempts.length === 1 };
    return certified ? length : null;
  };
  const sides = [
    ['trajopt', optimise('trajopt')],
    ['chomp', optimise('chomp')],
    [
      PEER,
      () => {
        const clock = cpuMs;
        const plan = planGroup(scene, robot, { group, start, goal, planner: 'rrt-connect', timeoutMs: 20_000, clock });
        times[PEER] = plan.planMs + plan.simplifyMs;
        return plan.certified ? plan.length : null;
      },
    ],
  ];
  for (let k = 0; k < 3; k++) {
    const [name, run] = sides[(turn + k) % 3];
    const begin = cpuMs();
    lengths[name] = run();
    times[name] ??= cpuMs() - begin;
  }
  return { times, lengths, firsts };
}

const isFreeAt = ({ scene, robot, start, goal }) => {
  const checker = createSceneChecker(scene, robot);
  return checker.isValid(start) && checker.isValid(goal);
};

export async function* run({ full = false, only = null } = {}) {
  const sources = { panda: () => pandaProblems(full), trajopt: trajoptProblems, puzzle: () => puzzleProblems(full) };
  for (const [name, list] of Object.entries(sources)) {
    if (only !== null && !name.includes(only)) continue;
    const results = [];
    let left = 0;
    const progress = startProgress(`${suite}: ${name}`);
    for await (const problem of list()) {
      if (isFreeAt(problem)) results.push({ family: problem.family, ...answer(problem, results.length) });
      else left++;
      if (!problem.keep) disposeScene(problem.scene);
      progress.update(results.length / 350);
    }
    progress.stop();
    if (left > 0) process.stderr.write(`bench: ${name}: ${left} with an end in contact are left out\n`);
    if (results.length === 0) process.stderr.write(`bench: ${name} is left out: no ${shared}\n`);
    else yield* report(name, results);
  }
}

const row = (name, ours, peer, unit, n) => ({
  ...{ suite, case: name, ours, peer, peerName: peer === null ? null : PEER, unit, n },
  ...{ ratio: peer === null ? null : ours / peer, spread: null },
});

function* report(name, results) {
  const share = (of, method) => (100 * of.filter(({ lengths }) => lengths[method] !== null).length) / of.length;
  const families = [...new Set(results.map(({ family }) => family))];
  for (const method of ['trajopt', 'chomp']) {
    const n = results.length;
    yield row(`${name}, ${method}: certified`, share(results, method), share(results, PEER), '%', n);
    yield row(
      `${name}, ${method}: from the straight path`,
      (100 * results.filter(({ firsts }) => firsts[method]).length) / n,
      null,
      '%',
      n,
    );
    const both = results.filter(({ lengths }) => lengths[method] !== null && lengths[PEER] !== null);
    if (both.length === 0) continue;
    const timesOf = (side) => both.map(({ times }) => times[side]);
    yield row(
      `${name}, ${method}: CPU time, median`,
      median(timesOf(method)),
      median(timesOf(PEER)),
      'ms',
      both.length,
    );
    yield row(`${name}, ${method}: CPU time, mean`, mean(timesOf(method)), mean(timesOf(PEER)), 'ms', both.length);
    const lengthsOf = (side) => both.map(({ lengths }) => lengths[side]);
    yield row(`${name}, ${method}: length, mean`, mean(lengthsOf(method)), mean(lengthsOf(PEER)), 'rad', both.length);
    if (families.length > 1)
      for (const family of families) {
        const of = results.filter((result) => result.family === family);
        yield row(`${name}, ${family}, ${method}: certified`, share(of, method), share(of, PEER), '%', of.length);
      }
  }
}

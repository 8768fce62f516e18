/**
 * A roadmap built once and asked many times, while a box stands elsewhere at each query: Panda with its own meshes among what stands in a
 * MotionBenchMaker problem (../shared), against our own RRT-Connect on the same queries in turns; both shorten, both certify with the exact shapes. CPU times.
 *
 * Stations: the problem's start and goal, six free states near the goal, six drawn ones; queries go between two of them that the straight motion does
 * not join. BENCH_ROADMAP_QUERIES=n (default 1,000) of each family; BENCH_ROADMAP_FAMILIES=a,b.
 * Rows: what building costs; quantiles of both; how many were solved and certified; lengths.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import * as scenes from '../../dist/esm/scene.js';
import { buildGroupRoadmap, planGroup } from '../../dist/esm/tasks.js';
import { cpu, startProgress } from '../measure.mjs';

const suite = 'planning-roadmap';
const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const queries = Number(process.env.BENCH_ROADMAP_QUERIES ?? 1000);
const families = (process.env.BENCH_ROADMAP_FAMILIES ?? 'cage,box,bookshelf_thin').split(',');
const group = 'panda_arm';
const moving = ['mover'];
const paths = 300;
const maxIterations = 2000;
const fingers = 0.04;

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

export async function* run() {
  if (!existsSync(`${shared}oracles/planning/panda.json`)) return;
  const folder = `${shared}data/robots/panda/`;
  const description = `${folder}panda_description`;
  const { value } = await loadRobot(`${description}/urdf/panda.urdf`, {
    srdf: `${folder}panda_moveit_config/config/panda.srdf`,
    packages: { panda_description: description, moveit_resources_panda_description: description },
  });
  const { model } = buildModel(value.description.model);
  const { problems } = JSON.parse(readFileSync(`${shared}oracles/planning/panda.json`, 'utf8'));
  for (const family of families) {
    const progress = startProgress(`${suite} ${family}`);
    const found = askAll(value, model, problems[family][0], (share) => progress.update(share));
    progress.stop();
    yield* summarize(family, found);
  }
}

function createProblem(files, model, problem) {
  const scene = scenes.createScene();
  const robot = scenes.addRobot(scene, { model, ...files });
  scenes.setConfiguration(robot, [...problem.start, fingers, fingers].slice(0, model.nq));
  for (const { name, type, position, quaternion_xyzw, half_extents: h, length, radius } of problem.obstacles) {
    const shape = type === 'box' ? { type, size: h.map((x) => 2 * x) } : { type, radius, ...(length && { length }) };
    scenes.addObject(scene, { name: `obstacle ${name}`, shape, pose: [...position, ...quaternion_xyzw] });
  }
  const away = [9, 9, 9, 0, 0, 0, 1];
  const box = scenes.addObject(scene, { name: 'mover', shape: { type: 'box', size: [0.15, 0.15, 0.25] }, pose: away });
  return { scene, robot, box, away };
}

function askAll(files, model, problem, progress) {
  const { scene, robot, box, away } = createProblem(files, model, problem);
  const random = createRandom(5);
  const { lower, upper } = model;
  const plan = (start, goal, extra = {}) => planGroup(scene, robot, { group, start, goal, maxIterations, ...extra });
  const stations = [problem.start, problem.goals[0]].map((q) => [...q]).filter((q) => plan(q, q).status === 'solved');
  const addStations = (count, draw) => {
    for (const most = stations.length + count; stations.length < most; ) {
      const q = draw();
      if (plan(q, q).status === 'solved') stations.push(q);
    }
  };
  const within = (x, k) => Math.min(Math.max(x, lower[k] + 1e-6), upper[k] - 1e-6);
  addStations(6, () => problem.goals[0].map((x, k) => within(x + 0.25 * random.normal(), k)));
  addStations(6, () => problem.goals[0].map((_, k) => random.uniform(lower[k], upper[k])));
  const pairs = stations
    .flatMap((a) => stations.filter((b) => b !== a).map((b) => [a, b]))
    .filter(([a, b]) => {
      const { status, path } = plan(a, b, { simplify: false });
      return status === 'solved' && path.length > 2;
    });
  const begin = cpu();
  const roadmap = buildGroupRoadmap(scene, robot, { group, states: stations, paths, moving, maxIterations });
  const build = (cpu() - begin) / 1000;
  const rows = [];
  for (let i = 0; i < queries; i++) {
    const [start, goal] = pairs[random.integer(pairs.length)];
    const place = [random.uniform(0.2, 0.8), random.uniform(-0.6, 0.6), random.uniform(0.1, 0.9), 0, 0, 0, 1];
    const times = [];
    const answers = [{ roadmap, moving }, {}].map((extra) => {
      // Each side is told of the box anew.
      scenes.moveObject(scene, box, away);
      scenes.moveObject(scene, box, place);
      const from = cpu();
      const answer = plan(start, goal, extra);
      times.push((cpu() - from) / 1000);
      return answer;
    });
    rows.push({ times, answers: answers.map(({ status, certified, length }) => ({ status, certified, length })) });
    progress(i / queries);
  }
  return { rows, build, states: roadmap.size, edges: roadmap.edgeCount };
}

function* summarize(family, { rows, build, states, edges }) {
  const row = (what, unit, ours, n, peer = null) => ({
    ...{ suite, case: `${family}, ${what}`, ours, peer, peerName: peer === null ? null : 'our RRT-Connect' },
    ...{ ratio: peer === null ? null : ours / peer, unit, n, spread: 0 },
  });
  yield row(`building, ${states} states, ${edges} motions`, 'ms', build, 1);
  const asked = rows.filter(({ answers }) => !answers[1].status.startsWith('invalid'));
  const both = asked.filter(({ answers }) => answers.every(({ status }) => status === 'solved'));
  const solved = (side) => asked.filter(({ answers }) => answers[side].status === 'solved').length;
  yield row('solved', 'queries', solved(0), asked.length, solved(1));
  const uncertified = both.filter(({ answers }) => answers.some(({ certified }) => !certified)).length;
  yield row('not certified', 'queries', uncertified, both.length);
  for (const [what, f] of Object.entries({
    '25th percentile': (v) => quantile(v, 0.25),
    median: (v) => quantile(v, 0.5),
    mean,
    '95th percentile': (v) => quantile(v, 0.95),
  })) {
    const [ours, theirs] = [0, 1].map((side) => f(both.map(({ times }) => times[side])));
    yield row(`query, ${what}`, 'ms', ours, both.length, theirs);
  }
  const [ours, theirs] = [0, 1].map((side) => mean(both.map(({ answers }) => answers[side].length)));
  yield row('length, mean', 'rad', ours, both.length, theirs);
}

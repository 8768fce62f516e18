/**
 * Derivatives of RNEA and ABA: generic functions, the same robot compiled, and compiled for pairs (per configuration).
 *
 * No peer that installs from npm or Debian has analytical derivatives: KDL has none, MuJoCo's npm build (WebAssembly) has those of
 * inverse dynamics by finite differences (mjd_inverseFD, d tau / d a among them), compared on the bundled arm and a snake of
 * thirty joints after the answers were. The other rows compare compiled with generic code, and the generic derivatives with
 * the generic algorithm they are of: how many calls of RNEA, or ABA, one call of its derivatives is. Panda (nv 9) and Talos (nv
 * 50) where the reference data lie beside the project. `trace`, `load`, `module`: as in the suite `dynamics`, for a module of the
 * two derivatives.
 */
import { fileURLToPath } from 'node:url';
import { compileModel, compileModelBytes, compileModelPair, loadCompiledModel } from '../../dist/esm/compile.js';
import {
  aba,
  computeAbaDerivatives,
  computeRneaDerivatives,
  createDynamicsData,
  rnea,
} from '../../dist/esm/dynamics.js';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel, randomConfiguration } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import { compare, median } from '../measure.mjs';
import { createMujocoRobot } from '../mujoco-robot.mjs';
import { readReferenceRobot } from '../reference-robots.mjs';

const suite = 'derivatives';
const inputs = 64;
const algorithms = ['rneaDerivatives', 'abaDerivatives'];

function createStates(model) {
  const random = createRandom(7);
  const vector = () => Float64Array.from({ length: model.nv }, () => random.uniform(-1, 1));
  return Array.from({ length: inputs }, () => ({
    q: randomConfiguration(new Float64Array(model.nq), model, random),
    v: vector(),
    a: vector(),
  }));
}

/** f(i) on state i; the pair takes the next state along. */
function prepareAlgorithms(model, states) {
  const generic = createDynamicsData(model);
  const compiled = compileModel(model, { algorithms });
  const data = compiled.createData();
  const pair = compileModelPair(model, { algorithms });
  const pairData = pair.createData();
  const [q2, v2, a2] = ['q', 'v', 'a'].map((name) =>
    states.map((state, i) => [state[name], states[(i + 1) % inputs][name]]),
  );
  const of = (f) => (i) => f(states[i]);
  return {
    RNEA: {
      base: of(({ q, v, a }) => rnea(model, generic, q, v, a)),
      generic: of(({ q, v, a }) => computeRneaDerivatives(model, generic, q, v, a)),
      compiled: of(({ q, v, a }) => compiled.rneaDerivatives(data, q, v, a)),
      pairs: (i) => pair.rneaDerivatives(pairData, q2[i], v2[i], a2[i]),
    },
    ABA: {
      base: of(({ q, v, a }) => aba(model, generic, q, v, a)),
      generic: of(({ q, v, a }) => computeAbaDerivatives(model, generic, q, v, a)),
      compiled: of(({ q, v, a }) => compiled.abaDerivatives(data, q, v, a)),
      pairs: (i) => pair.abaDerivatives(pairData, q2[i], v2[i], a2[i]),
    },
  };
}

/** A call for pairs answers two. */
const perConfiguration = (row) => ({ ...row, ours: row.ours / 2, ratio: row.ratio / 2, spread: row.spread / 2 });

function* compareRobot(name, { description, base }) {
  const { model } = buildModel(description, { base });
  const prepared = prepareAlgorithms(model, createStates(model));
  for (const [algorithm, variants] of Object.entries(prepared)) {
    const shared = { suite, inputs, unit: 'ns', blockMs: 20 };
    const title = `${name}, derivatives of ${algorithm}`;
    const peer = variants.generic;
    yield compare({ ...shared, name: `${title}, generic`, ours: peer, peer: variants.base, peerName: algorithm });
    yield compare({ ...shared, name: `${title}, compiled`, ours: variants.compiled, peer, peerName: 'generic' });
    yield perConfiguration(
      compare({ ...shared, name: `${title}, pairs`, ours: variants.pairs, peer, peerName: 'generic' }),
    );
  }
  const time = (f) => {
    const times = Array.from({ length: 5 }, () => {
      const begin = process.hrtime.bigint();
      f();
      return Number(process.hrtime.bigint() - begin) / 1e6;
    });
    return median(times);
  };
  const bytes = compileModelBytes(model, { algorithms });
  const plain = { suite, peer: null, peerName: null, ratio: null, spread: 0, n: 5 };
  yield { ...plain, case: `${name}, trace`, ours: time(() => compileModelBytes(model, { algorithms })), unit: 'ms' };
  yield { ...plain, case: `${name}, load`, ours: time(() => loadCompiledModel(bytes, model).createData()), unit: 'ms' };
  yield { ...plain, case: `${name}, module`, ours: bytes.length, unit: 'bytes', n: 1 };
}

async function* compareMujoco(name, { description, base }) {
  const { model } = buildModel(description, { base });
  const states = createStates(model);
  const peer = await createMujocoRobot(model);
  const data = createDynamicsData(model);
  for (const state of states.slice(0, 8)) {
    const theirs = peer.inverseDerivatives(state);
    computeRneaDerivatives(model, data, state.q, state.v, state.a);
    [data.dtauDq, data.dtauDv].forEach((ours, m) => {
      const n = model.nv;
      const scale = Math.max(...ours.map(Math.abs));
      const error = Math.max(...ours.map((x, i) => Math.abs(x - theirs[m][(i % n) * n + Math.floor(i / n)])));
      if (!(error < 1e-4 * scale)) throw new Error(`bench: MuJoCo's derivatives differ from ours by ${error / scale}`);
    });
  }
  const { generic, compiled } = prepareAlgorithms(model, states).RNEA;
  const theirs = (i) => peer.inverseDerivatives(states[i]);
  const shared = { suite, inputs, unit: 'ns', peer: theirs, peerName: 'MuJoCo mjd_inverseFD', blockMs: 20 };
  yield compare({ ...shared, name: `${name}, derivatives of RNEA, generic`, ours: generic });
  yield compare({ ...shared, name: `${name}, derivatives of RNEA, compiled`, ours: compiled });
  peer.free();
}

async function readExample(file) {
  const { value } = await loadRobot(fileURLToPath(new URL(`../../examples/${file}`, import.meta.url)));
  // MuJoCo has no joints that mimic as ours, and robots with such joints have generic derivatives alone.
  const joints = value.description.model.joints.map(({ mimic, ...joint }) => joint);
  return { description: { ...value.description.model, joints }, base: 'fixed' };
}

export async function* run() {
  const robots = {
    arm: await readExample('arm/arm.urdf'),
    'snake, 30 links': await readExample('snake/snake-30.urdf'),
  };
  for (const [name, robot] of Object.entries(robots)) yield* compareMujoco(name, robot);
  for (const name of ['panda', 'talos']) {
    const robot = readReferenceRobot(name);
    if (robot) robots[name] = robot;
  }
  for (const [name, robot] of Object.entries(robots)) yield* compareRobot(name, robot);
}

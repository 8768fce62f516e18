/**
 * Kinematics and dynamics: generic functions, the same robot compiled, and compiled for pairs (per configuration).
 *
 * Rows named `... chain` run on a serial arm of seven joints against KDL, where it is installed (Debian liborocos-kdl-dev), and
 * against MuJoCo's npm build (WebAssembly; contacts, limits and constraints off): its steps mj_kinematics, mj_comPos, mj_comVel,
 * mj_crb, mj_rne as far as an algorithm needs them, or the whole of mj_inverse and mj_forward. Answers are compared first. The
 * others compare compiled with generic code on whole robots: the bundled arm, and Panda (nv 9) and Talos (nv 50) where the
 * reference data lie beside the project. `trace` is the time from a Model to bytes, `load` from bytes to ready data.
 */
import { fileURLToPath } from 'node:url';
import { compileModel, compileModelBytes, compileModelPair, loadCompiledModel } from '../../dist/esm/compile.js';
import { aba, crba, createDynamicsData, rnea } from '../../dist/esm/dynamics.js';
import { computeJointJacobians, forwardKinematics } from '../../dist/esm/kinematics.js';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel, randomConfiguration } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import { compare, compareWithProgram, median } from '../measure.mjs';
import { createMujocoRobot } from '../mujoco-robot.mjs';
import { buildNative, startNative } from '../native-program.mjs';
import { readReferenceRobot } from '../reference-robots.mjs';

const suite = 'dynamics';
const inputs = 64;
const kdlCommands = { FK: 'fk', Jacobians: 'jacobian', RNEA: 'rnea', CRBA: 'crba', ABA: 'fd' };

function createStates(model) {
  const random = createRandom(7);
  const vector = () => Float64Array.from({ length: model.nv }, () => random.uniform(-1, 1));
  return Array.from({ length: inputs }, () => ({
    q: randomConfiguration(new Float64Array(model.nq), model, random),
    v: vector(),
    a: vector(),
  }));
}

/** Each algorithm three times: f(i) on state i; the pair takes the next state along. */
function prepareAlgorithms(model, states) {
  const generic = createDynamicsData(model);
  const jacobians = new Float64Array(6 * model.nv);
  const compiled = compileModel(model);
  const data = compiled.createData();
  const pair = compileModelPair(model);
  const pairData = pair.createData();
  const two = (name) => states.map((state, i) => [state[name], states[(i + 1) % inputs][name]]);
  const [q2, v2, a2] = ['q', 'v', 'a'].map(two);
  const of = (f) => (i) => f(states[i]);
  return {
    FK: {
      generic: of(({ q }) => forwardKinematics(model, generic.kinematics, q)),
      compiled: of(({ q }) => compiled.forwardKinematics(data, q)),
      pairs: (i) => pair.forwardKinematics(pairData, q2[i]),
    },
    Jacobians: {
      generic: of(({ q }) => {
        forwardKinematics(model, generic.kinematics, q);
        computeJointJacobians(jacobians, model, generic.kinematics);
      }),
      compiled: of(({ q }) => compiled.jointJacobians(data, q)),
      pairs: (i) => pair.jointJacobians(pairData, q2[i]),
    },
    RNEA: {
      generic: of(({ q, v, a }) => rnea(model, generic, q, v, a)),
      compiled: of(({ q, v, a }) => compiled.rnea(data, q, v, a)),
      pairs: (i) => pair.rnea(pairData, q2[i], v2[i], a2[i]),
    },
    CRBA: {
      generic: of(({ q }) => crba(model, generic, q)),
      compiled: of(({ q }) => compiled.crba(data, q)),
      pairs: (i) => pair.crba(pairData, q2[i]),
    },
    ABA: {
      generic: of(({ q, v, a }) => aba(model, generic, q, v, a)),
      compiled: of(({ q, v, a }) => compiled.aba(data, q, v, a)),
      pairs: (i) => pair.aba(pairData, q2[i], v2[i], a2[i]),
    },
  };
}

/** The chain for KDL: joints in order, inertias about centres of mass. */
function describeChain(model, states) {
  const row = (j) => [
    model.jointKinds[j].motion === 'translation' ? 'P' : 'R',
    ...model.placements.subarray(12 * j, 12 * j + 12),
    ...model.axes.subarray(3 * j, 3 * j + 3),
    model.masses[j],
    ...model.centersOfMass.subarray(3 * j, 3 * j + 3),
    ...[0, 1, 2, 4, 5, 8].map((i) => model.inertias[9 * j + i]),
  ];
  const joints = Array.from({ length: model.jointCount - 1 }, (_, i) => row(i + 1).join(' '));
  const lines = states.map(({ q, v, a }) => [...q, ...v, ...a].join(' '));
  return [joints.length, ...joints, lines.length, ...lines].join('\n');
}

/** Both sides must compute the same torques and inertia before their times mean anything. */
async function checkPeer(peer, model, states) {
  const data = createDynamicsData(model);
  const { q, v, a } = states[0];
  for (const [command, ours] of [
    ['rnea', rnea(model, data, q, v, a)],
    ['crba', crba(model, data, q)],
  ]) {
    const theirs = (await peer.ask(`check ${command} 0`)).trim().split(' ').map(Number);
    const error = Math.max(...theirs.map((x, i) => Math.abs(x - ours[i])));
    if (!(error < 1e-9)) throw new Error(`bench: KDL's ${command} differs from ours by ${error}`);
  }
}

async function* compareChain(program, name, { description, base }) {
  const { model } = buildModel(description, { base });
  const states = createStates(model);
  const peer = startNative(program);
  peer.write(`${describeChain(model, states)}\n`);
  await checkPeer(peer, model, states);
  for (const [algorithm, variants] of Object.entries(prepareAlgorithms(model, states))) {
    const timePeer = async (calls) => Number(await peer.ask(`time ${kdlCommands[algorithm]} ${calls}`));
    const peerName = algorithm === 'ABA' ? 'KDL (CRBA + LDL)' : 'KDL';
    for (const [variant, ours] of Object.entries(variants)) {
      const title = `${name}, ${algorithm} ${variant}`;
      const row = await compareWithProgram({
        suite,
        name: title,
        inputs,
        ours,
        timePeer,
        peerName,
        unit: 'ns',
        blockMs: 30,
      });
      yield variant === 'pairs' ? perConfiguration(row) : row;
    }
  }
  peer.close();
}

/** Largest difference relative to the largest entry. */
const relativeError = (ours, theirs) =>
  Math.max(...Array.from(theirs, (x, i) => Math.abs(x - ours[i]))) / Math.max(...Array.from(ours, Math.abs));

async function* compareMujoco(name, { description, base }) {
  const { model } = buildModel(description, { base });
  const states = createStates(model);
  const peer = await createMujocoRobot(model);
  const data = createDynamicsData(model);
  for (const state of states) {
    const { q, v, a } = state;
    const torques = relativeError(rnea(model, data, q, v, a), peer.inverse(state));
    aba(model, data, q, v, a);
    const accelerations = relativeError(data.ddq, peer.forward(state));
    if (!(torques < 1e-9 && accelerations < 1e-6)) {
      throw new Error(`bench: MuJoCo's dynamics differ from ours by ${torques} and ${accelerations}`);
    }
  }
  const algorithms = prepareAlgorithms(model, states);
  for (const [algorithm, step, peerName] of [
    ['FK', 'FK', 'MuJoCo mj_kinematics'],
    ['CRBA', 'CRBA', 'MuJoCo to mj_crb'],
    ['RNEA', 'RNEA', 'MuJoCo to mj_rne'],
    ['RNEA', 'inverse', 'MuJoCo mj_inverse'],
    ['ABA', 'forward', 'MuJoCo mj_forward'],
  ]) {
    const shared = { suite, inputs, unit: 'ns', peer: (i) => peer[step](states[i]), peerName, blockMs: 20 };
    for (const variant of ['generic', 'compiled']) {
      yield compare({ ...shared, name: `${name}, ${algorithm} ${variant}`, ours: algorithms[algorithm][variant] });
    }
  }
  peer.free();
}

/** A call for pairs answers two. */
const perConfiguration = (row) => ({ ...row, ours: row.ours / 2, ratio: row.ratio / 2, spread: row.spread / 2 });

function* compareRobot(name, { description, base }) {
  const { model } = buildModel(description, { base });
  const states = createStates(model);
  const algorithms = prepareAlgorithms(model, states);
  for (const [algorithm, { generic, compiled, pairs }] of Object.entries(algorithms)) {
    const shared = { suite, inputs, unit: 'ns', peer: generic, peerName: 'generic', blockMs: 20 };
    yield compare({ ...shared, name: `${name}, ${algorithm} compiled`, ours: compiled });
    yield perConfiguration(compare({ ...shared, name: `${name}, ${algorithm} pairs`, ours: pairs }));
  }
  const time = (f) => {
    const times = Array.from({ length: 5 }, () => {
      const begin = process.hrtime.bigint();
      f();
      return Number(process.hrtime.bigint() - begin) / 1e6;
    });
    return median(times);
  };
  const bytes = compileModelBytes(model);
  const plain = { suite, peer: null, peerName: null, ratio: null, spread: 0, n: 5 };
  yield { ...plain, case: `${name}, trace`, ours: time(() => compileModelBytes(model)), unit: 'ms' };
  yield { ...plain, case: `${name}, load`, ours: time(() => loadCompiledModel(bytes, model).createData()), unit: 'ms' };
  yield { ...plain, case: `${name}, module`, ours: bytes.length, unit: 'bytes', n: 1 };
}

export async function* run() {
  const { value: files } = await loadRobot(fileURLToPath(new URL('../../examples/arm/arm.urdf', import.meta.url)));
  const arm = { description: files.description.model, base: 'fixed' };
  const panda = readReferenceRobot('panda');
  const pandaChain = readReferenceRobot('panda', 7);
  const talos = readReferenceRobot('talos');
  const program = buildNative('dynamics-kdl', ['orocos-kdl', 'eigen3']);
  if (program) yield* compareChain(program, pandaChain ? 'panda chain' : 'arm chain', pandaChain ?? arm);
  yield* compareMujoco(pandaChain ? 'panda chain' : 'arm chain', pandaChain ?? arm);
  yield* compareRobot('arm', arm);
  if (panda) yield* compareRobot('panda', panda);
  if (talos) yield* compareRobot('talos', talos);
}

/**
 * Inverse kinematics of one frame to 1e-6 m and 1e-6 rad within limits, up to 50 random restarts, against KDL's
 * Levenberg-Marquardt solver with the same restarts where it is installed (Debian liborocos-kdl-dev). Blocks of 250 targets
 * alternate between both sides, which solve each block without a pause; every target is timed by itself. `ratio` of a median
 * or 99th percentile is ours over KDL's median. Targets: configurations drawn uniformly of the bundled arm and snake; the
 * reference targets of Panda and UR5, and PR2's right arm, where the reference data lie beside the project. Every answer is
 * checked by forward kinematics.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createIkSolver } from '../../dist/esm/ik.js';
import { computeFramePlacement, forwardKinematics } from '../../dist/esm/kinematics.js';
import { createRandom, createTransform, logSo3, relativeTransform } from '../../dist/esm/math.js';
import {
  buildModel,
  createData,
  createNeutralConfiguration,
  findFrame,
  randomConfiguration,
} from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import { buildNative, startNative } from '../native-program.mjs';

const suite = 'ik';
const blockSize = 250;
const restarts = 50;
const here = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const shared = (path) => here(`../shared/${path}`);

/** The model with its targets; limits of the reference targets replace the file's. */
async function readCase({ file, tip, targetFile, srdfGroup, count }) {
  const { value: files } = await loadRobot(file, { geometry: 'none' });
  const description = files.description.model;
  let targets = null;
  let joints = description.joints;
  if (targetFile) {
    const set = JSON.parse(gunzipSync(readFileSync(targetFile)).toString());
    const moving = joints.filter(({ type }) => type !== 'fixed').slice(0, set.n);
    joints = joints.map((joint) => {
      const i = moving.indexOf(joint);
      return i < 0 ? joint : { ...joint, limits: { ...joint.limits, lower: set.lower[i], upper: set.upper[i] } };
    });
    targets = set.targets.map(({ T }) => Float64Array.from(T));
  }
  const { model } = buildModel({ ...description, joints });
  const frame = findFrame(model, tip);
  const moving = srdfGroup?.map((name) => model.idxV[model.jointIndex.get(name)]);
  if (!targets) targets = drawTargets(model, frame, count, moving);
  return { model, frame, targets, moving };
}

function drawTargets(model, frame, count, moving) {
  const random = createRandom(17);
  const data = createData(model);
  const neutral = createNeutralConfiguration(model);
  const q = new Float64Array(model.nq);
  return Array.from({ length: count }, () => {
    randomConfiguration(q, model, random);
    if (moving) for (let i = 0; i < model.nq; i++) if (!moving.includes(i)) q[i] = neutral[i];
    forwardKinematics(model, data, q);
    return computeFramePlacement(createTransform(), model, data, frame);
  });
}

/** The chain from the world to the frame as KDL's program reads it; null where KDL has no such chain. */
function describeChain({ model, frame, targets, moving }, start) {
  const support = [...model.supports[model.frameJoints[frame]]];
  if (moving || support.some((j) => model.nqs[j] !== 1 || model.mimicDrivers[j] > 0)) return null;
  const rows = support.map((j) => {
    const i = model.idxQ[j];
    const type = model.jointKinds[j].motion === 'translation' ? 'P' : 'R';
    const placement = model.placements.subarray(12 * j, 12 * j + 12);
    return [type, ...placement, ...model.axes.subarray(3 * j, 3 * j + 3), model.lower[i], model.upper[i]].join(' ');
  });
  const tip = model.framePlacements.subarray(12 * frame, 12 * frame + 12);
  const first = support.map((j) => start[model.idxQ[j]]);
  return [
    rows.length,
    ...rows,
    [...tip].join(' '),
    first.join(' '),
    targets.length,
    ...targets.map((T) => T.join(' ')),
  ].join('\n');
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))];

async function* compareCase(name, robot, program, seeds) {
  const { model, frame, targets, moving } = robot;
  const solver = createIkSolver(model, frame, { velocities: moving });
  const start = createNeutralConfiguration(model).map((x, i) => Math.max(model.lower[i], Math.min(model.upper[i], x)));
  const chain = program && describeChain(robot, start);
  const peer = chain ? startNative(program) : null;
  peer?.write(`${chain}\n`);
  const check = createCheck(model, frame);
  const [ours, theirs] = [[], []];
  let [solved, peerSolved] = [0, 0];
  const solveBlock = (from, size, seed) => {
    const results = [];
    for (let k = from; k < from + size; k++) {
      const begin = process.hrtime.bigint();
      results.push(solver.solve({ target: targets[k], start, seed, restarts }));
      ours.push(Number(process.hrtime.bigint() - begin) / 1000);
    }
    results.forEach(({ status, q }, i) => {
      if (status === 'solved' && check(q, targets[from + i])) solved++;
    });
  };
  solveBlock(0, Math.min(targets.length, 500), 9);
  solveBlock(0, Math.min(targets.length, 500), 10);
  ours.length = 0;
  solved = 0;
  for (const seed of seeds) {
    for (let from = 0; from < targets.length; from += blockSize) {
      const size = Math.min(blockSize, targets.length - from);
      const isFirst = (from / blockSize) % 2 === 0;
      if (isFirst) solveBlock(from, size, seed);
      if (peer) {
        const answer = (await peer.ask(`solve ${from} ${size} ${restarts} ${seed}`)).trim().split(' ').map(Number);
        for (let k = 0; k < size; k++) {
          theirs.push(answer[2 * k]);
          peerSolved += answer[2 * k + 1];
        }
      }
      if (!isFirst) solveBlock(from, size, seed);
    }
  }
  peer?.close();
  const n = ours.length;
  const peerName = peer ? "KDL LMA's median" : null;
  const median = peer ? quantile(theirs, 0.5) : null;
  const row = (what, value) => ({
    suite,
    case: `${name}, ${what}`,
    ours: value,
    peer: median,
    peerName,
    ratio: peer ? value / median : null,
    unit: 'us',
    n,
    spread: 0,
  });
  yield row('median', quantile(ours, 0.5));
  yield row('99th percentile', quantile(ours, 0.99));
  const share = { suite, case: `${name}, solved`, unit: '%', n, spread: 0, ours: (100 * solved) / n };
  yield peer
    ? { ...share, peer: (100 * peerSolved) / n, peerName: 'KDL LMA', ratio: solved / peerSolved }
    : { ...share, peer: null, peerName: null, ratio: null };
}

function createCheck(model, frame) {
  const data = createData(model);
  const [reached, error] = [createTransform(), createTransform()];
  const turn = [0, 0, 0];
  return (q, target) => {
    forwardKinematics(model, data, q);
    relativeTransform(error, computeFramePlacement(reached, model, data, frame), target);
    logSo3(turn, error);
    const isWithin = q.every((x, i) => x >= model.lower[i] && x <= model.upper[i]);
    return isWithin && Math.hypot(error[9], error[10], error[11]) <= 1.0001e-6 && Math.hypot(...turn) <= 1.0001e-6;
  };
}

const rightArm = [
  'shoulder_pan',
  'shoulder_lift',
  'upper_arm_roll',
  'elbow_flex',
  'forearm_roll',
  'wrist_flex',
  'wrist_roll',
];
const cases = {
  arm: { file: here('examples/arm/arm.urdf'), tip: 'tool', count: 1000 },
  snake: { file: here('examples/snake/snake-30.urdf'), tip: 'link_29', count: 300 },
  panda: {
    file: shared('data/robots/panda/panda_description/urdf/panda.urdf'),
    tip: 'panda_link8',
    targetFile: shared('oracles/dynamics/ik_panda.json.gz'),
  },
  ur5: {
    file: shared('data/robots/ur5_ur10/robots/ur_description/urdf/ur5_robot.urdf'),
    tip: 'tool0',
    targetFile: shared('oracles/dynamics/ik_ur5.json.gz'),
  },
  pr2: {
    file: shared('data/robots/pr2/robots/pr2_description/urdf/pr2.urdf'),
    tip: 'r_gripper_tool_frame',
    srdfGroup: rightArm.map((name) => `r_${name}_joint`),
    count: 1000,
  },
};

export async function* run() {
  const program = buildNative('ik-kdl', ['orocos-kdl', 'eigen3']);
  for (const [name, request] of Object.entries(cases)) {
    if (!existsSync(request.file)) continue;
    yield* compareCase(name, await readCase(request), program, [1, 2, 3]);
  }
}

/**
 * RRT-Connect on manifolds: a sphere with bands, a torus with walls, a chain whose end stays on a sphere, a planar chain closed at both
 * ends; against OMPL's (Debian libompl-dev) on the same problems, with its space by projection and the others it has (atlas, tangent bundles). Both
 * check states 0.05 apart, OMPL's to its default tolerance of 1e-4, ours to 1e-9. CPU times of the process, several seeds. BENCH_SEEDS=n (default 10),
 * BENCH_SPACES=projection,atlas,bundle.
 *
 * Rows: per problem the median and mean of ours, of OMPL's, the ratio of the medians, how many of the seeds were solved, the largest |f|.
 */

import { createConstrainedSpace, createRealVectorSpace, planPath } from '../../dist/esm/planning.js';
import { cpu, startProgress } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const suite = 'planning-constrained';
const seeds = Number(process.env.BENCH_SEEDS ?? 10);
const seconds = 20;
const spaces = (process.env.BENCH_SPACES ?? 'projection,atlas,bundle').split(',');
const LINKS = 5;

const length3 = (x, y, z) => Math.sqrt(x * x + y * y + z * z);

const sphere = {
  name: 'sphere',
  bound: 2,
  constraint: {
    dimension: 3,
    equations: 1,
    evaluate(f, [x, y, z]) {
      f[0] = length3(x, y, z) - 1;
    },
    jacobian(J, q) {
      const r = length3(q[0], q[1], q[2]);
      for (let i = 0; i < 3; i++) J[i] = q[i] / r;
    },
  },
  isValid(x) {
    if (Math.abs(x[2] + 0.7) < 0.1) return Math.abs(x[1]) < 0.05 && x[0] > 0;
    if (Math.abs(x[2]) < 0.1) return Math.abs(x[0]) < 0.05 && x[1] < 0;
    if (Math.abs(x[2] - 0.7) < 0.1) return Math.abs(x[1]) < 0.05 && x[0] < 0;
    return true;
  },
};

const torus = {
  name: 'torus',
  bound: 3,
  constraint: {
    dimension: 3,
    equations: 1,
    evaluate(f, x) {
      const s = Math.sqrt(x[0] * x[0] + x[1] * x[1]) - 2;
      f[0] = Math.sqrt(s * s + x[2] * x[2]) - 1;
    },
    jacobian(J, x) {
      const r = Math.sqrt(x[0] * x[0] + x[1] * x[1]);
      const s = r - 2;
      const t = Math.sqrt(s * s + x[2] * x[2]);
      J[0] = ((s / t) * x[0]) / r;
      J[1] = ((s / t) * x[1]) / r;
      J[2] = x[2] / t;
    },
  },
  isValid(x) {
    const cell = (Math.atan2(x[1], x[0]) * 4) / Math.PI;
    const wall = Math.floor(cell + 0.5);
    if (Math.abs(cell - wall) > 0.1) return true;
    const w = (wall + 8) % 8;
    if (w === 0) return false;
    const tube = Math.abs(Math.atan2(x[2], Math.sqrt(x[0] * x[0] + x[1] * x[1]) - 2));
    return w % 2 === 1 ? tube < 0.2 : tube > Math.PI - 0.2;
  },
};

const chain = {
  name: 'chain',
  bound: 5,
  constraint: {
    dimension: 3 * LINKS,
    equations: LINKS + 1,
    evaluate(f, x) {
      for (let i = 0; i < LINKS; i++) {
        let s = 0;
        for (let c = 0; c < 3; c++) {
          const d = x[3 * i + c] - (i > 0 ? x[3 * i - 3 + c] : 0);
          s += d * d;
        }
        f[i] = Math.sqrt(s) - 1;
      }
      f[LINKS] = length3(x[12], x[13], x[14]) - 2.5;
    },
    jacobian(J, x) {
      J.fill(0);
      for (let i = 0; i < LINKS; i++) {
        const at = 3 * i;
        const before = i > 0 ? at - 3 : -1;
        const u = before < 0 ? x[0] : x[at] - x[before];
        const v = before < 0 ? x[1] : x[at + 1] - x[before + 1];
        const w = before < 0 ? x[2] : x[at + 2] - x[before + 2];
        const s = length3(u, v, w);
        J[15 * i + at] = u / s;
        J[15 * i + at + 1] = v / s;
        J[15 * i + at + 2] = w / s;
        if (before >= 0) for (let c = 0; c < 3; c++) J[15 * i + before + c] = -J[15 * i + at + c];
      }
      const s = length3(x[12], x[13], x[14]);
      for (let c = 0; c < 3; c++) J[15 * LINKS + 12 + c] = x[12 + c] / s;
    },
  },
  isValid(x) {
    for (let i = 0; i < LINKS; i++)
      for (let j = -1; j < i - 1; j++) {
        let s = 0;
        for (let c = 0; c < 3; c++) {
          const d = x[3 * i + c] - (j < 0 ? 0 : x[3 * j + c]);
          s += d * d;
        }
        if (s < 0.04) return false;
      }
    if (Math.abs(x[12] + 1.2) < 0.15) return Math.abs(x[13]) < 0.3 && x[14] > 0;
    if (Math.abs(x[12] - 1.2) < 0.15) return Math.abs(x[13]) < 0.3 && x[14] < 0;
    return true;
  },
};

// Of the loop: the first two are near its ends, where it swings through.
const discs = [
  [-1.1, 0, 0.5],
  [4.1, 0, 0.5],
  [-0.9, 1.8, 0.4],
  [3.9, -1.8, 0.4],
];

const loop = {
  name: 'loop',
  bound: Math.PI,
  constraint: {
    dimension: 8,
    equations: 2,
    evaluate(f, q) {
      let a = 0;
      f[0] = -3;
      f[1] = 0;
      for (let i = 0; i < 8; i++) {
        a += q[i];
        f[0] += Math.cos(a);
        f[1] += Math.sin(a);
      }
    },
    jacobian(J, q) {
      let a = 0;
      for (let i = 0; i < 8; i++) {
        a += q[i];
        J[i] = -Math.sin(a);
        J[8 + i] = Math.cos(a);
      }
      for (let i = 6; i >= 0; i--) {
        J[i] += J[i + 1];
        J[8 + i] += J[9 + i];
      }
    },
  },
  isValid(q) {
    let [a, x, y] = [0, 0, 0];
    for (let i = 0; i < 8; i++) {
      a += q[i];
      const c = Math.cos(a);
      const s = Math.sin(a);
      for (let d = 0; d < discs.length; d++)
        for (let t = 0.5; t <= 1; t += 0.5) {
          const u = x + t * c - discs[d][0];
          const v = y + t * s - discs[d][1];
          if (u * u + v * v < discs[d][2] * discs[d][2]) return false;
        }
      x += c;
      y += s;
    }
    return true;
  },
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

function planOurs({ bound, constraint, isValid }, ends, seed) {
  const n = constraint.dimension;
  const lower = new Float64Array(n).fill(-bound);
  const begin = cpu();
  const space = createConstrainedSpace(createRealVectorSpace({ lower, upper: lower.map((x) => -x) }), constraint);
  const found = planPath({
    ...{ space, checker: { isValid }, start: ends.slice(0, n), goals: [ends.slice(n)], seed },
    // As OMPL chooses it: a fifth of the extent.
    range: 0.4 * bound * Math.sqrt(n),
    ...{ resolution: 0.1, verifyResolution: Number.POSITIVE_INFINITY },
  });
  const us = cpu() - begin;
  const residual = Math.max(...found.path.map((q) => space.residual(q)));
  const gap = Math.max(...found.path.slice(1).map((q, i) => space.distance(found.path[i], q)));
  return { us, solved: found.status === 'solved', residual, gap, states: found.path.length };
}

export async function* run() {
  const program = buildNative('planning-constrained-ompl', ['ompl', 'eigen3']);
  if (!program) return;
  const peer = startNative(program);
  const progress = startProgress(suite);
  const problems = [sphere, torus, chain, loop];
  // Ours in a row: an engine that waits for seconds between two plans drops what it has compiled.
  const oursOf = new Map();
  for (const problem of problems) {
    const line = await peer.ask(`ends ${problem.name} projection 1 1 1e-4`);
    const numbers = line.trim().split(' ').map(Number);
    const ends = Float64Array.from(numbers.slice(0, 2 * problem.constraint.dimension));
    for (let seed = 1; seed <= 30; seed++) planOurs(problem, ends, 1000 + seed);
    oursOf.set(
      problem,
      Array.from({ length: seeds }, (_, i) => planOurs(problem, ends, i + 1)),
    );
  }
  for (const problem of problems) {
    const ours = oursOf.get(problem);
    const theirs = spaces.map(() => []);
    for (let seed = 1; seed <= seeds; seed++) {
      progress.update((seed - 1) / seeds);
      for (const [i, space] of spaces.entries()) {
        const answer = await peer.ask(`plan ${problem.name} ${space} ${seed} ${seconds} 1e-4`);
        const [us, solved, states, residual] = answer.split(' ').map(Number);
        theirs[i].push({ us, solved: solved === 1, states, residual });
      }
    }
    const row = (name, values) => ({ suite, case: `${problem.name}, ${name}`, spread: 0, n: seeds, ...values });
    const timesOf = (list) => list.map(({ us }) => us);
    const solvedOf = (list) => list.filter(({ solved }) => solved).length;
    for (const [i, space] of spaces.entries()) {
      const peerName = `OMPL, ${space}`;
      for (const [name, of] of [
        ['median', median],
        ['mean', mean],
      ]) {
        const pair = [of(timesOf(ours)), of(timesOf(theirs[i]))];
        yield row(name, { ours: pair[0], peer: pair[1], peerName, ratio: pair[0] / pair[1], unit: 'us' });
      }
      yield row('solved', {
        ours: solvedOf(ours),
        peer: solvedOf(theirs[i]),
        peerName,
        ratio: null,
        unit: 'of the seeds',
      });
      const residuals = [ours, theirs[i]].map((list) => Math.max(...list.map(({ residual }) => residual)));
      yield row('largest |f|', { ours: residuals[0], peer: residuals[1], peerName, ratio: null, unit: '' });
    }
    yield row('longest step', {
      ...{ ours: Math.max(...ours.map(({ gap }) => gap)), peer: null, peerName: null, ratio: null, unit: '' },
    });
  }
  progress.stop();
  peer.close();
}

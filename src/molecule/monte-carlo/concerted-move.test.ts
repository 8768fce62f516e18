import { describe, expect, it } from 'vitest';
import { createChainTree } from '../../chain/chain-tree.js';
import { createRandom } from '../../math/random.js';
import { createTransform } from '../../math/transform.js';
import { buildMolecule } from '../build-molecule.js';
import { buildPeptide } from '../peptide.js';
import { createProteinChain } from '../protein-chain.js';
import { ProteinState } from '../protein-state.js';
import { createConcertedMove } from './concerted-move.js';
import { MonteCarlo } from './monte-carlo.js';
import { IMPOSSIBLE } from './move.js';

const none = { total: 0, listTerms: () => ({}), update: () => 0, undo: () => undefined };

function createConformation(sequence: string, seed: number) {
  const random = createRandom(seed);
  const angle = () => random.uniform(-Math.PI, Math.PI);
  const torsions = Array.from(sequence, () => ({ phi: angle(), psi: angle() }));
  const protein = createProteinChain(buildMolecule(buildPeptide(sequence, torsions)), {
    overlap: 4,
    sideChains: 'rigid',
  });
  return new ProteinState(protein, createChainTree(protein.chain));
}

/** By elimination with row exchange; `rows` is used up. */
function determinant(rows: number[][]): number {
  let value = 1;
  for (let k = 0; k < rows.length; k++) {
    let best = k;
    for (let r = k + 1; r < rows.length; r++) if (Math.abs(rows[r][k]) > Math.abs(rows[best][k])) best = r;
    if (best !== k) value = -value;
    [rows[k], rows[best]] = [rows[best], rows[k]];
    value *= rows[k][k];
    for (let r = k + 1; r < rows.length; r++) {
      const factor = rows[r][k] / rows[k][k];
      for (let c = k; c < rows.length; c++) rows[r][c] -= factor * rows[k][c];
    }
  }
  return value;
}

describe('createConcertedMove', () => {
  it.each([7, 8, 10])('%i torsions turn and the chain on both sides stays', (count) => {
    const conformation = createConformation('AGPASAKPWAAGA', 1);
    const { protein, state } = conformation;
    const move = createConcertedMove(protein, count, 0.3);
    const random = createRandom(count);
    const [before, after] = [createTransform(), createTransform()];
    let made = 0;
    for (let step = 0; step < 500; step++) {
      const factor = move.propose(conformation, random);
      if (factor === IMPOSSIBLE) continue;
      made++;
      expect(Number.isFinite(factor)).toBe(true);
      state.relativePose(before, 0, protein.linkCount - 1);
      conformation.apply();
      expect(conformation.changedCount).toBe(count);
      const first = Math.min(...conformation.changed.subarray(0, count));
      const last = Math.max(...conformation.changed.subarray(0, count));
      const [near, far] = [protein.torsions[first].link - 1, protein.torsions[last].link];
      state.relativePose(after, 0, protein.linkCount - 1);
      for (let k = 0; k < 12; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-10);
      expect(far - near).toBeGreaterThanOrEqual(count);
      if (step % 3 === 0) conformation.undo();
    }
    expect(made).toBeGreaterThan(250);
  });

  it('visits the closed conformations of one window as often as uniform torsions would', () => {
    // Exactly seven torsions: what keeps the end is a curve x(t). Along dx_k/dt = (-1)^k det(J without column k), which keeps
    // the end, the measure that uniform torsions induce is dt itself: |dx/dt| = sqrt(det(J J^T)) by Cauchy and Binet.
    const conformation = createConformation('AAAA', 24);
    const { protein } = conformation;
    const positions = protein.molecule.positions.slice();
    const end = protein.atoms[protein.atoms.length - 1];
    expect(protein.torsions.length).toBe(7);
    const velocity = (x: Float64Array): Float64Array => {
      x.forEach((angle, i) => {
        conformation.stage(i, angle);
      });
      conformation.apply();
      conformation.writePositions(positions);
      const at = (atom: number) => [0, 1, 2].map((k) => positions[3 * atom + k]);
      const columns = protein.torsions.map(({ atoms: [, b, c] }) => {
        const [p, q] = [at(b), at(c)];
        const length = Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
        const u = [0, 1, 2].map((k) => (q[k] - p[k]) / length);
        const r = at(end).map((value, k) => value - p[k]);
        return [...u, u[1] * r[2] - u[2] * r[1], u[2] * r[0] - u[0] * r[2], u[0] * r[1] - u[1] * r[0]];
      });
      return Float64Array.from({ length: 7 }, (_, k) => {
        const minor = determinant(columns.filter((_, c) => c !== k).map((column) => [...column]));
        return k % 2 === 0 ? minor : -minor;
      });
    };
    const start = conformation.torsions.slice();
    const add = (x: Float64Array, v: Float64Array, h: number) => x.map((value, i) => value + h * v[i]);
    const apart = (x: Float64Array, y: Float64Array) =>
      Math.hypot(...Array.from(x, (value, i) => Math.abs(Math.sin((value - y[i]) / 2)) * 2));
    const curve = [start];
    const slowness = Math.hypot(...velocity(start));
    const h = 0.02 / slowness;
    for (let x = start, left = false; !(left && apart(x, start) < 0.03); ) {
      expect(curve.length).toBeLessThan(4000);
      const k1 = velocity(x);
      const k2 = velocity(add(x, k1, h / 2));
      const k3 = velocity(add(x, k2, h / 2));
      const k4 = velocity(add(x, k3, h));
      x = x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
      left ||= apart(x, start) > 0.5;
      curve.push(x);
    }
    velocity(start);
    const simulation = new MonteCarlo(conformation, none, {
      moves: [{ move: createConcertedMove(protein, 7, 0.4), weight: 1 }],
      temperature: 300,
      seed: 8,
      hardCore: false,
    });
    const [bins, samples] = [10, 2000];
    const counts = new Array<number>(bins).fill(0);
    let farthest = 0;
    for (let i = 0; i < samples; i++) {
      simulation.run(40);
      const distances = curve.map((x) => apart(x, conformation.torsions));
      const nearest = Math.min(...distances);
      farthest = Math.max(farthest, nearest);
      counts[Math.floor((bins * distances.indexOf(nearest)) / curve.length)]++;
    }
    expect(farthest).toBeLessThan(0.1);
    const chiSquare = counts.reduce((sum, n) => sum + (n - samples / bins) ** 2 / (samples / bins), 0);
    // 99.99 % quantile for 9 degrees of freedom.
    expect(chiSquare).toBeLessThan(33.7);
    const [local] = simulation.listMoves();
    expect(local.accepted / local.proposed).toBeGreaterThan(0.2);
  });
});

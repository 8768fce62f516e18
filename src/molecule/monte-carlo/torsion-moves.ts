/**
 * Monte Carlo moves that turn one torsion or a few, all symmetric: the reverse move has the same density, so the acceptance
 * needs the energies alone.
 *
 *   torsion     one backbone torsion by up to `size` either way
 *   torsions    `count` different backbone torsions, each by a normal deviate of width `size`
 *   pivot       phi and psi of a residue, as far as they turn, to anywhere
 *   crankshaft  psi by an angle and the next phi back by it, up to `size`: the peptide plane between two C alphas turns
 *               about them, the chain beyond hardly moves as both axes are nearly parallel
 *   chi         one side-chain torsion by up to `size` either way
 *   rotamer     all chi angles of a residue, each to one of its three staggered positions (a turn of 120 degrees either
 *               way or none) with a normal deviate of width `size`
 *
 * Source: Metropolis, Rosenbluth, Rosenbluth, Teller, Teller 1953, "Equation of state calculations by fast computing
 * machines", doi:10.1063/1.1699114; Madras, Sokal 1988, "The pivot algorithm: a highly efficient Monte Carlo method for
 * the self-avoiding walk", doi:10.1007/BF01022990; Li, Scheraga 1987, "Monte Carlo-minimization approach to the
 * multiple-minima problem in protein folding", doi:10.1073/pnas.84.19.6611.
 * Checked by monte-carlo.test.ts: each alone and all together leave free torsions uniform.
 */
import { requireCount, requireFinite } from '../../math/arguments.js';
import type { SeededRandom } from '../../math/random.js';
import type { ProteinChain } from '../protein-chain.js';
import { requireProtein } from '../protein-chain.js';
import type { ProteinState } from '../protein-state.js';
import { IMPOSSIBLE, type Move } from './move.js';

const THIRD = (2 * Math.PI) / 3;

/** Torsions by index. */
function backboneOf(protein: ProteinChain): number[] {
  return protein.torsions.flatMap(({ name }, i) => (name === 'chi' ? [] : [i]));
}

function groupByResidue(protein: ProteinChain, names: readonly string[]): number[][] {
  const groups = new Map<number, number[]>();
  protein.torsions.forEach(({ name, residue }, i) => {
    if (!names.includes(name)) return;
    const group = groups.get(residue);
    if (group) group.push(i);
    else groups.set(residue, [i]);
  });
  return [...groups.values()];
}

const pick = <T>(items: readonly T[], random: SeededRandom): T => items[random.integer(items.length)];

function turn(conformation: ProteinState, torsion: number, angle: number): void {
  conformation.stage(torsion, conformation.torsions[torsion] + angle);
}

function requireSized(call: string, protein: ProteinChain, size: number): void {
  requireProtein(call, protein);
  requireFinite(call, 'size', size);
}

export function createTorsionMove(protein: ProteinChain, size: number): Move {
  requireSized('createTorsionMove', protein, size);
  return turnOne('torsion', backboneOf(protein), size);
}

export function createChiMove(protein: ProteinChain, size: number): Move {
  requireSized('createChiMove', protein, size);
  const torsions = protein.torsions.flatMap(({ name }, i) => (name === 'chi' ? [i] : []));
  return turnOne('chi', torsions, size);
}

function turnOne(name: string, torsions: readonly number[], size: number): Move {
  return {
    name,
    propose: (conformation, random) => {
      if (torsions.length === 0) return IMPOSSIBLE;
      turn(conformation, pick(torsions, random), random.uniform(-size, size));
      return 0;
    },
  };
}

export function createSeveralTorsionsMove(protein: ProteinChain, count: number, size: number): Move {
  requireSized('createSeveralTorsionsMove', protein, size);
  requireCount('createSeveralTorsionsMove', 'count', count, 1);
  const torsions = backboneOf(protein);
  const drawn = new Int32Array(Math.min(count, torsions.length));
  return {
    name: 'torsions',
    propose: (conformation, random) => {
      if (torsions.length < count) return IMPOSSIBLE;
      for (let i = 0; i < count; ) {
        const torsion = pick(torsions, random);
        if (drawn.subarray(0, i).includes(torsion)) continue;
        drawn[i++] = torsion;
        turn(conformation, torsion, size * random.normal());
      }
      return 0;
    },
  };
}

export function createPivotMove(protein: ProteinChain): Move {
  requireProtein('createPivotMove', protein);
  const residues = groupByResidue(protein, ['phi', 'psi']);
  return {
    name: 'pivot',
    propose: (conformation, random) => {
      if (residues.length === 0) return IMPOSSIBLE;
      for (const torsion of pick(residues, random)) conformation.stage(torsion, random.uniform(-Math.PI, Math.PI));
      return 0;
    },
  };
}

export function createCrankshaftMove(protein: ProteinChain, size: number): Move {
  requireSized('createCrankshaftMove', protein, size);
  const phiBehind = new Map<number, number>();
  protein.torsions.forEach(({ name, link }, phi) => {
    const before = protein.parents[link];
    if (name === 'phi' && !phiBehind.has(before)) phiBehind.set(before, phi);
  });
  const pairs = protein.torsions.flatMap(({ name, link }, psi): [number, number][] => {
    const phi = name === 'psi' ? phiBehind.get(link) : undefined;
    return phi === undefined ? [] : [[psi, phi]];
  });
  return {
    name: 'crankshaft',
    propose: (conformation, random) => {
      if (pairs.length === 0) return IMPOSSIBLE;
      const [psi, phi] = pick(pairs, random);
      const angle = random.uniform(-size, size);
      turn(conformation, psi, angle);
      turn(conformation, phi, -angle);
      return 0;
    },
  };
}

export function createRotamerMove(protein: ProteinChain, size: number): Move {
  requireSized('createRotamerMove', protein, size);
  const residues = groupByResidue(protein, ['chi']);
  return {
    name: 'rotamer',
    propose: (conformation, random) => {
      if (residues.length === 0) return IMPOSSIBLE;
      for (const torsion of pick(residues, random)) {
        turn(conformation, torsion, THIRD * (random.integer(3) - 1) + size * random.normal());
      }
      return 0;
    },
  };
}

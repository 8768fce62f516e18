/** Moves by name, with the sizes that they have unless told otherwise. */

import { requirePositiveNumber, throwMisuse } from '../../math/arguments.js';
import { isRecord } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import type { ProteinChain } from '../protein-chain.js';
import { requireProtein } from '../protein-chain.js';
import { createConcertedMove } from './concerted-move.js';
import type { WeightedMove } from './monte-carlo.js';
import type { Move } from './move.js';
import {
  createChiMove,
  createCrankshaftMove,
  createPivotMove,
  createRotamerMove,
  createSeveralTorsionsMove,
  createTorsionMove,
} from './torsion-moves.js';

export type MoveName = 'torsion' | 'torsions' | 'pivot' | 'crankshaft' | 'local' | 'chi' | 'rotamer';

interface MoveKind {
  readonly create: (protein: ProteinChain) => Move;
  readonly weight: number;
  /** Whether the protein has what the move turns. */
  readonly fits: (protein: ProteinChain) => boolean;
}

const DEGREE = Math.PI / 180;
const hasChi = (protein: ProteinChain) => protein.torsions.some(({ name }) => name === 'chi');
const hasBackbone = (protein: ProteinChain, least: number) =>
  protein.torsions.filter(({ name }) => name !== 'chi').length >= least;

const kinds: Readonly<Record<MoveName, MoveKind>> = {
  torsion: { create: (p) => createTorsionMove(p, 10 * DEGREE), weight: 3, fits: (p) => hasBackbone(p, 1) },
  torsions: { create: (p) => createSeveralTorsionsMove(p, 3, 3 * DEGREE), weight: 1, fits: (p) => hasBackbone(p, 3) },
  pivot: { create: createPivotMove, weight: 0.5, fits: (p) => hasBackbone(p, 1) },
  crankshaft: { create: (p) => createCrankshaftMove(p, 30 * DEGREE), weight: 2, fits: (p) => hasBackbone(p, 2) },
  local: { create: (p) => createConcertedMove(p, 7, 8 * DEGREE), weight: 2, fits: (p) => hasBackbone(p, 7) },
  chi: { create: (p) => createChiMove(p, 20 * DEGREE), weight: 3, fits: hasChi },
  rotamer: { create: (p) => createRotamerMove(p, 10 * DEGREE), weight: 1, fits: hasChi },
};

export const MOVE_NAMES = Object.keys(kinds) as readonly MoveName[];

export function requireWeights(call: string, what: string, names: unknown): void {
  if (!isRecord(names)) throwMisuse(call, what, names, 'an object of weights by name');
  for (const [name, weight] of Object.entries(names)) {
    if (!Object.hasOwn(kinds, name)) throwMisuse(call, what, name, `one of ${MOVE_NAMES.join(', ')}`);
    if (weight !== undefined) requirePositiveNumber(call, `${what}.${name}`, weight);
  }
}

/**
 * The moves named, with their weights where given; all that fit the protein when left out. A move that the protein has
 * nothing for is left out too. Throws RangeError for unknown names, and when none is left.
 */
export function createMoves(
  protein: ProteinChain,
  names?: Readonly<Record<string, number | undefined>>,
): WeightedMove[] {
  requireProtein('createMoves', protein);
  if (names !== undefined) requireWeights('createMoves', 'names', names);
  const wanted = names ?? Object.fromEntries(MOVE_NAMES.map((name) => [name, undefined]));
  const moves: WeightedMove[] = [];
  for (const [name, weight] of Object.entries(wanted)) {
    const kind = kinds[name as MoveName];
    if (kind.fits(protein)) moves.push({ move: kind.create(protein), weight: weight ?? kind.weight });
  }
  if (moves.length === 0) {
    const all = protein.torsions.length === 0;
    throw new MisuseError(
      all
        ? 'createMoves: protein, got no torsion that turns, expected residues with N, CA and C bonded to the next'
        : `createMoves: names, got ${Object.keys(wanted).join(', ')}, expected a move that the protein has torsions for`,
    );
  }
  return moves;
}

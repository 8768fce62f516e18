/** The least turn of one torsion that takes a clash away and leaves fewer clashes than there were. */
import type { Clash } from 'clearance/molecule';
import type { Conformation } from './conformation.js';

/** Degrees, both ways. */
const STEPS = [1, 2, 4, 6, 8, 12, 16, 24, 32, 45, 60, 90];
const MOST_TORSIONS = 40;
/** Atoms placed in all: what a page does between two frames that a user notices. */
const MOST_ATOMS = 3e6;

export interface TurnAway {
  readonly torsion: number;
  /** Radians, of the torsion after the turn. */
  readonly value: number;
  readonly clashes: number;
}

/** Null when no single turn does it, or none of those that were tried. The conformation is left as it was. */
export function findTurnAway(conformation: Conformation, { a, b }: Clash): TurnAway | null {
  const { protein } = conformation;
  const before = conformation.torsions.slice();
  const count = conformation.clashCount;
  const candidates = spread(listSeparating(conformation, a, b), MOST_TORSIONS);
  let left = Math.max(60, MOST_ATOMS / protein.atoms.length);
  let best: TurnAway | null = null;
  for (const step of STEPS) {
    for (const torsion of candidates) {
      for (const sign of [1, -1]) {
        if (left-- <= 0) return best;
        const value = wrap(before[torsion] + (sign * step * Math.PI) / 180);
        conformation.turn(torsion, value);
        const clashes = conformation.clashCount;
        const isBetter = clashes < (best?.clashes ?? count);
        if (isBetter && !conformation.listClashes().some((clash) => clash.a === a && clash.b === b)) {
          best = { torsion, value, clashes };
        }
        conformation.turn(torsion, before[torsion]);
      }
    }
    if (best) return best;
  }
  return null;
}

/** The torsions that move one of two atoms and not the other. */
function listSeparating({ protein }: Conformation, a: number, b: number): number[] {
  const { atoms, atomStarts, torsions } = protein;
  const [i, j] = [atoms.indexOf(a), atoms.indexOf(b)];
  const found: number[] = [];
  torsions.forEach(({ link, end }, torsion) => {
    const moves = (at: number): boolean => at >= atomStarts[link] && at < atomStarts[end];
    if (moves(i) !== moves(j)) found.push(torsion);
  });
  return found;
}

/** At most so many of them, evenly. */
function spread(all: readonly number[], most: number): number[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]);
}

/** Into (-pi, pi]. */
function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.ceil((angle - Math.PI) / (2 * Math.PI));
}

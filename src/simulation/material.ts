/**
 * Materials of pairs. Friction: geometric mean; restitution: the larger; soft surfaces as springs one behind the other:
 * stiffness k1 k2 / (k1 + k2), dissipation and exponent weighted by the other's stiffness, as the softer one gives way more.
 * Friction beyond MOST_FRICTION counts as that: a slope of 89.94 degrees. With more, a contact's normal velocity is lost in the rounding
 * of friction times its sliding, and what is held by it sinks in. Tested by world.test.ts and test/regression/simulated-extremes.test.ts.
 */
import { requireNumberThat } from '../math/arguments.js';
import { requireKnownKeys } from '../math/known-keys.js';
import type { Material } from './definition.js';

export const MOST_FRICTION = 1000;

/** Forces of stiffer springs are no numbers any more. */
const STIFFEST = 1e100;

export interface PairMaterial {
  readonly friction: number;
  readonly restitution: number;
  readonly stiffness: number;
  readonly dissipation: number;
  readonly exponent: number;
}

export const DEFAULT_MATERIAL: Required<Material> = {
  friction: 0.5,
  restitution: 0,
  stiffness: 1e5,
  dissipation: 1,
  exponent: 1,
};

export function combineMaterials(a: Required<Material>, b: Required<Material>): PairMaterial {
  const sum = a.stiffness + b.stiffness;
  const share = b.stiffness / sum;
  return {
    friction: Math.min(MOST_FRICTION, Math.sqrt(a.friction * b.friction)),
    restitution: Math.max(a.restitution, b.restitution),
    stiffness: (a.stiffness * b.stiffness) / sum,
    dissipation: share * a.dissipation + (1 - share) * b.dissipation,
    exponent: share * a.exponent + (1 - share) * b.exponent,
  };
}

interface MaterialRange {
  readonly isRight: (x: number) => boolean;
  readonly expected: string;
}

const RANGES: Readonly<Record<keyof Material, MaterialRange>> = {
  friction: { isRight: (x) => x >= 0 && x <= STIFFEST, expected: `a number from 0 to ${STIFFEST}` },
  restitution: { isRight: (x) => x >= 0 && x <= 1, expected: 'a number from 0 to 1' },
  stiffness: { isRight: (x) => x > 0 && x <= STIFFEST, expected: `a number above 0, at most ${STIFFEST}` },
  dissipation: { isRight: (x) => x >= 0 && x <= STIFFEST, expected: `a number from 0 to ${STIFFEST}` },
  exponent: { isRight: (x) => x > 0 && x <= STIFFEST, expected: `a number above 0, at most ${STIFFEST}` },
};

export function requireMaterialNumber(name: keyof Material, of: string, value: unknown): void {
  const { isRight, expected } = RANGES[name];
  requireNumberThat('createWorld', `${name} of ${of}`, value, isRight, expected);
}

/** What is not said is the default's. */
export function readMaterial(of: string, material: Material = {}): Required<Material> {
  const names = Object.keys(DEFAULT_MATERIAL) as (keyof Material)[];
  requireKnownKeys('createWorld', `material of ${of}`, material, names);
  const whole = { ...DEFAULT_MATERIAL, ...material };
  for (const name of names) requireMaterialNumber(name, of, whole[name]);
  return whole;
}

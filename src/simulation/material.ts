/**
 * Materials of pairs. Friction: geometric mean; restitution: the larger; soft surfaces as springs one behind the other:
 * stiffness k1 k2 / (k1 + k2), dissipation and exponent weighted by the other's stiffness, as the softer one gives way more.
 * Tested by world.test.ts.
 */
import type { Material } from './definition.js';

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
    friction: Math.sqrt(a.friction * b.friction),
    restitution: Math.max(a.restitution, b.restitution),
    stiffness: (a.stiffness * b.stiffness) / sum,
    dissipation: share * a.dissipation + (1 - share) * b.dissipation,
    exponent: share * a.exponent + (1 - share) * b.exponent,
  };
}

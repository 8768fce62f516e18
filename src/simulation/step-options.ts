/** How a world is stepped, with defaults; see `StepOptions`. */
import { requireCount, requireNotNegative, requireOneOf, requirePositiveNumber } from '../math/arguments.js';
import type { StepOptions } from './definition.js';

export type ResolvedStep = Required<Omit<StepOptions, 'relaxed' | 'iterations' | 'tolerance'>> & {
  readonly iterations: { readonly gaussSeidel: number; readonly proximal: number };
  readonly tolerance: { readonly gaussSeidel: number; readonly proximal: number };
  readonly solref: readonly [number, number];
  readonly solimp: readonly [number, number, number, number, number];
  readonly impratio: number;
};

export function resolveStep(options: StepOptions): ResolvedStep {
  const {
    step = 0.001,
    substeps = 1,
    contact = 'rigid',
    solver = 'auto',
    cone = 'elliptic',
    integrator = 'semi-implicit',
    iterations,
    tolerance,
    margin = 0.002,
    slop = 1e-5,
    correction = 0.2,
    slipSpeed = 1e-3,
    sleepSpeed = 0,
    relaxed = {},
  } = options;
  const call = 'createWorld';
  requirePositiveNumber(call, 'step', step);
  requireCount(call, 'substeps', substeps, 1);
  requireOneOf(call, 'contact', contact, ['rigid', 'soft', 'relaxed']);
  requireOneOf(call, 'solver', solver, ['auto', 'gauss-seidel', 'proximal']);
  requireOneOf(call, 'cone', cone, ['elliptic', 'pyramidal']);
  requireOneOf(call, 'integrator', integrator, ['semi-implicit', 'rk4']);
  if (iterations !== undefined) requireCount(call, 'iterations', iterations, 1);
  for (const [what, value] of Object.entries({ margin, slop, correction, sleepSpeed, tolerance: tolerance ?? 0 }))
    requireNotNegative(call, what, value);
  requirePositiveNumber(call, 'slipSpeed', slipSpeed);
  return {
    step,
    substeps,
    contact,
    solver,
    cone,
    integrator,
    iterations: { gaussSeidel: iterations ?? 50, proximal: iterations ?? 60 },
    tolerance: { gaussSeidel: tolerance ?? 1e-7, proximal: tolerance ?? 1e-9 },
    margin,
    slop,
    correction,
    slipSpeed,
    sleepSpeed,
    solref: relaxed.solref ?? [0.02, 1],
    solimp: relaxed.solimp ?? [0.9, 0.95, 0.001, 0.5, 2],
    impratio: relaxed.impratio ?? 1,
  };
}

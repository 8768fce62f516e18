/** What a compiled module is made for; part of its bytes, so that they say what they hold. */

import type { DynamicsOptions } from '../dynamics/dynamics-data.js';
import {
  type Fields,
  numbers,
  requireFinite,
  requireFlag,
  requireList,
  requireNumbers,
  requireOptions,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import type { Lanes } from './instruction-writer.js';

const OPTIONS: Fields = {
  algorithms: requireList,
  gravity: numbers,
  armature: numbers,
  damping: numbers,
  friction: numbers,
  movable: requireFlag,
  externalForces: requireFlag,
  snap: requireFinite,
};

export type CompiledAlgorithm =
  | 'forwardKinematics'
  | 'jointJacobians'
  | 'rnea'
  | 'crba'
  | 'aba'
  | 'rneaDerivatives'
  | 'abaDerivatives';

const COMPILED_ALGORITHMS: readonly CompiledAlgorithm[] = [
  'forwardKinematics',
  'jointJacobians',
  'rnea',
  'crba',
  'aba',
  'rneaDerivatives',
  'abaDerivatives',
];

const DEFAULT_ALGORITHMS = COMPILED_ALGORITHMS.filter((name) => !name.endsWith('Derivatives'));

export interface CompileOptions {
  /** Default all but the derivatives, whose memory grows with nv^2. */
  readonly algorithms?: readonly CompiledAlgorithm[];
  /** World axes, m/s^2. Default (0, 0, -9.81). */
  readonly gravity?: ArrayLike<number>;
  /** Rotor inertia seen at the joint, one number per v, kg m^2 or kg. Default 0. */
  readonly armature?: ArrayLike<number>;
  /** Joint friction as in `DynamicsOptions`, one number per v. Default 0. */
  readonly damping?: ArrayLike<number>;
  readonly friction?: ArrayLike<number>;
  /**
   * False (default): the base stands where the model puts it and gravity is a constant of the code. True: both are read
   * from the data at every call, at the cost of full products at the joints on the base.
   */
  readonly movable?: boolean;
  /** Whether RNEA and ABA take external forces; they then always add them. Default false. */
  readonly externalForces?: boolean;
  /**
   * Entries of joint placements at most this far from 0, 1 or -1 count as such, which removes operations. Default 0: the
   * model's numbers as they are. An entry of a rotation changes by at most `snap`, a position by at most `snap` metres: the
   * position of joint j moves by at most snap (n + 2 L), n the number of joints before it and L the length of its chain.
   */
  readonly snap?: number;
}

export interface ResolvedOptions {
  readonly lanes: Lanes;
  readonly algorithms: readonly CompiledAlgorithm[];
  readonly gravity: readonly number[];
  readonly armature: readonly number[];
  readonly damping: readonly number[];
  readonly friction: readonly number[];
  readonly movable: boolean;
  readonly externalForces: boolean;
  readonly snap: number;
}

export function resolveOptions(model: Model, lanes: Lanes, options: CompileOptions): ResolvedOptions {
  requireModel('compileModel', model);
  requireOptions('compileModel', options, OPTIONS);
  if (options.gravity !== undefined) requireNumbers('compileModel', 'gravity', options.gravity, 3);
  const gravity = Array.from(options.gravity ?? [0, 0, -9.81]);
  const perVelocity = (name: 'armature' | 'damping' | 'friction'): number[] => {
    const values = Array.from(options[name] ?? new Float64Array(model.nv));
    requireNumbers('compileModel', name, values, model.nv);
    return values;
  };
  const snap = options.snap ?? 0;
  const algorithms = options.algorithms ?? DEFAULT_ALGORITHMS;
  if (!(snap >= 0 && snap < 0.1)) throw new MisuseError(`compileModel: snap, got ${snap}, expected 0 to 0.1`);
  for (const algorithm of algorithms) {
    if (!COMPILED_ALGORITHMS.includes(algorithm)) {
      throw new MisuseError(
        `compileModel: algorithms, got ${describeValue(algorithm)}, expected ${COMPILED_ALGORITHMS.join(', ')}`,
      );
    }
  }
  return {
    lanes,
    algorithms: COMPILED_ALGORITHMS.filter((algorithm) => algorithms.includes(algorithm)),
    gravity,
    armature: perVelocity('armature'),
    damping: perVelocity('damping'),
    friction: perVelocity('friction'),
    movable: options.movable ?? false,
    externalForces: options.externalForces ?? false,
    snap,
  };
}

/** What of the options the data is made for. */
export function dynamicsOf({ gravity, armature, damping, friction }: ResolvedOptions): DynamicsOptions {
  return { gravity, armature, damping, friction };
}

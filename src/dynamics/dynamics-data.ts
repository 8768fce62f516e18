/**
 * Scratch and results of the dynamics of one robot. Joint space: q, v, a (accelerations), tau (torques and forces), M.
 * Bodies are the joints' bodies: body j moves with joint j, fixed links merged into it; body 0 is the base, whose mass never
 * counts. Matrices are row-major, nv x nv unless said otherwise. Nothing else is allocated by the algorithms of this folder.
 *
 *   array              stride  index   content
 *   bodyInertias       10      joint   spatial inertia in the joint frame (math/inertia.ts)
 *   bodyMoments        10      joint   mass, first moment, and 1/2 tr(I) 1 - I of that inertia: xx xy xz yy yz zz
 *   jointUnits         1       joint   i when the joint has one column, the i-th unit vector (3 + k: a turn about axis k); -1 otherwise
 *   forces             6       joint   [force, moment] in the joint frame, at its origin
 */

import { createMotionData, type MotionData } from '../kinematics/motion-data.js';
import { type Fields, numbers, requireNumbers, requireOptions, throwMisuse } from '../math/arguments.js';
import { writeSpatialInertia } from '../math/inertia.js';
import { createData, type Data, type Model, requireModel } from '../model/model.js';
import type { HeldBlock } from './derivative-block.js';
import type { HeldRecursions } from './recursion-views.js';
import { createInverseFactors, type InverseFactors } from './support-chains.js';
import { createZeroFrames, type ZeroFrames } from './zero-frames.js';

/** Lengths are looked at where the fields are read. */
export const DYNAMICS_OPTIONS: Fields = { gravity: numbers, armature: numbers, damping: numbers, friction: numbers };

export interface DynamicsOptions {
  /** World axes, m/s^2. Default (0, 0, -9.81). */
  readonly gravity?: ArrayLike<number>;
  /** Rotor inertia seen at the joint, one number per v, kg m^2 or kg; added to the diagonal of M. Default 0. */
  readonly armature?: ArrayLike<number>;
  /**
   * Viscous and dry friction of the joints, one number per v: they take damping v + friction sign(v) of the torques (N m s/rad
   * or N s/m, and N m or N), nothing at v = 0. Default 0; `readJointFriction` gives what the robot's file says.
   */
  readonly damping?: ArrayLike<number>;
  readonly friction?: ArrayLike<number>;
}

export interface DynamicsData extends MotionData, InverseFactors {
  /** World placements; the base stands where `setBasePlacement(data.kinematics, X_WB)` puts it. */
  readonly kinematics: Data;
  readonly gravity: Float64Array;
  readonly armature: Float64Array;
  readonly damping: Float64Array;
  readonly friction: Float64Array;
  readonly bodyInertias: Float64Array;
  readonly bodyMoments: Float64Array;
  readonly jointUnits: Int8Array;
  /** Frames of `crba`. */
  readonly zeroFrames: ZeroFrames;
  /** Of `crba`: the inertia of each subtree in the frame of `zeroFrames`, 10 per joint. */
  readonly compositeInertias: Float64Array;
  readonly forces: Float64Array;
  /** Of `rnea`, 18 per joint: angular velocity, angular acceleration, classical acceleration of the origin; Psi. */
  readonly bodyMotions: Float64Array;
  /** Whether some joint mimics: M then is summed over pairs of columns, and loses its sparsity. */
  readonly hasMimic: boolean;
  /** Whether some body between joints has no mass or no inertia of its own: then pivots of ABA may be rests of rounding. */
  readonly hasLightBodies: boolean;
  /** Of `aba`, for robots with light bodies: the inertia of each subtree in the common frame, 10 per joint. */
  readonly subtreeInertias: Float64Array;

  /** Result of `rnea`; argument copy of `aba`. */
  readonly tau: Float64Array;
  /** Result of `computeNonlinearEffects`: Coriolis, centrifugal, gravity and joint friction. */
  readonly nonlinearEffects: Float64Array;
  /** Result of `computeGravity`. */
  readonly gravityTorques: Float64Array;
  /** Result of `crba`. */
  readonly M: Float64Array;
  /** Result of `aba`. */
  readonly ddq: Float64Array;

  /** Result of `computeCoriolis`. */
  readonly C: Float64Array;
  /** Results of `computeRneaDerivatives`. */
  readonly dtauDq: Float64Array;
  readonly dtauDv: Float64Array;
  /** Result of `computeInverseInertia`. */
  readonly inverseM: Float64Array;
  /** Results of `computeAbaDerivatives`. */
  readonly ddqDq: Float64Array;
  readonly ddqDv: Float64Array;
  /** Results of `computeCentroidal`. */
  readonly centroidalMatrix: Float64Array;
  readonly centroidalMatrixRate: Float64Array;
  readonly centroidalInertia: Float64Array;
  readonly momentum: Float64Array;
  readonly momentumRate: Float64Array;
  readonly centerOfMass: Float64Array;

  /** Articulated inertias, 21 per joint (see aba.ts). */
  readonly articulatedInertias: Float64Array;
  /** What of them is there already (see aba.ts). */
  readonly articulatedStates: Uint8Array;
  /** p_A and V_parent x V, 6 per joint, of the same. */
  readonly biasForces: Float64Array;
  readonly biasAccelerations: Float64Array;
  /** Per column: I_c S of `crba` as carried last; of `aba` U = I_A S (6), 1 / D, u, D the inertia the joint feels along it. */
  readonly columnForces: Float64Array;
  readonly columnInverses: Float64Array;
  readonly columnTorques: Float64Array;
  /** Of the derivatives, in the kernel; null until they are asked for (see derivative-kernel.ts). */
  readonly derivativeBlock: HeldBlock;
  /** Of `rnea`, `crba` and `aba`, in the kernel (see recursions.ts). */
  readonly recursions: HeldRecursions;
  /** Factors of M and the sparsity they keep (see factorize-inertia.ts). */
  readonly factors: Float64Array;
  readonly factorParents: Int32Array;
  /** Per column: i when S is the i-th unit vector, as for joints along coordinate axes; -1 otherwise. */
  readonly columnUnits: Int8Array;

  /** Bodies in one common frame (see aligned.ts), whose origin in the world is `origin`. */
  readonly origin: Float64Array;
  readonly alignedVelocities: Float64Array;
  readonly alignedAccelerations: Float64Array;
  readonly alignedSubspaces: Float64Array;
  readonly alignedRates: Float64Array;
  readonly alignedInertias: Float64Array;
  readonly alignedMomenta: Float64Array;
  readonly alignedCoriolis: Float64Array;
  /** Per column: V_parent x S, A_parent x S + V_parent x (V_parent x S), and (V_parent + V) x S. */
  readonly parentRates: Float64Array;
  readonly parentAccelerations: Float64Array;
  readonly rateSums: Float64Array;
  /** Forces of the derivatives (see derivative-terms.ts). */
  readonly alignedForces: Float64Array;
  readonly forceRates: Float64Array;
}

export function createDynamicsData(model: Model, options: DynamicsOptions = {}): DynamicsData {
  requireModel('createDynamicsData', model);
  requireOptions('createDynamicsData', options, DYNAMICS_OPTIONS);
  const { jointCount, nv } = model;
  const gravity = readNumbers(options.gravity ?? [0, 0, -9.81], 3, 'gravity');
  const armature = readNumbers(options.armature ?? new Float64Array(nv), nv, 'armature');
  const damping = readNumbers(options.damping ?? new Float64Array(nv), nv, 'damping');
  const friction = readNumbers(options.friction ?? new Float64Array(nv), nv, 'friction');
  const motion = createMotionData(model);
  const columns = motion.columnVelocities.length;
  const columnUnits = Int8Array.from({ length: columns }, (_, c) => findUnit(motion.columnSubspaces, 6 * c));
  const jointUnits = Int8Array.from({ length: jointCount }, (_, j) => {
    const isSingle = motion.columnStarts[j + 1] - motion.columnStarts[j] === 1;
    return isSingle ? columnUnits[motion.columnStarts[j]] : -1;
  });
  const bodyInertias = new Float64Array(10 * jointCount);
  const bodyMoments = new Float64Array(10 * jointCount);
  const inertia = new Float64Array(10);
  for (let j = 0; j < jointCount; j++) {
    writeSpatialInertia(
      inertia,
      model.masses[j],
      model.centersOfMass.subarray(3 * j, 3 * j + 3),
      model.inertias.subarray(9 * j, 9 * j + 9),
    );
    bodyInertias.set(inertia, 10 * j);
    const half = 0.5 * (inertia[4] + inertia[7] + inertia[9]);
    for (let i = 0; i < 10; i++) {
      bodyMoments[10 * j + i] = i < 4 ? inertia[i] : (i === 4 || i === 7 || i === 9 ? half : 0) - inertia[i];
    }
  }
  const hasLightBodies = isLight(bodyInertias, jointCount);
  const factorParents = columns === nv ? motion.columnParents : Int32Array.from({ length: nv }, (_, i) => i - 1);
  return {
    ...motion,
    kinematics: createData(model),
    gravity,
    armature,
    damping,
    friction,
    bodyInertias,
    bodyMoments,
    jointUnits,
    zeroFrames: createZeroFrames(model, motion),
    compositeInertias: new Float64Array(10 * jointCount),
    forces: new Float64Array(6 * jointCount),
    bodyMotions: new Float64Array(18 * jointCount),
    hasMimic: columns !== nv,
    hasLightBodies,
    subtreeInertias: new Float64Array(hasLightBodies ? 10 * jointCount : 0),
    tau: new Float64Array(nv),
    nonlinearEffects: new Float64Array(nv),
    gravityTorques: new Float64Array(nv),
    M: new Float64Array(nv * nv),
    ddq: new Float64Array(nv),
    C: new Float64Array(nv * nv),
    dtauDq: new Float64Array(nv * nv),
    dtauDv: new Float64Array(nv * nv),
    inverseM: new Float64Array(nv * nv),
    ddqDq: new Float64Array(nv * nv),
    ddqDv: new Float64Array(nv * nv),
    centroidalMatrix: new Float64Array(6 * nv),
    centroidalMatrixRate: new Float64Array(6 * nv),
    centroidalInertia: new Float64Array(10),
    momentum: new Float64Array(6),
    momentumRate: new Float64Array(6),
    centerOfMass: new Float64Array(3),
    articulatedInertias: new Float64Array(21 * jointCount),
    articulatedStates: new Uint8Array(jointCount),
    biasForces: new Float64Array(6 * jointCount),
    biasAccelerations: new Float64Array(6 * jointCount),
    columnForces: new Float64Array(6 * columns),
    columnInverses: new Float64Array(columns),
    columnTorques: new Float64Array(columns),
    derivativeBlock: { block: null, isRefused: false },
    recursions: { block: null, calls: 0, isRefused: false },
    factors: new Float64Array(nv * nv),
    factorParents,
    ...createInverseFactors(factorParents),
    columnUnits,
    origin: new Float64Array(3),
    alignedVelocities: new Float64Array(6 * jointCount),
    alignedAccelerations: new Float64Array(6 * jointCount),
    alignedSubspaces: new Float64Array(6 * columns),
    alignedRates: new Float64Array(6 * columns),
    alignedInertias: new Float64Array(10 * jointCount),
    alignedMomenta: new Float64Array(3 * jointCount),
    alignedCoriolis: new Float64Array(9 * jointCount),
    parentRates: new Float64Array(6 * columns),
    parentAccelerations: new Float64Array(6 * columns),
    rateSums: new Float64Array(6 * columns),
    alignedForces: new Float64Array(6 * jointCount),
    forceRates: new Float64Array(21 * columns),
  };
}

/** Mass and rotational inertia of every body that a joint carries; the frames of the numbers do not matter to what is 0. */
function isLight(bodyInertias: Float64Array, jointCount: number): boolean {
  for (let j = 1; j < jointCount; j++) {
    const at = 10 * j;
    if (!(bodyInertias[at] > 0)) return true;
    // About the centre of mass: the trace less what the mass adds by its distance.
    const [m, x, y, z] = bodyInertias.subarray(at, at + 4);
    const trace = bodyInertias[at + 4] + bodyInertias[at + 7] + bodyInertias[at + 9];
    if (!(trace - (2 * (x * x + y * y + z * z)) / m > 1e-12 * trace)) return true;
  }
  return false;
}

function findUnit(S: Float64Array, at: number): number {
  const column = Array.from(S.subarray(at, at + 6));
  const unit = column.indexOf(1);
  return column.filter((x) => x !== 0).length === 1 ? unit : -1;
}

function readNumbers(values: ArrayLike<number>, count: number, name: string): Float64Array {
  requireNumbers('createDynamicsData', name, values, count);
  return Float64Array.from(values);
}

/** Lets the base accelerate against gravity, which makes gravity act on every body: A_0 = (-R_WB^T g, 0). */
export function setBaseAcceleration(data: DynamicsData, withGravity: boolean): void {
  const A = data.accelerations;
  const X = data.kinematics.jointPlacements;
  const g = data.gravity;
  for (let i = 0; i < 3; i++) {
    A[i] = withGravity ? -(X[i] * g[0] + X[i + 3] * g[1] + X[i + 6] * g[2]) : 0;
    A[i + 3] = 0;
  }
}

/** A model, and dynamics data for it or for one of the same size. */
export function requireDynamics(call: string, model: Model, data: unknown): void {
  requireModel(call, model);
  const { forces, tau, bodyMotions } = (data ?? {}) as Partial<DynamicsData>;
  if (forces?.length !== 6 * model.jointCount || tau?.length !== model.nv || bodyMotions === undefined)
    throwMisuse(call, 'data', data, 'what createDynamicsData returned for this model');
}

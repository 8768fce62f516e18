/**
 * A robot of a simulation: views of its q and v in the state, torques, and the dynamics of one step.
 *
 * Method: M by composite bodies with what acts implicitly on its diagonal: M + h (damping + servo damping) + h^2 servo stiffness, so
 * that stiff drives need no small steps; the velocity without contacts from that; where a drive would exceed its limit there, it
 * pushes with its limit instead and the velocity is found again.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", chapter 6, doi:10.1007/978-1-4899-7560-7; Baraff, Witkin 1998, "Large
 * steps in cloth simulation", doi:10.1145/280814.280821 (implicit springs and dampers).
 * Shapes: as in dynamics-data.ts. Tested by motion.test.ts.
 */
import { crba } from '../dynamics/crba.js';
import { createDynamicsData, type DynamicsData } from '../dynamics/dynamics-data.js';
import { readJointFriction } from '../dynamics/joint-friction.js';
import { computeNonlinearEffects } from '../dynamics/rnea.js';
import { updateKinematics } from '../kinematics/forward-kinematics.js';
import { requireNumbers } from '../math/arguments.js';
import { createNeutralConfiguration, integrateConfiguration } from '../model/configuration.js';
import { type Model, setBasePlacement } from '../model/model.js';
import { RobotBranches } from './robot-branches.js';
import { RobotFactors } from './robot-factors.js';
import { createServos, type Servos } from './servos.js';
import type { World, WorldRobot } from './world.js';

export class RobotState {
  readonly name: string;
  readonly model: Model;
  /** Views of the simulation's state. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly rest: Float64Array;
  /** Of controllers: added to what servos do, kept until changed. */
  readonly torques: Float64Array;
  /** What all drives did in the last step, limits included. */
  readonly applied: Float64Array;
  readonly data: DynamicsData;
  readonly damping: Float64Array;
  readonly friction: Float64Array;
  readonly servos: Servos;
  readonly firstV: number;
  /** Per joint: the columns of what supports it, and itself. */
  readonly supportColumns: readonly Int32Array[];
  /** Per column: how fast it turns, at one unit of its velocity. */
  readonly turnings: Float64Array;
  /** M with implicit terms, factorised, and `columns`. */
  readonly factors: RobotFactors;
  /** Of the last step's factors. */
  readonly branches: RobotBranches;
  readonly hasLimits: boolean;
  readonly hasFriction: boolean;
  readonly compensates: boolean;
  /** Each velocity has one column, in its place: no joint mimics. */
  readonly hasOwnColumns: boolean;
  /** The inertia was singular in the last step. */
  singular = false;
  /** q and v at the start of the last step. */
  readonly qBefore: Float64Array;
  readonly vBefore: Float64Array;
  /** What acts implicitly, on the diagonal of M. */
  private readonly implicit: Float64Array;
  private readonly rightSide: Float64Array;
  private readonly stepVelocity: Float64Array;

  constructor(
    { name, model, options, firstV, base }: WorldRobot,
    world: World,
    q: Float64Array,
    vAndRest: Float64Array,
  ) {
    const { nq, nv } = model;
    this.name = name;
    this.model = model;
    this.q = q;
    this.v = vAndRest.subarray(0, nv);
    this.rest = vAndRest.subarray(nv);
    this.firstV = firstV;
    if (options.q) requireNumbers('createWorld', `q of robot "${name}"`, options.q, nq);
    if (options.v) requireNumbers('createWorld', `v of robot "${name}"`, options.v, nv);
    q.set((options.q as Float64Array) ?? createNeutralConfiguration(model));
    if (options.v) this.v.set(options.v as Float64Array);
    this.qBefore = Float64Array.from(q);
    this.vBefore = Float64Array.from(this.v);
    this.torques = new Float64Array(nv);
    this.applied = new Float64Array(nv);
    const { armature } = options;
    this.data = createDynamicsData(model, { gravity: world.gravity, ...(armature && { armature }) });
    setBasePlacement(this.data.kinematics, base);
    const file = readJointFriction(model);
    this.damping = Float64Array.from(options.damping ?? file.damping);
    this.friction = Float64Array.from(options.friction ?? file.friction);
    this.servos = createServos(model, options, q);
    const { columnStarts, columnSubspaces: S } = this.data;
    this.supportColumns = Array.from({ length: model.jointCount }, (_, joint) =>
      Int32Array.from(
        (joint > 0 ? [...model.supports[joint]] : []).flatMap((j) =>
          Array.from({ length: columnStarts[j + 1] - columnStarts[j] }, (__, k) => columnStarts[j] + k),
        ),
      ),
    );
    this.turnings = Float64Array.from({ length: S.length / 6 }, (_, c) =>
      Math.sqrt(S[6 * c + 3] * S[6 * c + 3] + S[6 * c + 4] * S[6 * c + 4] + S[6 * c + 5] * S[6 * c + 5]),
    );
    this.factors = new RobotFactors(nv, S.length / 6, this.data.factorParents);
    this.branches = new RobotBranches(model, this.data);
    this.implicit = new Float64Array(nv);
    this.rightSide = new Float64Array(nv);
    this.stepVelocity = new Float64Array(nv);
    this.hasLimits = options.limits !== false;
    this.hasFriction = this.friction.some((f) => f > 0);
    const { columnVelocities, hasMimic } = this.data;
    this.hasOwnColumns = !hasMimic && columnVelocities.length === nv && columnVelocities.every((k, c) => k === c);
    this.compensates = options.compensateGravity === true;
  }

  /**
   * Per column of `data.columnStarts`: what one unit of its velocity does, linear and angular, world axes at the world's origin. Joints
   * that mimic have columns of their own, so that each link has those of its own branch only.
   */
  get columns(): Float64Array {
    return this.factors.columns;
  }

  /** Places what q has moved since it was last placed. */
  place(): void {
    updateKinematics(this.model, this.data.kinematics, this.q);
  }

  /** Jacobian and factorised inertia at q, and the velocity after h without contacts, into V from `firstV` on. */
  prepare(V: Float64Array, h: number, t: number): void {
    const { model, data, q, v, servos, implicit, factors, rightSide: b, applied, torques, damping } = this;
    const { nv } = model;
    this.qBefore.set(q);
    this.vBefore.set(v);
    const nonlinear = computeNonlinearEffects(model, data, q, v);
    const M = crba(model, data, q);
    // Both leave the placements to whoever needs them.
    this.place();
    factors.start();
    this.writeColumns();
    servos.start(q, v, t);
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < nv; k++) {
        implicit[k] = h * (damping[k] + servos.damping[k] + h * servos.stiffness[k]);
        let tau =
          torques[k] + servos.push[k] - h * servos.stiffness[k] * v[k] - (servos.damping[k] + damping[k]) * v[k];
        if (!this.compensates) tau -= nonlinear[k];
        b[k] = h * tau;
      }
      this.singular = !factors.factorize(M, implicit, b);
      if (this.singular) b.fill(0);
      for (let k = 0; k < nv; k++) V[this.firstV + k] = v[k] + b[k];
      if (!servos.saturate(V, this.firstV, h)) break;
    }
    this.branches.load(factors, this.singular);
    for (let k = 0; k < nv; k++) applied[k] = torques[k] + servos.push[k];
  }

  private writeColumns(): void {
    const { columns: G, model } = this;
    const { columnStarts, columnSubspaces: S, kinematics } = this.data;
    const X = kinematics.jointPlacements;
    for (let j = 1; j < model.jointCount; j++) {
      const x = 12 * j;
      for (let c = 6 * columnStarts[j]; c < 6 * columnStarts[j + 1]; c += 6) {
        for (let k = 0; k < 3; k++) {
          const r = x + 3 * k;
          G[c + k] = X[r] * S[c] + X[r + 1] * S[c + 1] + X[r + 2] * S[c + 2];
          G[c + 3 + k] = X[r] * S[c + 3] + X[r + 1] * S[c + 4] + X[r + 2] * S[c + 5];
        }
        G[c] += X[x + 10] * G[c + 5] - X[x + 11] * G[c + 4];
        G[c + 1] += X[x + 11] * G[c + 3] - X[x + 9] * G[c + 5];
        G[c + 2] += X[x + 9] * G[c + 4] - X[x + 10] * G[c + 3];
      }
    }
  }

  /** tau += what gravity and velocities ask for at q and v. */
  addBias(tau: Float64Array, q: Float64Array, v: Float64Array): void {
    const bias = computeNonlinearEffects(this.model, this.data, q, v);
    for (let k = 0; k < tau.length; k++) tau[k] += bias[k];
  }

  /** Takes the velocities that V holds and moves q for h; `shift` are further velocities for the position alone. */
  advance(V: Float64Array, shift: Float64Array, h: number): void {
    const { v, stepVelocity: w, firstV, servos, applied, model } = this;
    for (let k = 0; k < w.length; k++) {
      v[k] = V[firstV + k];
      w[k] = h * (v[k] + shift[firstV + k]);
      applied[k] -= servos.damping[k] * v[k] + h * servos.stiffness[k] * v[k];
    }
    integrateConfiguration(this.q, model, this.q, w);
  }
}

/**
 * Computed torque: a controller that makes a robot's joints follow a motion.
 *
 * Method: tau = M(q) (a + D e' + K e) + C(q, v) v + g(q), e the way from q to the target in the robot's velocities and e' its rate, so
 * that e'' + D e' + K e = 0 in every joint by itself, whatever the robot carries of its own weight. Where the robot has
 * `compensateGravity`, the drives give the last two terms and the controller leaves them out. Velocities and accelerations of the target
 * are in the tangent of its q, that of e taken as that of q.
 * Source: Luh, Walker, Paul 1980, "Resolved-acceleration control of mechanical manipulators", doi:10.1109/TAC.1980.1102367 (in joint
 * space); Spong, Hutchinson, Vidyasagar 2006, "Robot Modeling and Control", section 8.3 (inverse dynamics).
 * Cost: M and the nonlinear terms, nv^2. Torques stay within the joints' effort limits. Tested by joint-controllers.test.ts.
 */
import { crba } from '../dynamics/crba.js';
import { computeNonlinearEffects } from '../dynamics/rnea.js';
import { type Fields, requireFields, requireNotNegative, requireNumbers, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { differenceConfiguration } from '../model/configuration.js';
import { limitTorques } from './limit-torques.js';
import { type Controller, requireSimulation, type Simulation } from './simulation.js';

export interface JointTarget {
  /** nq numbers. */
  readonly q: ArrayLike<number>;
  /** nv numbers each; default 0. */
  readonly v?: ArrayLike<number>;
  readonly a?: ArrayLike<number>;
}

export interface JointControlOptions {
  readonly robot: string;
  /** A motion, or a function of the time, s. */
  readonly target: JointTarget | ((t: number) => JointTarget);
  /** 1/s^2. */
  readonly stiffness: number;
  /** 1/s. Default: critical, twice the root of the stiffness. */
  readonly damping?: number;
}

const FIELDS: Fields = {
  robot: requireText,
  target: () => {},
  stiffness: requireNotNegative,
  damping: requireNotNegative,
};

/** A function for `controllers`: sets all torques of the robot at every step. Throws where there is no such robot, or its base floats. */
export function createJointController(simulation: Simulation, options: JointControlOptions): Controller {
  const call = 'createJointController';
  requireFields(call, 'options', options, FIELDS);
  const { robot: name, target, stiffness, damping = 2 * Math.sqrt(stiffness) } = options;
  requireSimulation(call, simulation);
  const index = simulation.world.robots.findIndex((robot) => robot.name === name);
  if (index < 0)
    throw new MisuseError(`${call}: options.robot, got ${JSON.stringify(name)}, expected the name of a robot`);
  const { model } = simulation.robots[index];
  const { nq, nv } = model;
  if (model.jointIndex.has('root_joint') && model.nvs[1] > 1)
    throw new MisuseError(
      `${call}: options.robot, got one whose base floats, expected a robot with drives in all joints`,
    );
  const wanted = new Float64Array(nq);
  const e = new Float64Array(nv);
  const pull = new Float64Array(nv);
  const read = (value: JointTarget): JointTarget => {
    requireFields(call, 'target', value, { q: () => {}, v: () => {}, a: () => {} });
    requireNumbers(call, 'target.q', value.q, nq);
    if (value.v) requireNumbers(call, 'target.v', value.v, nv);
    if (value.a) requireNumbers(call, 'target.a', value.a, nv);
    return value;
  };
  const fixed = typeof target === 'function' ? null : read(target);
  return (now, t) => {
    const { q, v, torques, data, compensates } = now.robots[index];
    const { q: goal, v: speed, a } = fixed ?? read((target as (t: number) => JointTarget)(t));
    for (let k = 0; k < nq; k++) wanted[k] = goal[k];
    differenceConfiguration(e, model, q, wanted);
    for (let k = 0; k < nv; k++)
      pull[k] = (a ? a[k] : 0) + damping * ((speed ? speed[k] : 0) - v[k]) + stiffness * e[k];
    const M = crba(model, data, q);
    for (let k = 0; k < nv; k++) {
      let sum = 0;
      for (let c = 0; c < nv; c++) sum += M[k * nv + c] * pull[c];
      torques[k] = sum;
    }
    if (!compensates) {
      const bias = computeNonlinearEffects(model, data, q, v);
      for (let k = 0; k < nv; k++) torques[k] += bias[k];
    }
    limitTorques(torques, model);
  };
}

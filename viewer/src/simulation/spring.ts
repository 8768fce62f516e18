/** A spring between a point of a body or link and a place that the pointer leads: it pulls until it is let go. */

import { transformPoint } from 'clearance/math';
import type { Controller, Simulation } from 'clearance/simulation';

export interface Spring {
  /** N/m and N s/m. */
  readonly stiffness: number;
  readonly damping: number;
  readonly target: Float64Array;
  /** Where it holds, world; of the last step. */
  readonly held: Float64Array;
  /** N, on what it holds. */
  readonly force: Float64Array;
  readonly control: Controller;
  /** Takes its force away. */
  release(simulation: Simulation): void;
}

/** Oscillations per second of what is held, were it free. */
const FREQUENCY = 2;
const LINK_MASS = 5;

export function createSpring(simulation: Simulation, carrier: number, point: ArrayLike<number>): Spring {
  const { kind, index, joint } = simulation.world.carriers[carrier];
  const isBody = kind === 1;
  const mass = isBody ? simulation.world.bodies[index].mass : LINK_MASS;
  const omega = 2 * Math.PI * FREQUENCY;
  const stiffness = mass * omega * omega;
  const damping = mass * omega;
  const placement = ({ bodyPlacements, robots }: Simulation): Float64Array => {
    const X = isBody ? bodyPlacements : robots[index].data.kinematics.jointPlacements;
    const at = 12 * (isBody ? index : joint);
    return X.subarray(at, at + 12);
  };
  const X = placement(simulation);
  const local = new Float64Array(3);
  for (let k = 0; k < 3; k++) for (let r = 0; r < 3; r++) local[k] += X[3 * r + k] * (point[r] - X[9 + r]);
  const held = Float64Array.from(point);
  const before = Float64Array.from(point);
  const target = Float64Array.from(point);
  const force = new Float64Array(3);
  const moment = new Float64Array(3);
  const push = (now: Simulation, sign: number): void => {
    if (isBody) {
      for (let k = 0; k < 3; k++) {
        now.forces[6 * index + k] += sign * force[k];
        now.forces[6 * index + 3 + k] += sign * moment[k];
      }
      return;
    }
    const { columns: G, data, model, torques } = now.robots[index];
    for (const i of model.supports[joint])
      for (let c = data.columnStarts[i]; c < data.columnStarts[i + 1]; c++) {
        let sum = 0;
        // Columns speak of the point at the world's origin.
        for (let k = 0; k < 3; k++) sum += G[6 * c + k] * force[k] + G[6 * c + 3 + k] * moment[k];
        torques[data.columnVelocities[c]] += sign * sum;
      }
  };
  let isPulling = false;
  const stop = (now: Simulation): void => {
    if (!isPulling) return;
    if (isBody) push(now, -1);
    else now.robots[index].torques.fill(0);
    isPulling = false;
  };
  return {
    stiffness,
    damping,
    target,
    held,
    force,
    control(now) {
      stop(now);
      const at = placement(now);
      transformPoint(held, at, local);
      const h = now.world.step.step;
      for (let k = 0; k < 3; k++) {
        force[k] = stiffness * (target[k] - held[k]) - (damping * (held[k] - before[k])) / h;
        before[k] = held[k];
      }
      const arm = isBody ? [held[0] - at[9], held[1] - at[10], held[2] - at[11]] : held;
      moment[0] = arm[1] * force[2] - arm[2] * force[1];
      moment[1] = arm[2] * force[0] - arm[0] * force[2];
      moment[2] = arm[0] * force[1] - arm[1] * force[0];
      push(now, 1);
      isPulling = true;
    },
    release: stop,
  };
}

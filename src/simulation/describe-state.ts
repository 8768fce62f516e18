/** A simulation's state by names, as files and people read it. */
import { createTransform, transformToPose } from '../math/transform.js';
import {
  BODY_STRIDE,
  bodyPose,
  carrierPlacement,
  FIRST_BODY,
  requireSimulation,
  type Simulation,
} from './simulation.js';

export interface StateDescription {
  readonly t: number;
  /** Pose of the body's own frame; velocity of its centre of mass and angular velocity, world axes. */
  readonly bodies: Readonly<Record<string, { readonly pose: number[]; readonly velocity: number[] }>>;
  readonly robots: Readonly<Record<string, { readonly q: number[]; readonly v: number[] }>>;
}

export function describeState(simulation: Simulation): StateDescription {
  requireSimulation('describeState', simulation);
  const { world, state, robots } = simulation;
  const bodies = world.bodies.map(({ name }, i) => {
    const s = FIRST_BODY + BODY_STRIDE * i + 7;
    const pose = Array.from(bodyPose(new Float64Array(7), simulation, i));
    return [name, { pose, velocity: Array.from(state.subarray(s, s + 6)) }] as const;
  });
  const moving = robots.map(({ name, q, v }) => [name, { q: Array.from(q), v: Array.from(v) }] as const);
  return { t: state[0], bodies: Object.fromEntries(bodies), robots: Object.fromEntries(moving) };
}

/** Poses of all bodies and links in the world, by name. */
export function listFrames(simulation: Simulation): { readonly name: string; readonly pose: Float64Array }[] {
  requireSimulation('listFrames', simulation);
  const X = createTransform();
  const { carriers } = simulation.world;
  return carriers.flatMap(({ name, kind }, i) => {
    if (kind === 0) return [];
    return [{ name, pose: transformToPose(new Float64Array(7), carrierPlacement(X, simulation, i)) }];
  });
}

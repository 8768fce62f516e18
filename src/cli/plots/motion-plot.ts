/** A programmed motion as an SVG picture: the tool's speed and turning, and what share of its limits each joint uses. */
import { planTool } from '../../control/motions/plan-tool.js';
import type { MotionProgram } from '../../control/motions/program.js';
import type { Model } from '../../model/model.js';
import type { MotionLimits } from '../../trajectory/limits.js';
import { createTrajectoryPoint, type Trajectory } from '../../trajectory/trajectory.js';
import type { TrajectoryTable } from '../../trajectory/trajectory-table.js';
import { drawPanels } from './line-plot.js';

/** Rows beyond these are left out: pictures are not wider. */
const MOST_ROWS = 3000;

export function plotMotion(
  model: Model,
  program: MotionProgram,
  trajectory: Trajectory,
  { times, velocityNames }: TrajectoryTable,
  limits: MotionLimits,
): string {
  const tool = planTool(model, program);
  const every = Math.max(1, Math.ceil(times.length / MOST_ROWS));
  const axis = times.filter((_, i) => i % every === 0 || i === times.length - 1);
  const point = createTrajectoryPoint(model);
  const [V, A] = [new Float64Array(6), new Float64Array(6)];
  const speeds: number[][] = [];
  const turns: number[][] = [];
  const velocities: number[][] = [];
  const accelerations: number[][] = [];
  for (const time of axis) {
    trajectory.evaluate(point, time);
    tool.rates(V, A, point);
    speeds.push([norm(V, 0)]);
    turns.push([norm(V, 3)]);
    velocities.push(Array.from(point.v, (v, k) => v / limits.velocity[k]));
    accelerations.push(Array.from(point.a, (a, k) => a / limits.acceleration[k]));
  }
  const ones = new Float64Array(model.nv).fill(1);
  const panels = [
    { title: 'speed of the tool, m/s', names: ['speed'], rows: speeds },
    { title: 'turning of the tool, rad/s', names: ['turning'], rows: turns },
    { title: 'velocity, share of its limit', names: velocityNames, rows: velocities, limits: ones },
    { title: 'acceleration, share of its limit', names: velocityNames, rows: accelerations, limits: ones },
  ];
  return drawPanels(panels, axis, 's');
}

const norm = (x: Float64Array, at: number): number => Math.sqrt(x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2);

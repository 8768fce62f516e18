/** A trajectory as an SVG picture: a panel each for positions, velocities, accelerations and torques, limits dashed. */
import type { MotionLimits } from '../../trajectory/limits.js';
import type { TrajectoryTable } from '../../trajectory/trajectory-table.js';
import { drawPanels, type Panel } from './line-plot.js';

export function plotTrajectory(table: TrajectoryTable, limits: MotionLimits): string {
  const { positionNames, velocityNames, times, positions, velocities, accelerations, torques } = table;
  const panels: Panel[] = [{ title: 'position', names: positionNames, rows: positions, limits: null }];
  const add = (title: string, rows: Panel['rows'] | undefined, bounds: Float64Array): void => {
    if (rows) panels.push({ title, names: velocityNames, rows, limits: bounds });
  };
  add('velocity', velocities, limits.velocity);
  add('acceleration', accelerations, limits.acceleration);
  add('torque', torques, limits.torque);
  return drawPanels(panels, times, 's');
}

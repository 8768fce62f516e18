// From waypoints to a motion: corners rounded, timed as fast as speeds, accelerations and torques allow, checked, written.
import { buildModel, requireValue } from 'clearance';
import { writeTrajectoryCsv } from 'clearance/io';
import { loadRobot } from 'clearance/node';
import {
  createBlendedPath,
  createLimits,
  parameterizeTimeOptimal,
  sampleTrajectory,
  toTrajectoryTable,
  validateTrajectory,
} from 'clearance/trajectory';

const files = requireValue(await loadRobot('examples/arm/arm.urdf'));
const { model } = buildModel(files.description.model);
const waypoints = [
  [0, 0.4, 0, -1.2, 0, 1, 0, 0.01],
  [0.6, 0.6, 0, -1.0, 0, 1, 0, 0.01],
  [1.2, 0.4, 0.3, -1.4, 0, 0.8, 0, 0.01],
];

// Speeds and torques are the robot's own; accelerations are ours, in rad/s^2.
const limits = createLimits(model, { acceleration: 8, torque: 'model' });
for (const deviation of [0, 0.02, 0.1]) {
  const path = createBlendedPath(model, waypoints, { deviation });
  const { status, trajectory } = parameterizeTimeOptimal(path, { limits });
  const { valid, usage } = validateTrajectory(trajectory, { limits });
  const used = Object.entries(usage).filter(([, share]) => share > 0.999);
  console.log(
    `corners within ${deviation} rad: ${status}, ${trajectory.duration.toFixed(2)} s, ${valid ? 'valid' : 'invalid'}, at the limit: ${used.map(([kind]) => kind).join(', ')}`,
  );
  if (deviation > 0.05) {
    const table = toTrajectoryTable(model, sampleTrajectory(trajectory, 0.01));
    console.log(`${table.times.length} samples as CSV: ${writeTrajectoryCsv(table).split(',', 4).join(',')},...`);
  }
}

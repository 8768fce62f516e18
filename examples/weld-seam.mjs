// A torch around the arm itself: as programmed a joint would have to turn too far; free to turn about its own axis it gets round.
import { buildModel, requireValue } from 'clearance';
import { planMotion } from 'clearance/control';
import { computeFramePlacement, forwardKinematics } from 'clearance/kinematics';
import { createData, findFrame } from 'clearance/model';
import { loadRobot } from 'clearance/node';
import { createLimits, createTrajectoryPoint } from 'clearance/trajectory';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const { model } = buildModel(files.description.model);
// A seam on a circle about the base, the torch straight down.
const seam = [-140, -100, -60, -20, 20, 60, 100, 140].map((degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [0.45 * Math.cos(angle), 0.45 * Math.sin(angle), 0.2, Math.SQRT1_2, Math.SQRT1_2, 0, 0];
});
const program = (moves) => ({
  format: 'clearance.motion/1',
  tool: { frame: 'tool' },
  start: { joint_4: -1.8, joint_6: 1.341593 },
  defaults: { speed: 0.1, acceleration: 1 },
  moves,
});
const limits = createLimits(model, { acceleration: 5 });

const fixed = planMotion(
  model,
  program([
    { move: 'ptp', to: seam[0] },
    { move: 'spline', through: seam.slice(1) },
  ]),
  { limits },
);
console.log(`as programmed: ${fixed.status}, ${fixed.reason}, ${fixed.place.s.toFixed(2)} m along ${fixed.place.name}`);

const weld = { move: 'seam', name: 'weld', along: seam, shape: 'spline', free: 'z' };
const { status, duration, moves, trajectory } = planMotion(model, program([weld]), { limits });
console.log(`free to turn: ${status}, ${duration.toFixed(1)} s, ${moves[0].fastest.toFixed(2)} m/s at most`);

// Once on the seam the torch stays at its height.
const data = createData(model);
const point = createTrajectoryPoint(model);
const X = new Float64Array(12);
let off = 0;
for (let k = 500; k <= 1000; k++) {
  forwardKinematics(model, data, trajectory.evaluate(point, (duration * k) / 1000).q);
  computeFramePlacement(X, model, data, findFrame(model, 'tool'));
  off = Math.max(off, Math.abs(X[11] - 0.2));
}
console.log(`off the seam's height by ${off < 1e-6 ? 'less than a micrometre' : `${off} m`}`);

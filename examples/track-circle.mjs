// The tool follows a circle at 1 kHz within position, velocity and acceleration limits; with lower priority the elbow keeps
// to its place as far as the circle allows.
import { buildModel, createData, createTransform, findFrame, forwardKinematics, requireValue } from 'clearance';
import { createTracker } from 'clearance/ik';
import { computeFramePlacement } from 'clearance/kinematics';
import { loadRobot } from 'clearance/node';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { geometry: 'none' }));
const { model } = buildModel(files.description.model);
const tool = findFrame(model, 'tool');
const start = Float64Array.of(0, 0.5, 0, -1.6, 0, 1.0, 0, 0.02);
const data = createData(model);
forwardKinematics(model, data, start);
const centre = computeFramePlacement(createTransform(), model, data, tool);
const elbow = computeFramePlacement(createTransform(), model, data, findFrame(model, 'link_4'));

const target = Float64Array.from(centre);
const velocity = new Float64Array(6);
const tracker = createTracker(model, {
  levels: [
    [{ kind: 'pose', frame: tool, target, velocity }],
    [{ kind: 'position', frame: findFrame(model, 'link_4'), target: elbow.subarray(9, 12) }],
  ],
  accelerations: 10,
  targetTime: 'middle',
});
tracker.reset(start);

const [h, radius, rate] = [tracker.timeStep, 0.1, Math.PI];
const moveTo = (t) => {
  target[10] = centre[10] + radius * Math.sin(rate * t);
  target[11] = centre[11] - radius * (1 - Math.cos(rate * t));
  velocity[1] = radius * rate * Math.cos(rate * t);
  velocity[2] = -radius * rate * Math.sin(rate * t);
};
let [worst, elbowWorst] = [0, 0];
for (let k = 0; k < 4000; k++) {
  moveTo((k + 0.5) * h);
  tracker.step();
  moveTo((k + 1) * h);
  tracker.measure();
  if (k >= 1000) worst = Math.max(worst, tracker.positionErrors[0]);
  elbowWorst = Math.max(elbowWorst, tracker.positionErrors[1]);
}
console.log(`after the first second the tool is within ${(1e9 * worst).toFixed(0)} nm of the circle`);
console.log(`the elbow moved ${(1000 * elbowWorst).toFixed(0)} mm at most`);

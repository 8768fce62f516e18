// Joint values for a pose; every posture that reaches it; two tasks at once with the rest of the freedom put to use.
import { buildModel, createData, createTransform, findFrame, forwardKinematics, requireValue } from 'clearance';
import { createIkSolver, solveAllIk } from 'clearance/ik';
import { computeFramePlacement } from 'clearance/kinematics';
import { distanceConfiguration } from 'clearance/model';
import { loadRobot } from 'clearance/node';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { geometry: 'none' }));
const { model } = buildModel(files.description.model);
const tool = findFrame(model, 'tool');
const data = createData(model);
forwardKinematics(model, data, Float64Array.of(0.4, 0.5, 0, -1.4, 0, 1.2, 0.3, 0.02));
const target = computeFramePlacement(createTransform(), model, data, tool);

const solver = createIkSolver(model, tool);
const { status, q } = solver.solve({ target });
console.log(`one: ${status}, ${Array.from(q, (x) => x.toFixed(2)).join(' ')}`);

const { solutions } = solveAllIk(solver, { target, starts: 100, distinct: 0.5 });
const farthest = distanceConfiguration(model, solutions[0], solutions.at(-1));
console.log(`${solutions.length} postures, the last ${farthest.toFixed(1)} rad from the first`);

// Seven joints leave a freedom. The mean of ((q - middle) / half of the range)^2 is 0 in the middle of all ranges, 1 at their ends.
const offCentre = (at) =>
  at.reduce(
    (sum, x, i) => sum + ((2 * x - model.lower[i] - model.upper[i]) / (model.upper[i] - model.lower[i])) ** 2,
    0,
  ) / at.length;
const centred = solver.solve({ target, start: solutions.at(-1), goal: { kind: 'limits' } });
console.log(
  `away from limits: ${centred.status}, ${offCentre(solutions.at(-1)).toFixed(3)} -> ${offCentre(centred.q).toFixed(3)}`,
);

// The tool's tip at a place and its axis straight down; how it turns about that axis does not matter.
const tasks = createIkSolver(model, [
  { kind: 'position', frame: tool, target: [0.5, 0.1, 0.3] },
  { kind: 'axis', frame: tool, axis: [0, 0, 1], target: [0, 0, -1] },
]);
const both = tasks.solve({});
forwardKinematics(model, data, both.q);
const X_WT = computeFramePlacement(createTransform(), model, data, tool);
const [tip, axis] = [
  [9, 10, 11],
  [2, 5, 8],
].map((places) => places.map((i) => (Math.round(1000 * X_WT[i]) / 1000 + 0).toFixed(3)).join(' '));
console.log(`position and axis: ${both.status}, tip at ${tip}, axis along ${axis}`);

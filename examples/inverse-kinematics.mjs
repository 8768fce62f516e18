// Joint values for a pose; every posture that reaches it; two tasks at once with the rest of the freedom put to use.
import {
  buildModel,
  computeFramePlacement,
  createData,
  createTransform,
  findFrame,
  forwardKinematics,
  isWithinLimits,
} from 'clearance';
import { createIkSolver, solveAllIk } from 'clearance/ik';
import { loadRobot } from 'clearance/node';

const { value: files } = await loadRobot('examples/arm/arm.urdf', { geometry: 'none' });
const { model } = buildModel(files.description.model);
const tool = findFrame(model, 'tool');
const data = createData(model);
forwardKinematics(model, data, Float64Array.of(0.4, 0.5, 0, -1.4, 0, 1.2, 0.3, 0.02));
const target = computeFramePlacement(createTransform(), model, data, tool);

const solver = createIkSolver(model, tool);
const { status, q } = solver.solve({ target });
console.log(`one: ${status}, within limits: ${isWithinLimits(model, q)}`);

const centred = solver.solve({ target, start: q, goal: { kind: 'limits' } });
console.log(`away from limits: ${centred.status}, closer to the middle: ${centred.goal < 1}`);

const { solutions } = solveAllIk(solver, { target, starts: 100, distinct: 0.5 });
console.log(`postures that differ by more than 0.5 rad: ${solutions.length > 8 ? 'many' : solutions.length}`);

// The tool's tip at a place and its axis straight down; how it turns about that axis does not matter.
const tasks = createIkSolver(model, [
  { kind: 'position', frame: tool, target: [0.5, 0.1, 0.3] },
  { kind: 'axis', frame: tool, axis: [0, 0, 1], target: [0, 0, -1] },
]);
const both = tasks.solve({});
console.log(`position and axis: ${both.status}, ${both.positionError <= 1e-6 && both.rotationError <= 1e-6}`);

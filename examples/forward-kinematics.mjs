// Where the tool is: the placement of a frame for given joint values, as a pose [x y z qx qy qz qw].
import {
  buildModel,
  createData,
  createTransform,
  findFrame,
  forwardKinematics,
  requireValue,
  transformToPose,
} from 'clearance';
import { computeFramePlacement } from 'clearance/kinematics';
import { loadRobot } from 'clearance/node';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { geometry: 'none' }));
const { model } = buildModel(files.description.model);
const data = createData(model);
const tool = findFrame(model, 'tool');

for (const q of [
  [0, 0, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, -1.8, 0, 1.341593, 0, 0],
]) {
  forwardKinematics(model, data, q);
  const X_WT = computeFramePlacement(createTransform(), model, data, tool);
  const pose = transformToPose(new Float64Array(7), X_WT);
  console.log(Array.from(pose, (x) => x.toFixed(4)).join(' '));
}

// A thirty-link snake rolls itself up until it touches itself. Neighbouring links are not checked against each other.
import { addRobot, buildModel, checkScene, createScene, requireValue, setConfiguration } from 'clearance';
import { loadRobot } from 'clearance/node';
import { countCheckedPairs } from 'clearance/scene';

const files = requireValue(await loadRobot('examples/snake/snake-30.urdf'));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
console.log(`${countCheckedPairs(scene).checked} pairs of links are checked`);

for (const degrees of [0, 20, 24, 28]) {
  // Every other joint is a yaw joint.
  setConfiguration(
    robot,
    Float64Array.from(robot.q, (_, joint) => (joint % 2 === 0 ? (degrees * Math.PI) / 180 : 0)),
  );
  const { free, contacts } = checkScene(scene, { all: true });
  console.log(`${degrees} degrees: ${free ? 'free' : contacts.map(({ a, b }) => `${a} on ${b}`).join(', ')}`);
}

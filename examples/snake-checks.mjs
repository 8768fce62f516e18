// A snake of 300 links turns joint after joint. Nobody asks for a ChainTree: the scene takes one, and says why.
import { addRobot, buildModel, checkScene, createScene, isSceneFree, requireValue, setConfiguration } from 'clearance';
import { parseUrdf } from 'clearance/io';
import { describeSelfCheck } from 'clearance/scene';

const links = 300;
const link = (i) =>
  `<link name="link_${i}"><collision><origin xyz="0.04 0 0" rpy="0 1.5708 0"/>
   <geometry><capsule radius="0.022" length="0.044"/></geometry></collision></link>`;
const joint = (i) =>
  `<joint name="joint_${i}" type="revolute"><parent link="link_${i - 1}"/><child link="link_${i}"/>
   <origin xyz="0.08 0 0"/><axis xyz="${i % 2 ? '0 0 1' : '0 1 0'}"/>
   <limit lower="-1.57" upper="1.57" velocity="3" effort="5"/></joint>`;
const text = Array.from({ length: links }, (_, i) => link(i) + (i > 0 ? joint(i) : '')).join('');
const description = requireValue(parseUrdf(`<robot name="snake">${text}</robot>`));
const { model } = buildModel(description.model);

const add = (selfCheck) => {
  const scene = createScene();
  return { scene, robot: addRobot(scene, { model, description, selfCheck }) };
};
const snake = add('auto');
const checked = add('pairs');
const { method, reason } = describeSelfCheck(snake.robot);
console.log(`${method}: ${reason}`);

// One yaw joint after the other bends by 30 degrees, until the body closes to a ring.
const q = new Float64Array(model.nq);
let steps = 0;
let differences = 0;
let free = true;
for (let i = 0; free && i < model.nq; i += 2) {
  q[i] = Math.PI / 6;
  setConfiguration(snake.robot, q);
  setConfiguration(checked.robot, q);
  free = isSceneFree(snake.scene);
  if (isSceneFree(checked.scene) !== free) differences++;
  steps++;
}
const [{ a, b }] = checkScene(snake.scene).contacts;
console.log(`after ${steps} turns ${a} touches ${b}; pair by pair ${differences} of the answers differ`);

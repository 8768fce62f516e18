// A group of an arm planned from one named state to another in a scene file's world, timed, and free at every time.
import { requireValue } from 'clearance/io';
import { loadRobot, loadScene } from 'clearance/node';
import { createCell, planGroup } from 'clearance/tasks';

const folder = new URL('.', import.meta.url).pathname;
const robot = requireValue(await loadRobot(`${folder}arm/arm.urdf`, { srdf: `${folder}arm/arm.srdf` }));
const around = requireValue(await loadScene(`${folder}scenes/table-shelf.json`));
const cell = createCell({ robot, around });
const plan = planGroup(cell.scene, cell.robot, {
  group: 'arm',
  start: 'home',
  goal: 'ready',
  timed: { acceleration: 3 },
});
console.log(`${plan.status}: ${plan.path.length} waypoints, length ${plan.length.toFixed(2)}, ${plan.checks} checks`);
console.log(`motion of ${plan.motion.trajectory.duration.toFixed(2)} s, ${plan.motion.checked} free`);

// A pose of the tool instead of a state, from anywhere: inverse kinematics gives the planner several postures to choose from.
const back = planGroup(cell.scene, cell.robot, {
  group: 'arm',
  start: 'ready',
  goal: { pose: [0.45, 0.1, 0.6, 1, 0, 0, 0] },
});
console.log(`to the pose: ${back.status}, ${back.path.length} waypoints`);

// Takes the can from the bundled table and puts it elsewhere: one call, every leg certified and timed, written as CSV.
import { fileURLToPath } from 'node:url';
import { requireValue, writeTrajectoryCsv } from 'clearance/io';
import { loadRobot, loadScene } from 'clearance/node';
import { createCell, pickAndPlace } from 'clearance/tasks';
import { sampleTrajectory, toTrajectoryTable } from 'clearance/trajectory';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const robot = requireValue(await loadRobot(file('arm/arm.urdf'), { srdf: file('arm/arm.srdf') }));
const around = requireValue(await loadScene(file('scenes/table-shelf.json')));
const cell = createCell({ robot, around });

const plan = pickAndPlace(cell.scene, cell.robot, {
  group: 'arm',
  object: 'can',
  tool: 'tool',
  // From the side of the base, from above at 45 degrees, or level.
  grasps: [
    { name: 'slanted', pose: [0, 0, 0.03, 0.455189, 0.803957, -0.188547, 0.333009] },
    { name: 'level', pose: [0, 0, 0.01, 0.348391, 0.615324, -0.348391, 0.615324] },
  ],
  place: [0.4, 0.45, 0.26, 0, 0, 0.805952, 0.591981],
  start: 'ready',
  open: { finger_left_slide: 0.04 },
  closed: { finger_left_slide: 0.035 },
  touchLinks: ['hand', 'finger_left', 'finger_right'],
  supports: ['table'],
  limits: { acceleration: 3 },
});

console.log(`${plan.status}${plan.reason && `: ${plan.reason}`}, grasp ${plan.grasp}`);
for (const { name, path, certified, motion, holds } of plan.legs)
  console.log(
    `${name}: ${path.length} waypoints, ${motion.trajectory.duration.toFixed(2)} s, ${certified ? 'certified' : 'not certified'}${holds ? ', holds the can' : ''}`,
  );
const { model } = cell.robot;
const csv = writeTrajectoryCsv(toTrajectoryTable(model, sampleTrajectory(plan.trajectory, 0.02)));
console.log(`${csv.split('\n').length - 2} rows of motion over ${plan.trajectory.duration.toFixed(2)} s`);

// A path optimised by TrajOpt and by CHOMP, certified; and what the optimisers see: distances with gradients.
import { createDistanceGradients, optimisePath, sweptDistances } from 'clearance/control';
import { requireValue } from 'clearance/io';
import { loadRobot, loadScene } from 'clearance/node';
import { verifyPathCertificate } from 'clearance/scene';
import { createCell } from 'clearance/tasks';

const folder = new URL('.', import.meta.url).pathname;
const robot = requireValue(await loadRobot(`${folder}arm/arm.urdf`, { srdf: `${folder}arm/arm.srdf` }));
const around = requireValue(await loadScene(`${folder}scenes/table-shelf.json`));
const cell = createCell({ robot, around });
const start = [-0.5472, 1.4, -2.0347, -0.9498, -1.4373, -2.046, -1.505, 0];
const goal = [1.4428, 1.4169, -2.0703, -0.9498, -1.3987, -2.0648, 0.4972, 0];

for (const method of ['trajopt', 'chomp']) {
  const found = optimisePath(cell.scene, cell.robot, { method, start, goal, clearance: 0.01 });
  const { isProven } = verifyPathCertificate(cell.scene, cell.robot, found.path, found.certificate);
  console.log(
    `${method}: ${found.status}, length ${found.length.toFixed(2)}, ${isProven ? 'free at every time' : 'not proven'}`,
  );
}

// Where the straight way is worst, and which joints would mend it.
const { pairs } = sweptDistances(cell.scene, cell.robot, start, goal, { tolerance: 0.01 });
const [worst] = pairs;
console.log(`straight: ${worst.a} and ${worst.b} at ${worst.t.toFixed(2)}, ${(1000 * worst.distance).toFixed(0)} mm`);
const rows = createDistanceGradients(cell.scene, cell.robot, { reach: 0.1, nearestOnly: true });
rows.update(goal);
for (let i = 0; i < rows.count; i++) {
  const { a, b, distance, gradient } = rows.pair(i);
  const joint = gradient.reduce((best, x, k) => (Math.abs(x) > Math.abs(gradient[best]) ? k : best), 0);
  console.log(`${a} - ${b}: ${(1000 * distance).toFixed(1)} mm, most by coordinate ${joint}`);
}

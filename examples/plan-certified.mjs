// Plans with spheres that are fitted once and proven to contain the links; the path is certified by the exact shapes, and the certificate checked.
import { requireValue } from 'clearance/io';
import { loadRobot, loadScene } from 'clearance/node';
import { certifyPath, fitRobotSpheres, verifyPathCertificate } from 'clearance/scene';
import { createCell, planGroup } from 'clearance/tasks';

const folder = new URL('.', import.meta.url).pathname;
const robot = requireValue(await loadRobot(`${folder}arm/arm.urdf`, { srdf: `${folder}arm/arm.srdf` }));
const around = requireValue(await loadScene(`${folder}scenes/table-shelf.json`));
const cell = createCell({ robot, around });
const spheres = fitRobotSpheres(robot, { count: 4 });
console.log(`spheres ${spheres.proven ? 'contain' : 'may not contain'} the links`);

for (const seed of [1, 2]) {
  const request = { group: 'arm', start: 'home', goal: 'ready', spheres, seed };
  const { status, path, certified, planner } = planGroup(cell.scene, cell.robot, request);
  console.log(
    `seed ${seed}: ${status} by ${planner}, ${path.length} waypoints, ${certified ? 'certified' : 'sampled'}`,
  );
  const { certificate } = certifyPath(cell.scene, cell.robot, path, { tolerance: 1e-7 });
  const { isProven } = verifyPathCertificate(cell.scene, cell.robot, path, certificate);
  console.log(`  by the verifier: ${isProven ? 'free at every time' : 'not proven'}`);
}

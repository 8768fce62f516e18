// Spheres that provably contain a robot's links, and what a verifier says of spheres that do not.
import { loadRobot } from 'clearance/node';
import { fitRobotSpheres, toSphereLists, verifyRobotSpheres } from 'clearance/scene';

const { value: robot } = await loadRobot(new URL('arm/arm.urdf', import.meta.url).pathname);
const model = fitRobotSpheres(robot, { count: 4 });
console.log(`${model.links.length} links, ${model.proven ? 'proven' : 'not proven'}`);
for (const { link, excess, volume, shapeVolume } of model.reports.slice(0, 2))
  console.log(
    `${link}: at most ${(1000 * excess).toFixed(0)} mm outside, volume x ${(volume / shapeVolume).toFixed(2)}`,
  );

// Every sphere of the first link a centimetre smaller.
const spheres = new Map(toSphereLists(model));
const [{ link }] = model.links;
spheres.set(
  link,
  spheres.get(link).map(({ center, radius }) => ({ center, radius: radius - 0.01 })),
);
const [{ proven, gap }] = verifyRobotSpheres(robot, spheres);
console.log(`${link}, shrunk: ${proven ? 'proven' : 'not proven'}, sticks out by up to ${(1000 * gap).toFixed(1)} mm`);

// A scanner beside an arm and a shelf: one turn of rays, what they hit, how near, and what hides behind it.
import { addObject, addRobot, buildModel, createScene, disposeScene, setConfiguration } from 'clearance';
import { requireValue } from 'clearance/io';
import { loadRobot } from 'clearance/node';
import { castSceneRays, createSceneRayBatch, isSceneRayBlocked, listSceneRayHits } from 'clearance/scene';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: -0.05 } });
addObject(scene, { name: 'shelf', shape: { type: 'box', size: [0.4, 1.2, 1.6] }, pose: [1.4, 0, 0.8, 0, 0, 0, 1] });
addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.15 }, pose: [2.2, 0.1, 0.5, 0, 0, 0, 1] });
setConfiguration(robot, [0, 1, 0, -0.6, 0, 0, 0, 0]);

// 32 rings of 720 rays, 15 degrees up and down.
const scanner = [-1.5, 0.2, 0.6];
const [rings, steps] = [32, 720];
const rays = new Float64Array(6 * rings * steps);
for (let i = 0; i < rings * steps; i++) {
  const up = (Math.PI / 12) * ((2 * Math.floor(i / steps)) / (rings - 1) - 1);
  const turn = (2 * Math.PI * (i % steps)) / steps;
  const direction = [Math.cos(up) * Math.cos(turn), Math.cos(up) * Math.sin(turn), Math.sin(up)];
  rays.set([...scanner, ...direction], 6 * i);
}
const scan = castSceneRays(createSceneRayBatch(rings * steps), scene, rays, { maxT: 20 });

const seen = new Map();
for (let i = 0; i < rings * steps; i++) {
  if (scan.body[i] < 0) continue;
  const name = scan.names[scan.body[i]];
  const { count, nearest } = seen.get(name) ?? { count: 0, nearest: Infinity };
  seen.set(name, { count: count + 1, nearest: Math.min(nearest, scan.t[i]) });
}
for (const [name, { count, nearest }] of [...seen].sort())
  console.log(`${name}: ${count} rays, from ${nearest.toFixed(3)} m on`);

// The ball stands behind the shelf: what is on the way to it?
const ball = [2.2, 0.1, 0.5];
const sight = { origin: scanner, direction: ball.map((x, k) => x - scanner[k]), max: 1 };
const { hits } = listSceneRayHits(scene, sight);
console.log(`to the ball: ${[...new Set(hits.map(({ body }) => body))].join(', ')}`);
const leaveOut = [robot.name, 'shelf', 'ball'];
console.log(`without them ${isSceneRayBlocked(scene, sight, { leaveOut }) ? 'something' : 'nothing'} is in the way`);
disposeScene(scene);

/** Watching a robot at control rate: what is near, how fast it comes, and when contacts begin and end. */
import { fileURLToPath } from 'node:url';
import { buildModel } from '../dist/esm/model.js';
import { loadRobot } from '../dist/esm/node.js';
import { addObject, addRobot, createMonitor, createScene, disposeScene, setConfiguration } from '../dist/esm/scene.js';

const inExamples = (path) => fileURLToPath(new URL(path, import.meta.url));
const { value: files } = await loadRobot(inExamples('arm/arm.urdf'), { srdf: inExamples('arm/arm.srdf') });
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, {
  name: 'post',
  shape: { type: 'cylinder', radius: 0.05, length: 1 },
  pose: [0.6, 0, 0.5, 0, 0, 0, 1],
});

const monitor = createMonitor(scene, { distance: 0.1 });
const q = new Float64Array(model.nq);
q[1] = 1;
q[3] = -0.6;
for (let step = 0; step <= 1000; step++) {
  q[0] = -1 + 0.002 * step;
  setConfiguration(robot, q);
  monitor.update(0.001 * step);
  for (let n = 0; n < monitor.eventCount; n++) {
    const { a, b, contact } = monitor.events[n];
    if (contact !== 'persisted') console.log(`${step} ms: ${a} on ${b} ${contact}`);
  }
  if (step % 100 > 0 || monitor.count === 0) continue;
  const { a, b, distance, closingSpeed, timeToContact } = monitor.pairs[0];
  console.log(
    `${step} ms: ${a} and ${b} ${(1000 * distance).toFixed(0)} mm apart, closing at ${closingSpeed.toFixed(2)} m/s, contact in ${timeToContact.toFixed(2)} s`,
  );
}
disposeScene(scene);

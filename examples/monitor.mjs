/** Watching a robot at control rate: what is near, how fast it comes, and when contacts begin and end. */
import { buildModel, requireValue } from 'clearance';
import { loadRobot } from 'clearance/node';
import { addObject, addRobot, createMonitor, createScene, disposeScene, setConfiguration } from 'clearance/scene';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
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
  const gap = `${(1000 * Math.abs(distance)).toFixed(0)} mm ${distance < 0 ? 'deep' : 'apart'}`;
  const going = closingSpeed < 0 ? 'parting' : 'closing';
  const soon = timeToContact > 0 && timeToContact < 10 ? `, contact in ${timeToContact.toFixed(2)} s` : '';
  console.log(`${step} ms: ${a} and ${b} ${gap}, ${going} at ${Math.abs(closingSpeed).toFixed(2)} m/s${soon}`);
}
disposeScene(scene);

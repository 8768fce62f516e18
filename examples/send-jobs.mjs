/** A job that is begun here, sent on as text, as a queue would carry it, and ended on workers: the same bits as in one go. */
import { requireValue } from 'clearance';
import { createRandom } from 'clearance/math';
import { buildModel, randomConfiguration } from 'clearance/model';
import { loadRobot } from 'clearance/node';
import { createJobPool, formatJobData, openJob, orderSceneBatch, parseJobData, resumeJob } from 'clearance/parallel';
import { addObject, addRobot, createScene, disposeScene } from 'clearance/scene';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, { name: 'table', shape: { type: 'box', size: [2, 2, 0.1] }, pose: [0, 0, -0.1, 0, 0, 0, 1] });
const random = createRandom(1);
const states = Array.from({ length: 400 }, () => randomConfiguration(new Float64Array(model.nq), model, random));

// The order says all that the job needs; the scene may go.
const order = orderSceneBatch(scene, robot, { kind: 'nearest', maxDistance: 0.05 }, states);
disposeScene(scene);
const whole = await (await openJob(order)).run();

const begun = await openJob(order);
begun.step(150);
const text = formatJobData({ order, checkpoint: begun.save() });
console.log(`begun: ${100 * begun.progress} % of job ${order.hash.slice(0, 8)} is done`);

const received = parseJobData(text);
const job = await resumeJob(received.order, received.checkpoint);
const pool = await createJobPool({ workers: 2 });
const near = await job.run({ pool });
pool.dispose();
console.log(`ended: ${near.filter((pair) => pair !== null).length} of ${near.length} states have something near`);
const different = near.filter((pair, i) => formatJobData(pair) !== formatJobData(whole[i]));
console.log(`${different.length} answers differ from those of one go`);

const other = { ...order, seed: 1 };
await openJob(other).catch((error) => console.log(`altered: ${error.message.split(':').at(-1).trim()}`));

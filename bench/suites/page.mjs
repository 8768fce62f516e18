/**
 * The page while an obstacle is dragged: 200 events on the bundled arm, headless Chromium, the viewer as `npm run build` left it. What
 * the planner's worker took for each answer, how long the page waited for it, and what the page's own callbacks took, drawing left out
 * (page-tasks.mjs). Software rendering takes most of a processor beside it: round trips are of a busy machine.
 * The browser and the page: page-browser.mjs.
 */
import { startProgress } from '../measure.mjs';
import { openBrowser, quantile } from '../page-browser.mjs';
import { recordPlans, recordTasks } from '../page-tasks.mjs';

const suite = 'page';
const events = 200;
/** Pixels up and down, and how often. */
const swing = 60;
const swings = 2;
const patience = 300_000;
/** Millimetres. */
const ball = { radius: 50, x: 500.5, y: 52.3, z: 870.9 };

export async function* run() {
  const opened = await openBrowser(suite);
  if (!opened) return;
  try {
    const page = await opened.browser.newPage({ viewport: { width: 800, height: 520 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(patience);
    await page.addInitScript(recordPlans);
    await page.addInitScript(recordTasks);
    await page.goto(opened.url);
    await page.locator('#plan-proof[data-kind=certified]').waitFor();
    yield* report(await drag(page));
  } finally {
    await opened.close();
  }
}

/** A ball where the path's tool is lowest, dragged up and down through it by the head of its upright arrow. */
async function drag(page) {
  await page.getByRole('button', { name: 'Close hint' }).click();
  await page.getByRole('tab', { name: 'Scene' }).click();
  await page.getByRole('button', { name: 'Add sphere' }).click();
  for (const [name, value] of Object.entries(ball)) {
    const field = page.getByRole('spinbutton', { name, exact: true });
    await field.fill(String(value));
    await field.press('Enter');
  }
  await page.getByRole('button', { name: 'Fit view' }).click();
  await page.waitForTimeout(1000);
  const at = await findArrow(page);
  await page.evaluate(() => {
    window.plans.length = 0;
    window.pageTasks.length = 0;
  });
  const progress = startProgress(`${suite}: ${events} events`);
  await page.mouse.move(...at);
  await page.mouse.down();
  for (let k = 1; k <= events; k++) {
    await page.mouse.move(at[0], at[1] - swing * Math.sin((2 * Math.PI * swings * k) / events));
    progress.update(k / events);
  }
  await page.mouse.up();
  await page.waitForTimeout(1000);
  progress.stop();
  return page.evaluate(() => ({ plans: window.plans, tasks: window.pageTasks }));
}

/** The highest pixels of the upright arrow's blue. */
async function findArrow(page) {
  const { x, y, width, height } = await page.locator('#stage canvas').boundingBox();
  const png = await page.screenshot({ clip: { x, y, width, height } });
  const at = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    for (let i = 0; i < data.length; i += 4)
      if (data[i] < 25 && data[i + 1] < 25 && data[i + 2] > 220) {
        const k = i / 4 + 5 * image.width;
        return [k % image.width, Math.floor(k / image.width)];
      }
    return null;
  }, png.toString('base64'));
  if (at === null) throw new Error('bench page: no arrow of the object was found');
  return [x + at[0], y + at[1]];
}

function* report({ plans, tasks }) {
  const row = (name, ours, n, work) => ({
    ...{ suite, case: name, ours, peer: null, peerName: null, ratio: null, unit: 'ms', n, spread: 0, work },
  });
  const counts = {};
  for (const { status, how } of plans) {
    const kind = status === 'solved' ? how : status;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const kinds = Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
  const work = plans.map(({ milliseconds }) => milliseconds);
  const waits = plans.map(({ roundTrip }) => roundTrip);
  yield row('replanning in the worker, median', quantile(work, 0.5), work.length, kinds);
  yield row('replanning in the worker, 95th percentile', quantile(work, 0.95), work.length);
  yield row('question to answer, median', quantile(waits, 0.5), waits.length);
  yield row('question to answer, 95th percentile', quantile(waits, 0.95), waits.length);
  yield row("page's own work per callback, 95th percentile", quantile(tasks, 0.95), tasks.length);
  yield row("page's own work per callback, longest", Math.max(...tasks), tasks.length);
}

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

export async function* run() {
  const opened = await openBrowser(suite);
  if (!opened) return;
  try {
    const page = await opened.browser.newPage({ viewport: { width: 800, height: 420 }, reducedMotion: 'reduce' });
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

/** A ball half way of the path, dragged up and down through it by the screen's middle of its handles. */
async function drag(page) {
  await page.getByRole('tab', { name: 'Scene' }).click();
  await page.getByRole('button', { name: 'Add sphere' }).click();
  const radius = page.getByRole('spinbutton', { name: 'radius' });
  await radius.fill('50');
  await radius.press('Enter');
  // The object stands where the camera looks, or straight above: its handles are in the middle of the view.
  const { x, y, width, height } = await page.locator('#stage canvas').boundingBox();
  const at = await findHandle(page, x + width / 2, y + height / 2);
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

/** Where pressing takes hold of the upright arrow: upwards from the middle until the object moves. */
async function findHandle(page, x, y) {
  const z = page.getByRole('spinbutton', { name: 'z', exact: true });
  const before = await z.inputValue();
  for (let up = 0; up < 200; up += 6) {
    for (const aside of [0, -8, 8]) {
      await page.mouse.move(x + aside, y - up);
      await page.mouse.down();
      await page.mouse.move(x + aside, y - up - 5);
      const isHeld = (await z.inputValue()) !== before;
      await page.mouse.move(x + aside, y - up);
      await page.mouse.up();
      if (isHeld) return [x + aside, y - up];
    }
  }
  throw new Error('bench page: no handle of the object was found');
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

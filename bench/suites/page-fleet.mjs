/**
 * The fleets' page with 10,000 robots (`fleet.html`, the viewer as `npm run build` left it) in headless Chromium: what each frame of its
 * main thread takes without drawing (page-tasks.mjs), coloured by speed and with the heat of waiting. Drawn by software.
 */
import { startProgress } from '../measure.mjs';
import { openBrowser, quantile } from '../page-browser.mjs';
import { recordFrames } from '../page-tasks.mjs';

const suite = 'page-fleet';
const ROBOTS = 10_000;
const FRAMES = 100;
const PATIENCE = 300_000;

export async function* run() {
  const opened = await openBrowser(suite);
  if (!opened) return;
  try {
    const page = await opened.browser.newPage({ viewport: { width: 400, height: 300 } });
    page.setDefaultTimeout(PATIENCE);
    await page.addInitScript(recordFrames);
    await page.goto(`${opened.url}fleet.html?robots=${ROBOTS}`);
    await page.waitForFunction(() => Number.parseFloat(document.getElementById('fleet-words')?.textContent ?? '') > 2);
    yield* report(`${ROBOTS} robots`, await watch(page, 'by speed'));
    await page.locator('#fleet-heat').check();
    yield* report(`${ROBOTS} robots, heat of waiting`, await watch(page, 'heat'));
  } finally {
    await opened.close();
  }
}

async function watch(page, what) {
  const progress = startProgress(`${suite}: ${what}`);
  await page.evaluate(() => {
    window.frameWork.length = 0;
  });
  let frames = [];
  while (frames.length < FRAMES) {
    await page.waitForTimeout(500);
    frames = await page.evaluate(() => window.frameWork);
    progress.update(Math.min(1, frames.length / FRAMES));
  }
  progress.stop();
  const words = await page.locator('#fleet-words').textContent();
  return { frames, words };
}

function* report(name, { frames, words }) {
  const row = (which, ours, work) => ({
    ...{
      suite,
      case: `${name}: own work a frame, ${which}`,
      ours,
      peer: null,
      peerName: null,
      ratio: null,
      unit: 'ms',
    },
    ...{ n: frames.length, spread: 0, work },
  });
  yield row('median', quantile(frames, 0.5), words);
  yield row('95th percentile', quantile(frames, 0.95));
  yield row('longest', Math.max(...frames));
}

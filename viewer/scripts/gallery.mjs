/**
 * Takes the pictures of the gallery's cards with the built viewer in headless Chromium, into viewer/src/gallery.
 *
 *   npm run build && node viewer/scripts/gallery.mjs
 *
 * CHROMIUM_PATH names the browser when it is not /usr/bin/chromium.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'src/gallery');
mkdirSync(folder, { recursive: true });
const server = await preview({ root, logLevel: 'error', preview: { host: '127.0.0.1', port: 0 } });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic'],
});
try {
  const page = await browser.newPage({ viewport: { width: 320 + 348, height: 200 + 47 }, reducedMotion: 'reduce' });
  await page.goto(server.resolvedUrls.local[0]);
  await page.locator('.mark').first().waitFor();
  const cards = await page.locator('.card').evaluateAll((nodes) => nodes.map((node) => node.id.slice('card-'.length)));
  // Over the view lies nothing but the robot.
  await page.addStyleTag({ content: '.stage > :not(canvas) { visibility: hidden !important; }' });
  for (const id of cards) {
    await page.locator('#open-gallery').click();
    await page.locator(`#card-${id}`).click();
    await page.waitForTimeout(1500);
    await page.waitForFunction(() => document.getElementById('stage-note').hidden);
    await page.locator('#frame-view').evaluate((button) => button.click());
    await page.waitForTimeout(1000);
    const clip = await page.locator('#stage canvas').boundingBox();
    await page.screenshot({ path: join(folder, `${id}.jpg`), clip, type: 'jpeg', quality: 78 });
    console.log(`${id}.jpg`);
  }
} finally {
  await browser.close();
  await server.close();
}

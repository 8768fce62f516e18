/**
 * Takes the pictures of the gallery's cards with the built viewer in headless Chromium, into viewer/src/gallery.
 *
 *   npm run build && node viewer/scripts/gallery.mjs
 *
 * CHROMIUM_PATH names the browser when it is not /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'src/gallery');
mkdirSync(folder, { recursive: true });
const command = join(root, '../dist/esm/cli.js');
const server = spawn(process.execPath, [command, 'view', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
let url = '';
for await (const line of createInterface(server.stdout)) {
  url = /http:\S+/.exec(line)?.[0] ?? '';
  if (url) break;
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic'],
});
try {
  const page = await browser.newPage({ viewport: { width: 640 + 348, height: 400 + 47 }, deviceScaleFactor: 0.75, reducedMotion: 'reduce', bypassCSP: true });
  await page.goto(url);
  await page.locator('.mark').first().waitFor();
  const cards = await page.locator('.card').evaluateAll((nodes) => nodes.map((node) => node.id.slice('card-'.length)));
  // Marks that tell what is near are as large as in a whole view.
  await page.getByRole('tab', { name: 'View' }).click();
  for (const name of ['Nearest pair', 'Path of the tool']) await page.getByLabel(name).uncheck();
  // Over the view lies nothing but the robot.
  await page.addStyleTag({ content: '.stage > :not(canvas) { display: none !important; }' });
  for (const id of cards) {
    const title = await page.title();
    await page.locator('#open-gallery').click();
    await page.locator(`#card-${id}`).click();
    if (id !== cards[0]) await page.waitForFunction((before) => document.title !== before, title);
    await page.waitForTimeout(1500);
    await page.locator('#frame-view').evaluate((button) => button.click());
    await page.waitForTimeout(1000);
    const clip = await page.locator('#stage canvas').boundingBox();
    await page.screenshot({ path: join(folder, `${id}.jpg`), clip, type: 'jpeg', quality: 72 });
    console.log(`${id}.jpg`);
  }
} finally {
  await browser.close();
  server.kill();
}

/**
 * Takes the picture of the README with the built viewer in headless Chromium: the arm with its wrist in
 * the table, and the line of the deepest pair.
 *
 *   npm run build && node viewer/scripts/screenshot.mjs [OUT.png]
 *
 * CHROMIUM_PATH names the browser when it is not /usr/bin/chromium.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const out = process.argv[2] ?? fileURLToPath(new URL('../../docs/images/viewer.png', import.meta.url));
const server = await preview({
  root: fileURLToPath(new URL('..', import.meta.url)),
  logLevel: 'error',
  preview: { host: '127.0.0.1', port: 0 },
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.resolvedUrls.local[0]);
  await page.locator('#check-time').filter({ hasText: 's' }).waitFor();
  for (const [joint, degrees] of [
    ['joint_1', -52],
    ['joint_2', 71],
    ['joint_3', -17],
    ['joint_4', -59],
    ['joint_5', 9],
    ['joint_6', 99],
  ]) {
    const field = page.getByRole('spinbutton', { name: joint });
    await field.fill(String(degrees));
    await field.press('Enter');
  }
  await page.locator('#frame-view').click();
  for (let i = 0; i < 2; i++) await page.locator('#stage canvas').press('+');
  await page.locator('#stage canvas').blur();
  await page.mouse.move(300, 150);
  await page.locator('.verdict.touching').waitFor();
  await page.waitForTimeout(800);
  await page.screenshot({ path: out });
  console.log(out);
} finally {
  await browser.close();
  await server.close();
}

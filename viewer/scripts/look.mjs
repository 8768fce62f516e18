/**
 * Takes pictures of the built workbench in all its states at three widths, to be looked at: first view, every tab, contact and fading
 * at close range, the gallery, proteins, a part, in light and dark.
 *
 *   npm run build && node viewer/scripts/look.mjs FOLDER [STATE ...]
 *
 * CHROMIUM_PATH names the browser when it is not /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [folder, ...wanted] = process.argv.slice(2);
const root = fileURLToPath(new URL('../../', import.meta.url));
const sizes = [
  [1440, 900],
  [1280, 800],
  [390, 844],
];
mkdirSync(folder, { recursive: true });
const server = spawn(process.execPath, [join(root, 'dist/esm/cli.js'), 'view', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let url = '';
for await (const line of createInterface(server.stdout)) {
  url = /http:\S+/.exec(line)?.[0] ?? '';
  if (url) break;
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic'],
});

const slide = (page, selector, value) =>
  page
    .locator(selector)
    .first()
    .evaluate((input, to) => {
      input.value = to;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, String(value));
const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();
const example = (name) => async (page) => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `example=${name}`);
  await page.waitForFunction(() => !document.title.startsWith('Arm at a shelf'));
  await page.waitForTimeout(1500);
};

/** What is done before a picture is taken, by its name. A state that begins with `+` goes on from the one before it. */
const states = {
  first: async () => {},
  '+plan': async (page) => {
    await tab(page, 'Plan');
    await page.locator('#plan-proof[data-kind=certified]').waitFor();
  },
  '+measure': (page) => tab(page, 'Measure'),
  '+view': (page) => tab(page, 'View'),
  '+scene': async (page) => {
    await tab(page, 'Scene');
    await page.getByRole('button', { name: 'Add cylinder' }).click();
  },
  '+pose': (page) => tab(page, 'Pose'),
  '+contact': async (page) => {
    await tab(page, 'Pose');
    const slider = page.getByRole('slider', { name: 'joint_2' });
    await slider.focus();
    for (let i = 0; i < 400 && !(await page.locator('.verdict.touching').count()); i++)
      await page.keyboard.press('PageUp');
    await page.locator('#verdict > summary').click();
  },
  '+near': async (page) => {
    await page.locator('#verdict > summary').click();
    const { x, y } = await page.locator('.distance-label.touching').boundingBox();
    await page.mouse.move(x - 4, y + 34);
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -240);
  },
  faded: async (page) => {
    await tab(page, 'Pose');
    await page.locator('#stage canvas').focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(1500);
  },
  '+gallery': (page) => page.locator('#open-gallery').click(),
  bearing: example('bearing'),
  scan: example('scan'),
  humanoid: example('humanoid'),
  '+collision': async (page) => {
    await tab(page, 'View');
    await page.getByLabel('Collision geometry').check();
  },
  held: async (page) => {
    await tab(page, 'Scene');
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'can' });
    await page.locator('#object-hold').click();
  },
  bearingHulls: async (page) => {
    await example('bearing')(page);
    await tab(page, 'View');
    await page.getByLabel('Convex hulls').check();
    await page.waitForTimeout(1500);
  },
  peptide: example('peptide'),
  '+turn': (page) => tab(page, 'Turn'),
  '+run': (page) => tab(page, 'Run'),
};

try {
  for (const [width, height] of sizes) {
    for (const scheme of ['light', 'dark']) {
      let page = null;
      for (const [name, act] of Object.entries(states)) {
        if (scheme === 'dark' && !/first|contact|peptide/.test(name) && wanted.length === 0) continue;
        if (!name.startsWith('+')) {
          await page?.context().close();
          const context = await browser.newContext({
            viewport: { width, height },
            colorScheme: scheme,
            reducedMotion: 'reduce',
          });
          page = await context.newPage();
          await page.goto(url);
          await page.locator('#check-time').filter({ hasText: 's' }).waitFor({ state: 'attached' });
        }
        const plain = name.replace('+', '');
        await act(page).catch((error) => console.error(`${plain} at ${width}: ${error.message.split('\n')[0]}`));
        if (wanted.length > 0 && !wanted.includes(plain)) continue;
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(folder, `${plain}-${width}-${scheme}.png`) });
      }
      await page?.context().close();
    }
  }
} finally {
  await browser.close();
  server.kill();
}

/**
 * Takes pictures of the built workbench in all its states at three widths, to be looked at: first view, every tab, paths, measuring,
 * contact and fading at close range, the gallery, proteins, parts, in light and dark; then the other pages.
 *
 *   npm run build && node viewer/scripts/look.mjs FOLDER [WIDTH ...] [STATE ...]
 *
 * CHROMIUM_PATH names the browser when it is not /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [folder, ...rest] = process.argv.slice(2);
const widths = rest.filter((word) => /^\d+$/.test(word)).map(Number);
const wanted = rest.filter((word) => !/^\d+$/.test(word));
const root = fileURLToPath(new URL('../../', import.meta.url));
const sizes = [
  [1440, 900],
  [1280, 800],
  [390, 844],
].filter(([width]) => widths.length === 0 || widths.includes(width));
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

const check = (page, name) => page.getByLabel(name, { exact: true }).check();
const choose = (page, selector, label) => page.locator(selector).selectOption({ label });
/** Places of the view, as shares of what is not covered. */
const click = async (page, u, v) => {
  const { x, y, width, height } = await page.locator('#stage canvas').boundingBox();
  await page.mouse.click(x + u * width, y + v * height);
};
const toBottom = (page) => page.locator('#panel').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
const neighbour = (path, act) => async (page) => {
  await page.goto(`${url}${path}`);
  await page.waitForTimeout(2500);
  await act?.(page);
  await page.waitForTimeout(800);
};

/** What is done before a picture is taken, by its name. A state that begins with `+` goes on from the one before it. */
const states = {
  first: async () => {},
  '+plan': async (page) => {
    await tab(page, 'Plan');
    await page.locator('#plan-proof[data-kind=certified]').waitFor();
  },
  '+planEnd': toBottom,
  '+swept': async (page) => {
    await check(page, 'Show what it sweeps');
    await page.waitForTimeout(3000);
  },
  '+waypoint': async (page) => {
    await page.getByLabel('Show what it sweeps').uncheck();
    await slide(page, '#path-position', 0.4);
    await page.getByRole('button', { name: 'Add waypoint' }).click();
    await page.waitForTimeout(2500);
  },
  '+goal': async (page) => {
    await page.getByRole('button', { name: 'Drag goal' }).click();
    await page.waitForTimeout(1500);
  },
  goalDragged: async (page) => {
    await tab(page, 'Plan');
    await page.locator('#plan-proof[data-kind=certified]').waitFor();
    await page.locator('.limits summary').click();
    await page.getByRole('button', { name: 'Drag goal' }).click();
    await slide(page, '#path-position', 0.5);
    await page.waitForTimeout(1500);
  },
  measure: (page) => tab(page, 'Measure'),
  '+points': async (page) => {
    await click(page, 0.42, 0.45);
    await click(page, 0.7, 0.4);
  },
  '+faces': async (page) => {
    await choose(page, '#measure-kind', 'Faces');
    await click(page, 0.66, 0.3);
    await click(page, 0.74, 0.35);
  },
  '+edges': async (page) => {
    await choose(page, '#measure-kind', 'Edges');
    await click(page, 0.66, 0.3);
    await click(page, 0.74, 0.35);
  },
  '+fly': async (page) => {
    await page.locator('#clearances button').first().click();
  },
  '+report': async (page) => {
    await page.locator('#report').click();
    await page.locator('#mesh-facts').waitFor();
    await toBottom(page);
  },
  '+view': (page) => tab(page, 'View'),
  '+cut': async (page) => {
    await page.locator('#section-axis').selectOption('y');
    await slide(page, '#ghost-objects', 0.4);
    await toBottom(page);
  },
  scene: async (page) => {
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
  '+pairs': async (page) => {
    await page.locator('#verdict > summary').click();
    await tab(page, 'Scene');
    await page.locator('summary', { hasText: 'Pairs that may touch' }).click();
    await toBottom(page);
  },
  '+near': async (page) => {
    await tab(page, 'Pose');
    const { x, y } = await page.locator('.distance-label.touching').boundingBox();
    await page.mouse.move(x - 4, y + 34);
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -240);
  },
  faded: async (page) => {
    await tab(page, 'Pose');
    await page.locator('#stage canvas').focus();
    for (let i = 0; i < 33; i++) await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(2500);
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
  '+ran': async (page) => {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForTimeout(4000);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
  },
  rigid: neighbour('rigid.html'),
  plane: neighbour('plane.html'),
  control: neighbour('control.html'),
  simulation: neighbour('simulation.html?world=stack', (page) => page.locator('#sim-tenth').click()),
  fleet: neighbour('fleet.html'),
};
/** States that are taken: those that are wanted, and what they go on from. */
const names = Object.keys(states);
const needed = names.filter((name, i) => {
  if (wanted.length === 0) return true;
  const next = names.findIndex((other, k) => k > i && !other.startsWith('+'));
  return names.slice(i, next < 0 ? names.length : next).some((other) => wanted.includes(other.replace('+', '')));
});

try {
  for (const [width, height] of sizes) {
    for (const scheme of ['light', 'dark']) {
      let page = null;
      for (const [name, act] of Object.entries(states)) {
        if (!needed.includes(name)) continue;
        if (scheme === 'dark' && (wanted.length > 0 || !/first|scene|contact|peptide/.test(name))) continue;
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

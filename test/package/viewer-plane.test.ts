/** The plane's page in headless Chromium: what is drawn is what the command says, while obstacles are drawn and handles dragged. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';
import { chromiumPath, needsChromium } from './browser.js';
import { useViewer } from './viewer-page.js';

interface Answer {
  readonly status: string;
  readonly length?: number;
  readonly trapezoids: number;
  readonly proof?: readonly unknown[];
}

const words = (page: Page) => page.locator('#plane-words');

/** What the page says once nothing is asked any more. */
async function settle(page: Page): Promise<{ status: string; length: number }> {
  await page.locator('#plane-words[aria-busy=false]').waitFor();
  return words(page).evaluate(({ dataset }) => ({ status: dataset.status!, length: Number(dataset.length) }));
}

/** Subpaths of a layer. */
const count = (page: Page, layer: string): Promise<number> =>
  page
    .locator(`#plane-drawing .${layer}`)
    .evaluateAll((nodes) =>
      nodes.reduce((sum, node) => sum + ((node.getAttribute('d') ?? '').match(/M/g) ?? []).length, 0),
    );

/** A picture for people, where PLANE_PICTURES names a folder. */
async function take(page: Page, name: string): Promise<void> {
  const folder = process.env.PLANE_PICTURES;
  if (folder === undefined) return;
  await page.locator('#panel').evaluate((panel) => panel.scrollTo(0, 0));
  await page.mouse.move(5, 5);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Drags a handle by metres. */
async function drag(page: Page, label: string, dx: number, dy: number): Promise<void> {
  const box = (await page.getByRole('button', { name: label, exact: true }).first().boundingBox())!;
  const scale = await page.locator('#plane-drawing').evaluate((node: SVGSVGElement) => node.getScreenCTM()!.a);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (dx * scale) / 2, y - (dy * scale) / 2);
  await page.mouse.move(x + dx * scale, y - dy * scale);
  await page.mouse.up();
}

describe.skipIf(!chromiumPath)(`the plane in Chromium${needsChromium}`, () => {
  const viewer = useViewer();

  it('draws what the command answers, while the scene is edited', async () => {
    const page = await viewer.browser.newPage({ viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce' });
    viewer.watch(page);
    await page.goto(`${viewer.url}plane.html`);
    const file = join(viewer.folder, 'plane.json');
    const ask = async (...options: string[]): Promise<Answer> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#plane-save').click()]);
      await download.saveAs(file);
      const { out } = callCommandLine(['plan-2d', file, '--json', ...options]);
      return JSON.parse(out) as Answer;
    };
    const compare = async (...options: string[]): Promise<Answer> => {
      const shown = await settle(page);
      const told = await ask(...options);
      expect(shown.status).toBe(told.status);
      expect(shown.length).toBe(told.length ?? 0);
      expect(await count(page, 'trapezoids')).toBe(told.trapezoids);
      expect(await count(page, 'path')).toBe(told.status === 'solved' ? 1 : 0);
      expect(await count(page, 'chain')).toBe(told.status === 'impossible' ? 1 : 0);
      return told;
    };

    const first = await compare();
    expect(first.status).toBe('solved');
    expect(await count(page, 'forbidden')).toBe(6);
    await page.locator('#plane-graph').check();
    await settle(page);
    expect(await count(page, 'graph')).toBeGreaterThan(30);
    await take(page, 'solved');
    await page.locator('#plane-graph').uncheck();

    await page.locator('#plane-method').selectOption('clearance');
    const widest = await compare('--method', 'clearance');
    expect(widest.length).toBeGreaterThan(first.length!);
    await page.locator('#plane-method').selectOption('shortest');

    // The goal goes to the start's side of the wall, and comes back.
    await settle(page);
    await drag(page, 'Goal', -6, 3);
    const near = await compare();
    expect(near.length).toBeLessThan(5);
    await page.locator('#undo').click();
    expect((await compare()).length).toBe(first.length);

    // A disc in the doorway shuts it; as polygon drawn by hand a box beside it changes the map only.
    await page.locator('#tool-disc').click();
    const drawing = page.locator('#plane-drawing');
    const at = (x: number, y: number) =>
      drawing.evaluate(
        (node: SVGSVGElement, [u, v]) => {
          const { x: px, y: py } = new DOMPoint(u, -v).matrixTransform(node.getScreenCTM()!);
          return [px, py] as [number, number];
        },
        [x, y] as [number, number],
      );
    await page.mouse.move(...(await at(4.1, 3.5)));
    await page.mouse.down();
    await page.mouse.move(...(await at(4.3, 3.5)));
    await page.mouse.up();
    const shut = await compare();
    expect(shut.status).toBe('impossible');
    expect(await page.locator('#plane-facts').textContent()).toContain(
      `${shut.proof!.length} links in the closing chain`,
    );
    await take(page, 'impossible');
    await page.locator('#plane-remove').click();

    await page.locator('#tool-polygon').click();
    for (const [x, y] of [
      [1, 3],
      [2, 3],
      [2, 4],
    ])
      await page.mouse.click(...(await at(x, y)));
    await page.keyboard.press('Enter');
    await page.locator('#tool-edit').click();
    const drawn = await compare();
    expect(drawn.status).toBe('solved');
    expect(drawn.trapezoids).toBeGreaterThan(first.trapezoids);
    expect(JSON.parse(readFileSync(file, 'utf8')).obstacles[4].polygon).toHaveLength(3);
    // A corner more by its faint dot, a corner less by a double click.
    await page.getByRole('button', { name: 'Add a corner behind 1', exact: true }).click();
    await compare();
    expect(JSON.parse(readFileSync(file, 'utf8')).obstacles[4].polygon).toHaveLength(4);
    await drag(page, 'Corner 2', 0, -0.5);
    await compare();
    await page.getByRole('button', { name: 'Corner 2', exact: true }).dblclick();
    await compare();
    expect(JSON.parse(readFileSync(file, 'utf8')).obstacles[4].polygon).toHaveLength(3);
    // By keys, too.
    await page.getByRole('button', { name: 'Start', exact: true }).focus();
    for (let k = 0; k < 4; k++) await page.keyboard.press('ArrowRight');
    await compare();
    expect(JSON.parse(readFileSync(file, 'utf8')).start).toEqual([1.2, 1]);

    // A corner over another side is no polygon: said, and nothing drawn for it.
    writeFileSync(
      file,
      JSON.stringify({
        robot: { disc: 0.3 },
        obstacles: [{ implicit: '(x - 4)^2 + (y - 4)^2 <= 1' }],
        bounds: [0, 0, 8, 8],
        start: [1, 4],
        goal: [7, 4],
      }),
    );
    await page.locator('#file-input').setInputFiles(file);
    await page.locator('.title', { hasText: 'plane.json' }).waitFor();
    expect((await compare()).status).toBe('solved');
    expect(await count(page, 'implicit')).toBeGreaterThan(20);
    writeFileSync(file, '{"robot":{"disc":-1}}');
    await page.locator('#file-input').setInputFiles(file);
    await page.locator('#plane-words[data-status=invalid]').waitFor();

    await page.locator('#plane-example').selectOption('A board around a corner');
    await page.locator('#plane-words[data-status=solved]').waitFor();
    expect(await page.locator('#plane-drawing .trace').count()).toBe(25);
    await take(page, 'turning');
  });
});

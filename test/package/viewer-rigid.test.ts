/** The page of free bodies in headless Chromium: a part taken out, with the numbers of the library, one that is held, a sequence, parts that are dropped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TriangleMesh } from '../../src/geometry.js';
import { parseStl } from '../../src/io.js';
import { loadMesh, loadRigidProblem } from '../../src/node.js';
import { type AssemblyPart, planSequence, takeOut } from '../../src/rigid.js';
import { chromiumPath, needsChromium } from './browser.js';
import { projectRoot } from './run.js';
import { countColors, cube, dropFiles, findArrows, useViewer } from './viewer-page.js';

const examples = join(projectRoot, 'examples/assembly');
const textOf = async (page: Page, id: string): Promise<string> => (await page.locator(`#${id}`).textContent()) ?? '';
const dataOf = (page: Page, id: string): Promise<Record<string, string>> =>
  page.locator(`#${id}`).evaluate((node) => ({ ...(node as HTMLElement).dataset }) as Record<string, string>);
const waitForData = (page: Page, id: string, key: string): Promise<unknown> =>
  page.waitForFunction(([a, b]) => document.getElementById(a)?.dataset[b], [id, key]);
const slide = (page: Page, id: string, value: string): Promise<void> =>
  page.locator(`#${id}`).evaluate((slider, to) => {
    (slider as HTMLInputElement).value = to;
    slider.dispatchEvent(new Event('input'));
  }, value);

async function loadAssembly(file: string): Promise<AssemblyPart[]> {
  const { parts } = JSON.parse(readFileSync(join(examples, file), 'utf8'));
  const loaded: AssemblyPart[] = [];
  for (const part of parts as { name: string; file: string }[]) {
    const { value } = await loadMesh(join(examples, part.file));
    loaded.push({ name: part.name, mesh: value as TriangleMesh, pose: Float64Array.of(0, 0, 0, 0, 0, 0, 1) });
  }
  return loaded;
}

describe.skipIf(!chromiumPath)(`free bodies in Chromium${needsChromium}`, () => {
  const viewer = useViewer();
  const openPage = async (example: string): Promise<Page> => {
    const page = await viewer.browser.newPage({ viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce' });
    viewer.watch(page);
    await page.goto(`${viewer.url}rigid.html?example=${example}`);
    await waitForData(page, 'rigid-contact', 'distance');
    return page;
  };

  it('takes the puzzle apart on the path of the library, with its trees, its balls and its tightest place', async () => {
    const page = await openPage('keyhole');
    expect(await textOf(page, 'title')).toMatch(/keyhole/);
    expect(await textOf(page, 'rigid-contact')).toBe('bar: 0.06800 to wall');
    await page.locator('#rigid-take-out').click();
    await waitForData(page, 'rigid-way', 'pose');

    const { value: problem } = await loadRigidProblem(join(examples, 'keyhole.json'));
    const { body: part, obstacles, start, goal } = problem!;
    const plan = takeOut({ part, obstacles, start, goal });
    const told = await dataOf(page, 'rigid-way');
    expect(told.status).toBe('solved');
    expect(Number(told.clearance)).toBe(plan.proof!.clearance);
    expect(Number(told.narrowest)).toBe(plan.proof!.narrowest!.distance);
    expect(Number(told.edges)).toBeGreaterThan(5);
    const balls = plan.proof!.certificate!.motions.reduce((sum, motion) => sum + motion.balls.length / 2, 0);
    expect(Number(told.balls)).toBe(balls);
    expect(await textOf(page, 'rigid-way')).toMatch(new RegExp(`comes out in ${plan.path.length - 1} motions`));

    await page.locator('#rigid-tight').click();
    const marked = await countColors(page);
    expect(marked.orange).toBeGreaterThan(50);
    await page.locator('#rigid-balls').uncheck();
    expect((await dataOf(page, 'rigid-way')).balls).toBe('0');
    await slide(page, 'rigid-time', '1');
    const last = (await dataOf(page, 'rigid-way')).pose.split(',').map(Number);
    expect(last.map((x) => Math.abs(x))).toEqual([...plan.path[plan.path.length - 1]].map((x) => Math.abs(x)));
  });

  it('shows a sequence with the steps of the library, apart and in time, and stops a search for what is held', async () => {
    const page = await openPage('gearbox');
    await page.locator('#rigid-take-out').click();
    await page.waitForFunction(() => /trees of/.test(document.getElementById('rigid-way')?.textContent ?? ''));
    await page.locator('#rigid-cancel').click();
    await waitForData(page, 'rigid-way', 'status');
    expect(await textOf(page, 'rigid-way')).toMatch(/^timeout: stopped from outside after \d+ queries.*the body got/);

    await page.locator('#rigid-sequence').click();
    await waitForData(page, 'rigid-sequence-words', 'status');
    const { steps, precedence } = planSequence(await loadAssembly('gearbox.json'));
    const rows = page.locator('#rigid-steps li button');
    expect(await rows.allTextContents()).toEqual(steps.map(({ parts }) => parts.join(' + ')));
    expect(await textOf(page, 'rigid-sequence-words')).toMatch(new RegExp(`^All apart in ${steps.length} steps`));
    expect(await textOf(page, 'rigid-precedence')).toContain(precedence.map(([a, b]) => `${a} < ${b}`).join(', '));

    // One after the other is out: all thirteen at first, the base alone in the end.
    await slide(page, 'rigid-sequence-time', '0.5');
    expect((await dataOf(page, 'rigid-sequence-words')).shown).toBe('13');
    await slide(page, 'rigid-sequence-time', String(steps.length));
    expect((await dataOf(page, 'rigid-sequence-words')).shown).toBe('1');
    await slide(page, 'rigid-explode', '1');
    await page.locator('#stage canvas').waitFor();
  });

  it('tells what a dragged part is near to; takes parts that are dropped, and says in red what touches', async () => {
    const page = await openPage('bearing');
    expect(await textOf(page, 'rigid-contact')).toBe('shaft: 0.0001790 to housing');
    const { distance, pose } = await dataOf(page, 'rigid-contact');
    const [arrow] = await findArrows(page);
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    await page.mouse.move(arrow.x, arrow.y - 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((before) => document.getElementById('rigid-contact')?.dataset.pose !== before, pose);
    const [x, y, z, ...turn] = (await dataOf(page, 'rigid-contact')).pose.split(',').map(Number);
    expect([x, y, ...turn]).toEqual([0, 0, 0, 0, 0, 1]);
    expect(z).toBeGreaterThan(0);
    await page.locator('#rigid-back').click();
    await page.waitForFunction((before) => document.getElementById('rigid-contact')?.dataset.pose === before, pose);
    expect((await dataOf(page, 'rigid-contact')).distance).toBe(distance);

    const mesh = parseStl(cube).value!.mesh;
    expect(mesh.triangles.length).toBe(36);
    await dropFiles(page, { 'left.stl': cube, 'right.stl': cube });
    await page.waitForFunction(() => document.getElementById('title')?.textContent === '2 parts');
    expect(await page.locator('#rigid-parts button').allTextContents()).toEqual(['left', 'right']);
    await page.locator('#rigid-part-0').click();
    await page.waitForFunction(() => /touches/.test(document.getElementById('rigid-contact')?.textContent ?? ''));
    expect(await textOf(page, 'rigid-contact')).toBe('left touches right');
    expect((await countColors(page)).red).toBeGreaterThan(200);
    await page.locator('#rigid-take-out').click();
    await waitForData(page, 'rigid-way', 'status');
    expect(await textOf(page, 'rigid-way')).toMatch(/^invalid-start: the start touches/);
  });
});

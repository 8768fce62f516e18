/** What the page says while it looks: one clearance in chip and timeline, furniture that fades, contact as a pattern, atoms and locks of proteins, programs at its socket. */
import type { WebSocketRoute } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writePdb } from '../../src/io.js';
import { buildPeptide } from '../../src/molecule.js';
import { chromiumPath, needsChromium } from './browser.js';
import {
  countColors,
  countDifferent,
  dropFiles,
  findArrows,
  openTab,
  readDrawing,
  useViewer,
  waitForAnswers,
} from './viewer-page.js';

const urdf = `<robot name="slider"><link name="rail"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="cart"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="2" velocity="1" effort="1"/></joint></robot>`;
const scene = {
  version: 1,
  objects: [{ name: 'wall', shape: { type: 'box', size: [0.1, 3, 3] }, pose: [1.5, 0, 0, 0, 0, 0, 1] }],
};

describe.skipIf(!chromiumPath)(`looks of the viewer in Chromium${needsChromium}`, () => {
  const viewer = useViewer();
  const { openViewer } = viewer;

  it.each([
    [1440, 900],
    [1280, 800],
    [390, 844],
  ])('says the same clearance in chip, mark and timeline at %i x %i', async (width, height) => {
    const page = await openViewer({ viewport: { width, height } });
    const mark = page.locator('.mark.tightest');
    const said = /^\S+ \S+/.exec((await mark.getAttribute('title'))!)![0].replace(/:$/, '');
    await mark.evaluate((button: HTMLElement) => button.click());
    await waitForAnswers(page);
    expect(await page.locator('.chip-distance').textContent()).toBe(said);
    expect(await page.locator('#path-clearance').textContent()).toBe(said);
    expect(await page.locator('#plan-proof').textContent()).toContain(`(measured: ${said})`);
    // Between what was measured it is said to be about that.
    await page.locator('#path-position').evaluate((slider: HTMLInputElement) => {
      slider.value = '0.123';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    expect(await page.locator('#path-clearance').textContent()).toMatch(/^≈ [\d.]+ m?m$/);
  });

  it('fades what hides the robot, and hatches what touches', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'slider.urdf': Buffer.from(urdf), 'scene.json': Buffer.from(JSON.stringify(scene)) });
    await page.locator('.title', { hasText: 'slider' }).waitFor();
    await waitForAnswers(page);
    await openTab(page, 'View');
    const fade = page.getByLabel('Fade what hides a robot');
    expect(await fade.isChecked()).toBe(true);
    await fade.uncheck();
    const canvas = page.locator('#stage canvas');
    const { teal } = await countColors(page);
    // The wall stands at +x: from there it hides both links.
    await canvas.focus();
    let turns = 0;
    while (turns < 48 && (await countColors(page)).teal > 0.1 * teal) {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      turns += 2;
    }
    expect(turns).toBeLessThan(48);
    const hidden = await readDrawing(page);
    await fade.check();
    // Once the view rests.
    await expect
      .poll(async () => countDifferent((await readDrawing(page)).pixels, hidden.pixels), { timeout: 60_000 })
      .toBeGreaterThan(1000);
    // To the robot's own side.
    await canvas.focus();
    for (let k = 0; k < 24; k++) await page.keyboard.press('ArrowRight');

    // The cart against the wall: two reds on it, one darker, in stripes.
    await openTab(page, 'Pose');
    const slider = page.locator('.joints input[type=range]').first();
    await slider.evaluate((input: HTMLInputElement) => {
      input.value = '1.4';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.locator('#verdict', { hasText: '1 contact' }).waitFor();
    const { width, pixels } = await readDrawing(page);
    let changes = 0;
    const isRed = (i: number): boolean =>
      pixels[i] > 60 && pixels[i + 1] < 0.45 * pixels[i] && pixels[i + 2] < 0.45 * pixels[i];
    for (let i = 4; i < pixels.length; i += 4)
      if ((i / 4) % width > 0 && isRed(i) && isRed(i - 4) && Math.abs(pixels[i] - pixels[i - 4]) > 25) changes++;
    expect(changes).toBeGreaterThan(40);
  });

  it('snaps what is dragged to the grid', async () => {
    const page = await openViewer();
    const grid = Number(/[\d.]+/.exec((await page.locator('#grid-scale').textContent())!)![0]);
    await openTab(page, 'Scene');
    await page.getByRole('button', { name: 'Add box' }).click();
    await page.getByLabel('Snap to the grid, and to 15°').check();
    const z = page.getByRole('spinbutton', { name: 'z', exact: true });
    const before = Number(await z.inputValue());
    await expect.poll(async () => (await findArrows(page)).length, { timeout: 60_000 }).toBeGreaterThan(0);
    const [{ x, y }] = await findArrows(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 12; k++) await page.mouse.move(x, y - 6 * k);
    await page.mouse.up();
    const after = Number(await z.inputValue());
    expect(after).toBeGreaterThan(before);
    expect(Math.abs(after / grid - Math.round(after / grid))).toBeLessThan(1e-6);
  });

  it('names atoms under the pointer and says why a residue is locked', async () => {
    const page = await openViewer();
    const sequence = 'GSAEPLKKAG';
    const peptide = buildPeptide(
      sequence,
      Array.from(sequence, () => ({ phi: -1, psi: -0.8 })),
    );
    await dropFiles(page, { 'helix.pdb': Buffer.from(writePdb(peptide)) });
    await page.locator('.title', { hasText: 'helix.pdb' }).waitFor();
    await openTab(page, 'Turn');
    expect(await page.locator('#sequence').textContent()).toBe(sequence);
    await page.locator('#sequence span').nth(4).click();
    const said = page.locator('#residue-name');
    expect(await said.textContent()).toBe("A/PRO 5 · φ locked: its bond is in proline's ring");
    // The residue came to the middle: an atom of it, or of a neighbour, is there.
    const { x, y, width, height } = (await page.locator('#stage canvas').boundingBox())!;
    const label = page.locator('#atom-hover');
    for (let ring = 0; ring < 6 && !(await label.isVisible()); ring++)
      for (let k = 0; k < 8 && !(await label.isVisible()); k++) {
        const angle = (Math.PI * k) / 4;
        await page.mouse.move(
          x + width / 2 + 12 * ring * Math.cos(angle),
          y + height / 2 + 12 * ring * Math.sin(angle),
        );
        await page.waitForTimeout(50);
      }
    expect(await label.textContent()).toMatch(/^A\/[A-Z]{3} \d+\/[A-Z0-9]+/);
  });

  it('moves the robot by its socket, and tells what it finds', async () => {
    const context = await viewer.browser.newContext({
      viewport: { width: 1000, height: 640 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    viewer.watch(page);
    await context.route('**/api/session.json', (route) =>
      route.fulfill({
        json: {
          title: 'slider.urdf',
          robot: { urdf: 'files/0/slider.urdf' },
          scene: { file: 'files/1/scene.json' },
          socket: 'api/socket?page',
        },
      }),
    );
    await context.route('**/files/0/slider.urdf', (route) => route.fulfill({ body: urdf }));
    await context.route('**/files/1/scene.json', (route) => route.fulfill({ json: scene }));
    const heard: { q: number[]; free: boolean; contacts: object[]; nearest: object | null }[] = [];
    let socket: WebSocketRoute | null = null;
    await page.routeWebSocket(/api\/socket\?page$/, (route) => {
      socket = route;
      route.onMessage((message) => {
        heard.push(JSON.parse(String(message)));
      });
    });
    await page.goto(viewer.url);
    await waitForAnswers(page);
    await expect.poll(() => heard.length, { timeout: 60_000 }).toBeGreaterThan(0);
    socket!.send(JSON.stringify({ q: { slide: 1 } }));
    await expect.poll(() => heard.at(-1)?.q[0], { timeout: 60_000 }).toBe(1);
    await expect.poll(() => heard.at(-1)?.nearest, { timeout: 60_000 }).toMatchObject({ a: 'cart', b: 'wall' });
    expect((heard.at(-1)!.nearest as { distance: number }).distance).toBeCloseTo(0.35, 9);
    expect(heard.at(-1)).toMatchObject({ robot: 'slider', free: true, verdict: 'free', contacts: [] });
    socket!.send(JSON.stringify({ q: [1.4] }));
    await expect.poll(() => heard.at(-1)?.contacts, { timeout: 60_000 }).toMatchObject([{ a: 'cart', b: 'wall' }]);
    expect(await page.locator('#verdict .verdict').textContent()).toBe('1 contact');
    await context.close();
  });
});

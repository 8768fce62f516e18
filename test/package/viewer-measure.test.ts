/** Points clicked in the viewer, in headless Chromium: what is measured between them is what rays of the library meet. */
import type { Page } from 'playwright-core';
import { PerspectiveCamera, Raycaster, Vector2, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { addObject, castSceneRay, createScene, type SceneRay, type SceneRayHit } from '../../src/scene.js';
import { chromiumPath, needsChromium } from './browser.js';
import { countActions, cube, dropFiles, expectWhole, openTab, useViewer } from './viewer-page.js';

describe.skipIf(!chromiumPath)(`measuring in the viewer in Chromium${needsChromium}`, () => {
  const { openViewer } = useViewer();

  it('measures between two clicked points as rays of the library do', async () => {
    const page = await openViewer();
    await dropFiles(page, { 'a.stl': cube, 'b.stl': cube });
    await page.locator('.verdict', { hasText: '1 contact' }).waitFor();
    await page.getByLabel('Object', { exact: true }).selectOption({ label: 'b' });
    const x = page.getByRole('spinbutton', { name: 'x', exact: true });
    await x.fill('1500');
    await x.press('Enter');
    const actions = countActions();
    await actions.do(openTab(page, 'Measure'));
    await page.getByText('Click two points in the view.').waitFor();
    const view = await keptView(page);
    const { rayAt, width, height, click, toPixel } = await readCamera(page, view);
    const scene = createScene();
    const shape = { type: 'box', size: [1, 1, 1] } as const;
    addObject(scene, { name: 'a', shape, pose: [0.5, 0.5, 0.5, 0, 0, 0, 1] });
    addObject(scene, { name: 'b', shape, pose: [2, 0.5, 0.5, 0, 0, 0, 1] });
    // A place on each cube, found by trying.
    const spots: { readonly at: readonly [number, number]; readonly hit: SceneRayHit }[] = [];
    for (const body of ['a', 'b'])
      for (let i = 0; spots.every(({ hit }) => hit.body !== body); i++) {
        const at = toPixel(width * (0.2 + 0.06 * (i % 11)), height * (0.3 + 0.06 * (i % 7)));
        const { hit } = castSceneRay(scene, rayAt(...at));
        if (hit?.body === body) spots.push({ at, hit });
        expect(i).toBeLessThan(77);
      }
    await actions.do(click(...spots[0].at));
    expect(await page.locator('#measure-hint').textContent()).toBe('First point on a. Click the second.');
    await actions.do(click(...spots[1].at));
    await page.locator('#measured').waitFor();
    expect(actions.count).toBe(3);
    const step = [0, 1, 2].map((k) => spots[1].hit.point[k] - spots[0].hit.point[k]);
    const values = await page.locator('#measured dd').allTextContents();
    expect(values.slice(0, 2)).toEqual(['a', 'b']);
    const expected = [Math.hypot(...step), ...step];
    for (const [k, text] of values.slice(2, 6).entries()) {
      const [number, unit] = text.split(' ');
      const metres = Number(number) * (unit === 'm' ? 1 : unit === 'mm' ? 1e-3 : 1e-6);
      expect(Math.abs(metres - expected[k]), `${text} for ${expected[k]}`).toBeLessThan(1e-3);
    }
    expect(await page.locator('#stage .distance-label:visible').last().textContent()).toBe(values[2]);
    await expectWhole(page, async () => expect(await page.locator('#measured dd').allTextContents()).toEqual(values));

    // The faces that were clicked are squares of the cubes, their edges a metre long.
    const facts = async (): Promise<Record<string, string>> => {
      const names = await page.locator('#measured dt').allTextContents();
      const shown = await page.locator('#measured dd').allTextContents();
      return Object.fromEntries(names.map((name, i) => [name, shown[i]]));
    };
    await page.locator('#measure-kind').selectOption('Faces');
    for (const { at } of spots) await click(...at);
    await page.locator('#measured').waitFor();
    const normals = spots.map(({ hit }) => hit.normal);
    const isParallel = normals[0].every((value, k) => Math.abs(Math.abs(value) - Math.abs(normals[1][k])) < 1e-9);
    const along = Math.abs(step.reduce((sum, value, k) => sum + value * normals[0][k], 0));
    expect(await facts()).toMatchObject({
      'First face': '1.000 m²',
      'Second face': '1.000 m²',
      Angle: isParallel ? '0.0°' : '90.0°',
      Distance: isParallel ? expect.stringMatching(along < 1e-6 ? /^0 mm$|µm$/ : /m$/) : 'not parallel',
    });
    await page.locator('#measure-kind').selectOption('Edges');
    for (const { at } of spots) await click(...at);
    expect(await facts()).toMatchObject({ 'First edge': '1.000 m', 'Second edge': '1.000 m' });
    expect((await facts()).Angle).toMatch(/^(?:0\.0|90\.0)°$/);
    await page.locator('#measure-kind').selectOption('Points');

    await page.locator('#report-mesh').selectOption({ index: 0 });
    await page.locator('#report').click();
    await page.locator('#mesh-facts').waitFor();
    expect(await page.locator('#mesh-facts dd').allTextContents()).toEqual([
      '12',
      '8',
      'yes',
      'yes',
      '1',
      '0',
      '0',
      '0',
      '6.00000 m²',
      '1.00000 m³',
      '1.000 m × 1.000 m × 1.000 m',
    ]);
    await click(...spots[0].at);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    expect(await page.locator('#measured').isVisible()).toBe(false);
    // In any other tab a click chooses what it meets.
    await openTab(page, 'Scene');
    await click(...spots[0].at);
    expect(await page.getByLabel('Object', { exact: true }).inputValue()).toBe('1');
  });
});

/** Camera's position and target, as the page keeps them. */
async function keptView(page: Page): Promise<readonly number[]> {
  const read = () => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('clearance:work:'));
    return key ? ((JSON.parse(sessionStorage.getItem(key)!) as { view?: number[] }).view ?? null) : null;
  };
  const handle = await page.waitForFunction(read);
  return (await handle.jsonValue())!;
}

/** Rays of the page's camera (38 degrees from top to bottom, z up) and clicks, in pixels of the drawing. */
async function readCamera(page: Page, view: readonly number[]) {
  const { x, y, width, height } = (await page.locator('#stage canvas').boundingBox())!;
  const camera = new PerspectiveCamera(38, width / height);
  camera.up.set(0, 0, 1);
  camera.position.fromArray(view);
  camera.lookAt(new Vector3().fromArray(view, 3));
  camera.updateMatrixWorld();
  const raycaster = new Raycaster();
  return {
    width,
    height,
    rayAt(px: number, py: number): SceneRay {
      raycaster.setFromCamera(new Vector2((2 * px) / width - 1, 1 - (2 * py) / height), camera);
      return { origin: raycaster.ray.origin.toArray(), direction: raycaster.ray.direction.toArray() };
    },
    click: (px: number, py: number) => page.mouse.click(x + px, y + py),
    /** Of the page, whole: a click is told in whole pixels, and the drawing may begin between two. */
    toPixel: (px: number, py: number) => [Math.round(x + px) - x, Math.round(y + py) - y] as const,
  };
}

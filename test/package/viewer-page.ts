/** The built viewer in headless Chromium, and how tests read its page. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { writeStl } from '../../src/io.js';
import { chromiumPath, HANG_MS } from './browser.js';

/** A box of edge 1 in place, as a mesh of twelve triangles. */
export const cube = writeStl({
  vertices: Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2])),
  triangles: Uint32Array.from([
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  ]),
});

export interface ViewerHarness {
  readonly browser: Browser;
  /** Of the page. */
  readonly url: string;
  /** A folder of its own, gone after the tests. */
  readonly folder: string;
  /** Errors on this page fail the test. */
  watch(page: Page): void;
  /** `before`: runs in the page before its own scripts. */
  openViewer(options?: Parameters<Browser['newPage']>[0], ...before: readonly (() => void)[]): Promise<Page>;
}

/** Inside a suite: a browser for the viewer that is served for all suites; fails tests with errors on their page. */
export function useViewer(): ViewerHarness {
  const folder = mkdtempSync(join(tmpdir(), 'clearance-viewer-'));
  let browser: Browser;
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath,
      timeout: HANG_MS,
      args: [
        '--no-sandbox',
        '--use-gl=angle',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(errors.splice(0)).toEqual([]);
  });

  const harness: ViewerHarness = {
    folder,
    get browser() {
      return browser;
    },
    get url() {
      return inject('viewer');
    },
    watch(page) {
      page.setDefaultTimeout(HANG_MS);
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        // The absent session is a 404 that Chromium logs as an error.
        if (message.type() === 'error' && !message.location().url.endsWith('api/session.json'))
          errors.push(message.text());
      });
    },
    async openViewer(options = {}, ...before) {
      // Without motion of its own: what is shown stays until a test does something.
      const still = { viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce' } as const;
      const page = await browser.newPage({ ...still, ...options });
      harness.watch(page);
      for (const script of before) await page.addInitScript(script);
      await page.goto(harness.url);
      // The path of the first view is there, and all that is said of it.
      await page.locator('#plan-proof[data-kind=certified]').waitFor();
      await page.locator('.mark').first().waitFor();
      await waitForAnswers(page);
      return page;
    },
  };
  return harness;
}

type TabName = 'Pose' | 'Plan' | 'Scene' | 'Measure' | 'View' | 'Clashes' | 'Turn' | 'Run';

export async function openTab(page: Page, name: TabName): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
}

/** What a user does, counted: clicks, drags, drops, and numbers typed. */
export function countActions(): { readonly count: number; do<T>(action: Promise<T>): Promise<T> } {
  let count = 0;
  return {
    get count() {
      return count;
    },
    do(action) {
      count++;
      return action;
    },
  };
}

/** The path that the page's button saves. */
export async function savePath(page: Page): Promise<number[][]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save path' }).click(),
  ]);
  return (JSON.parse(readFileSync(await download.path(), 'utf8')) as { path: number[][] }).path;
}

export async function waitForCertificate(page: Page): Promise<void> {
  await page.locator('#plan-proof[data-kind=certified]').waitFor({ state: 'attached' });
  await page.locator('.mark').first().waitFor();
}

/** Red: contact. Teal: collision geometry. Orange: the arm's hand, the centre of mass, limits that are near. Blue, violet: limits, ellipsoid. */
export type Kind = 'red' | 'teal' | 'orange' | 'blue' | 'violet';

export async function dropFiles(page: Page, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const encoded = Object.entries(files).map(([name, bytes]) => ({
    name,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, encoded);
}

/** The drawing without what lies over it, RGBA. */
export async function readDrawing(page: Page): Promise<{ width: number; pixels: Buffer }> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const setLabels = (opacity: string): Promise<void> =>
    page
      .locator('.distance-label, .hover-label, .notice, .stage-foot, .stage-tools, .chip, .toast')
      .evaluateAll((nodes, value) => {
        for (const node of nodes) (node as HTMLElement).style.opacity = value;
      }, opacity);
  await setLabels('0');
  const { x, y, width, height } = (await page.locator('#stage canvas').boundingBox())!;
  const png = await page.screenshot({ clip: { x, y, width, height } });
  await setLabels('');
  const drawing = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let text = '';
    for (let i = 0; i < data.length; i += 4096) text += String.fromCharCode(...data.subarray(i, i + 4096));
    return { width: canvas.width, text: btoa(text) };
  }, png.toString('base64'));
  return { width: drawing.width, pixels: Buffer.from(drawing.text, 'base64') };
}

/** Middles of the pure blue arrows of the handles in the page, the upper one first. */
export async function findArrows(page: Page): Promise<{ x: number; y: number }[]> {
  const { width, pixels } = await readDrawing(page);
  const found: [number, number][] = [];
  for (let i = 0; i < pixels.length / 4; i++) {
    const [r, g, b] = pixels.subarray(4 * i, 4 * i + 3);
    if (r < 25 && g < 25 && b > 220) found.push([i % width, Math.floor(i / width)]);
  }
  const { x, y } = (await page.locator('#stage canvas').boundingBox())!;
  const rows = found.map(([, row]) => row);
  const top = Math.min(...rows);
  // The upper arrow's head.
  const head = found.filter(([, row]) => row < top + 10);
  if (head.length === 0) return [];
  const mean = (k: number): number => head.reduce((sum, at) => sum + at[k], 0) / head.length;
  return [{ x: x + mean(0), y: y + mean(1) }];
}

/** Pixels that differ between two drawings of the same size. */
export function countDifferent(a: Buffer, b: Buffer): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) count++;
  return count;
}

/** Pixels of the drawing by kind. */
export async function countColors(page: Page): Promise<Record<Kind, number>> {
  const { pixels } = await readDrawing(page);
  const counts = { red: 0, teal: 0, orange: 0, blue: 0, violet: 0 };
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b] = pixels.subarray(i, i + 3);
    if (r > 110 && g < 0.33 * r && b < 0.33 * r) counts.red++;
    else if (g > 60 && r < 0.8 * g && b > 0.75 * g && b < 1.15 * g) counts.teal++;
    else if (r > 150 && g > 0.4 * r && g < 0.75 * r && b < 0.4 * r) counts.orange++;
    else if (b > 130 && r < 0.45 * b && g < 0.75 * b) counts.blue++;
    else if (b > g + 25 && r > g + 4) counts.violet++;
  }
  return counts;
}

export async function waitForAnswers(page: Page): Promise<void> {
  // In the chip, which may be closed.
  await page.locator('#check-time').filter({ hasText: 's' }).waitFor({ state: 'attached' });
}

export const SIZES = [
  [1440, 900],
  [1280, 800],
  [390, 844],
] as const;

/**
 * At the three sizes: nothing is wider than the page or its panel, no words of a control are cut off, what lies over the view lies beside
 * each other, and something is drawn. `check`: what else has to hold there. The page has its own size again afterwards.
 */
export async function expectWhole(page: Page, check: (width: number) => Promise<void> = async () => {}): Promise<void> {
  const before = page.viewportSize()!;
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await page.evaluate(findFaults), `at ${width}`).toEqual([]);
    const { x, y, width: wide, height: high } = (await page.locator('#stage canvas').boundingBox())!;
    const clip = { x: x + 0.25 * wide, y: y + 0.25 * high, width: 0.5 * wide, height: 0.5 * high };
    // One colour alone packs into next to nothing.
    expect((await page.screenshot({ clip })).length, `drawn at ${width}`).toBeGreaterThan(2500);
    await check(width);
  }
  await page.setViewportSize(before);
}

/** In the page. */
function findFaults(): string[] {
  const faults: string[] = [];
  if (document.documentElement.scrollWidth > window.innerWidth) faults.push('the page is wider than the window');
  const isShown = (node: Element): boolean => {
    const { width, height } = node.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(node).visibility !== 'hidden';
  };
  const name = (node: Element): string =>
    `${node.tagName.toLowerCase()}#${node.id} "${node.textContent?.slice(0, 30)}"`;
  const panel = document.getElementById('panel')!.getBoundingClientRect();
  const controls = '#panel button, #panel label, #panel select, #panel input, #panel h2, #panel p';
  for (const node of Array.from(document.querySelectorAll(controls))) {
    if (!isShown(node)) continue;
    const { left, right } = node.getBoundingClientRect();
    if (right > panel.right + 1 || left < panel.left - 1) faults.push(`${name(node)} is beyond the panel`);
    const isWords = node.matches('button, label, h2');
    if (isWords && node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).textOverflow !== 'ellipsis')
      faults.push(`${name(node)} is cut off`);
  }
  const lying = '.chip:not([open]), .stage-tools, .timeline, .hint, .grid-scale';
  const over = Array.from(document.querySelectorAll(lying)).filter(isShown);
  for (const [i, a] of over.entries())
    for (const b of over.slice(i + 1)) {
      const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
      if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1)
        faults.push(`${a.className} lies over ${b.className}`);
    }
  return faults;
}

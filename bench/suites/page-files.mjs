/**
 * The page with what is large: links and parts that are dragged, files that are opened, opening that is cancelled, the first view on a
 * line of 10 Mbit/s, a hundred files one after another. Headless Chromium, software rendering, drawing and uploads left out;
 * callbacks are timed on the thread's own clock (page-tasks.mjs, page-trace.mjs, page-browser.mjs).
 *
 *   npm run bench -- page-files --file=ROBOT_FOLDER --file=PROTEIN --case=drag
 *
 * `--file` adds folders of robots that are dragged and files that are opened; `--case` takes one of drag, open, start, memory.
 */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { openBrowser, quantile } from '../page-browser.mjs';
import { recordMemory, recordTasks } from '../page-tasks.mjs';
import { traceCallbacks } from '../page-trace.mjs';

const suite = 'page-files';
const events = 120;
const swing = 50;
/** First views before the one that is looked into. */
const views = 4;
const patience = 200_000;
/** Bytes a second of the first view's line, and milliseconds there and back. */
const line = { bytes: 1.25e6, latency: 40 };

const row = (name, ours, unit, n, work) => ({
  ...{ suite, case: name, ours, peer: null, peerName: null, ratio: null, unit, n, spread: 0, work },
});

export async function* run({ only, files }) {
  if (only === null || only === 'start')
    for (const brotli of [true, false]) {
      const host = await openBrowser(suite, { ...line, brotli });
      if (!host) return;
      yield* start(host, brotli ? 'Brotli' : 'gzip');
      await host.close();
    }
  if (only === 'start') return;
  const opened = await openBrowser(suite);
  if (!opened) return;
  const wants = (name) => only === null || only === name;
  try {
    if (wants('drag')) yield* drag(opened, files);
    if (wants('open')) yield* open(opened, files);
    if (wants('memory')) yield* memory(opened);
  } finally {
    await opened.close();
  }
}

async function openPage({ browser, url }, hash = '', ...scripts) {
  const page = await browser.newPage({ viewport: { width: 800, height: 420 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(patience);
  for (const script of [recordTasks, ...scripts]) await page.addInitScript(script);
  await page.goto(`${url}${hash}`);
  await page.locator('#check-time').filter({ hasText: 's' }).waitFor({ state: 'attached' });
  return page;
}

const isRobot = (path) => statSync(path).isDirectory();

/** Own work, callback by callback, while the pointer drags. */
async function* drag(opened, files) {
  for (const [name, prepare] of [
    ['arm', async (page) => page.getByRole('tab', { name: 'Pose' }).click()],
    ...files.filter(isRobot).map((folder) => [basename(folder), (page) => give(page, '#folder-input', folder)]),
  ]) {
    const page = await openPage(opened);
    await prepare(page);
    await page.waitForTimeout(1500);
    const link = await findLink(page);
    const tasks = link ? await dragAt(page, link) : await slide(page);
    yield* reportDrag(`${name}: ${link ? 'a link is dragged' : 'a slider is dragged'}`, tasks);
    await page.close();
  }
  const page = await openPage(opened, '#example=scan');
  await page.waitForTimeout(1500);
  for (const name of ['ball', 'scan']) {
    await page.locator('#object').selectOption({ label: name });
    await page.waitForTimeout(300);
    const tasks = await dragAt(page, await findHandle(page));
    yield* reportDrag(`scan of 500,000 triangles: the ${name} is dragged`, tasks);
  }
  await page.close();
}

function* reportDrag(name, { tasks, label, mean }) {
  yield row(`${name}, processor a move, drawing included`, mean, 'ms', events);
  yield row(`${name}, 95th percentile`, quantile(tasks, 0.95), 'ms', tasks.length, label);
  yield row(`${name}, longest`, Math.max(...tasks), 'ms', tasks.length);
}

async function give(page, input, path) {
  await page.locator(input).setInputFiles(path);
  await page.waitForFunction((title) => !document.title.startsWith(title), 'Arm at a shelf');
  await page.locator('#check-time').filter({ hasText: 's' }).waitFor({ state: 'attached' });
}

async function dragAt(page, [x, y, label]) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  const stop = await traceCallbacks(page);
  const processor = await countScripts(page);
  for (let k = 1; k <= events; k++) {
    await page.mouse.move(x, y - swing * Math.sin((4 * Math.PI * k) / events));
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const mean = (1000 * (await processor())) / events;
  const tasks = (await stop()).map(({ milliseconds }) => milliseconds);
  await page.mouse.up();
  return { tasks, label, mean };
}

/** The first joint's slider to and fro. */
async function slide(page) {
  const slider = page.locator('.joints input[type=range]').first();
  const label = await slider.getAttribute('aria-label');
  const stop = await traceCallbacks(page);
  const processor = await countScripts(page);
  await slider.evaluate(async (input, count) => {
    input.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    const [low, high] = [Number(input.min), Number(input.max)];
    for (let k = 1; k <= count; k++) {
      input.value = String(low + (high - low) * (0.5 + 0.3 * Math.sin((4 * Math.PI * k) / count)));
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise(requestAnimationFrame);
    }
  }, events);
  const mean = (1000 * (await processor())) / events;
  return { tasks: (await stop()).map(({ milliseconds }) => milliseconds), label: label ?? '', mean };
}

/** Seconds of the processor that scripts of the page's thread take until the answer is asked for, drawing included. */
async function countScripts(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration').value;
  };
  const before = await read();
  return async () => (await read()) - before;
}

/** A place of a link whose joint turns. */
async function findLink(page) {
  const box = await page.locator('#stage canvas').boundingBox();
  for (let ring = 0; ring < 8; ring++)
    for (let k = 0; k < 12; k++) {
      const angle = (2 * Math.PI * k) / 12;
      const x = box.x + box.width / 2 + 18 * ring * Math.cos(angle);
      const y = box.y + box.height / 2 + 18 * ring * Math.sin(angle);
      await page.mouse.move(x, y);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const label = page.locator('.hover-label');
      const text = (await label.isVisible()) ? await label.textContent() : '';
      if (text.includes('·')) return [x, y, text];
    }
  return null;
}

/** The head of the upright arrow of the handles: the purest blue. */
async function findHandle(page) {
  const canvas = page.locator('#stage canvas');
  const { x, y } = await canvas.boundingBox();
  const png = (await canvas.screenshot()).toString('base64');
  const at = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const shown = new OffscreenCanvas(image.width, image.height).getContext('2d');
    shown.drawImage(image, 0, 0);
    const { data, width } = shown.getImageData(0, 0, image.width, image.height);
    for (let i = 0; i < data.length; i += 4)
      if (data[i] < 25 && data[i + 1] < 25 && data[i + 2] > 220)
        return [(i / 4) % width, Math.floor(i / 4 / width) + 4];
    return null;
  }, png);
  if (!at) throw new Error(`bench ${suite}: no handle was found`);
  return [x + at[0], y + at[1], ''];
}

/** Tasks of the page's thread of 50 ms and more while a file is opened, and how long a cancel takes. */
async function* open(opened, files) {
  const million = createStl(708, 708);
  const list = [
    { name: '1,002,528 triangles', file: { name: 'million.stl', mimeType: 'model/stl', buffer: million } },
    ...files.filter((path) => !isRobot(path)).map((path) => ({ name: basename(path), file: path })),
  ];
  for (const { name, file } of list) {
    const page = await openPage(opened);
    await page.waitForTimeout(3000);
    const stop = await traceCallbacks(page);
    const begin = Date.now();
    await page.locator('#file-input').setInputFiles(file);
    await page.waitForFunction((title) => !document.title.startsWith(title), 'Arm at a shelf');
    const opening = Date.now() - begin;
    await page.waitForTimeout(4000);
    const own = (await stop()).map(({ milliseconds }) => milliseconds);
    const longest = own.sort((a, b) => b - a).slice(0, 8);
    yield row(`${name}: opened`, opening, 'ms', 1);
    yield row(
      `${name}: longest callback without drawing`,
      longest[0] ?? 0,
      'ms',
      own.length,
      longest.map(Math.round).join(' '),
    );
    await page.close();
    for (const share of [0.2, 0.5, 0.8]) {
      const other = await openPage(opened);
      await other.locator('#file-input').setInputFiles(file);
      await other.locator('#cancel-loading').waitFor({ state: 'attached' });
      await other.waitForTimeout(share * opening * 0.8);
      const took = await other.evaluate(async () => {
        const button = document.getElementById('cancel-loading');
        const note = document.getElementById('stage-note');
        if (!button || note.hidden) return null;
        const from = performance.now();
        button.click();
        while (!note.hidden) await new Promise((resolve) => setTimeout(resolve));
        return performance.now() - from;
      });
      yield row(`${name}: cancelled at ${share}`, took ?? Number.NaN, 'ms', 1, await other.title());
      await other.close();
    }
  }
}

/** A closed wavy torus as binary STL; 2 x columns x rows triangles. */
function createStl(columns, rows) {
  const bytes = Buffer.alloc(84 + 50 * 2 * columns * rows);
  bytes.writeUInt32LE(2 * columns * rows, 80);
  const place = (i, j) => {
    const [u, v] = [(2 * Math.PI * i) / columns, (2 * Math.PI * j) / rows];
    const tube = 0.1 + 0.01 * Math.sin(40 * u) * Math.sin(30 * v);
    const r = 0.3 + tube * Math.cos(v);
    return [r * Math.cos(u), r * Math.sin(u), tube * Math.sin(v)];
  };
  let at = 84;
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < rows; j++) {
      const [a, b, c, d] = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
      for (const corners of [
        [a, b, c],
        [a, c, d],
      ]) {
        for (const [k, point] of corners.entries())
          for (const [n, value] of point.entries()) bytes.writeFloatLE(value, at + 12 + 12 * k + 4 * n);
        at += 50;
      }
    }
  return bytes;
}

/** From the address to an arm that can be dragged, and to its path; what is sent for it. The browser's cache is empty. */
async function* start(opened, coding) {
  const times = [];
  for (let k = 0; k < views; k++) {
    const { page, first } = await view(opened);
    times.push(first);
    await page.close();
  }
  const { page, first, origin } = await view(opened);
  times.push(first);
  const begun = new Set(opened.log.filter(({ from }) => from < origin + first).map(({ path }) => path));
  const atFirst = [...opened.sent].filter(([path]) => begun.has(path));
  await page.locator('#plan-proof[data-kind=certified]').waitFor({ state: 'attached' });
  const planned = await page.evaluate(() => performance.now());
  const all = times.map((time) => time.toFixed(0)).join(', ');
  yield row(`first view can be used, median, ${coding}`, quantile(times, 0.5), 'ms', times.length, all);
  yield* reportSent(`sent for it, ${coding}`, atFirst);
  yield row(`its path is certified, ${coding}`, planned, 'ms', 1);
  yield* reportSent(`sent in all, ${coding}`, [...opened.sent]);
  await page.close();
}

/** A page whose first view is there: milliseconds from the address to the page's own mark, at which it hears what is done to it. */
async function view({ browser, url, sent, log }) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(patience);
  sent.clear();
  log.length = 0;
  await page.goto(url);
  const found = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const watch = new PerformanceObserver((list) => {
          const [mark] = list.getEntriesByName('clearance-first-view');
          if (mark) resolve({ first: mark.startTime, origin: performance.timeOrigin });
        });
        watch.observe({ type: 'mark', buffered: true });
      }),
  );
  return { page, ...found };
}

function* reportSent(name, files) {
  const largest = files.sort((a, b) => b[1] - a[1]).slice(0, 20);
  const work = largest.map(([path, size]) => `${basename(path)} ${(size / 1000).toFixed(0)}`).join(', ');
  yield row(name, files.reduce((sum, [, size]) => sum + size, 0) / 1000, 'kB', files.length, work);
}

/** A hundred files one after another: what stays, after the garbage has been collected. */
async function* memory(opened) {
  const page = await openPage(opened, '', recordMemory);
  const cdp = await page.context().newCDPSession(page);
  const count = async () => {
    await page.waitForTimeout(400);
    await cdp.send('HeapProfiler.collectGarbage');
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    const own = await page.evaluate(() => ({
      pages: [...window.kernelMemories].reduce((sum, memory) => sum + memory.buffer.byteLength / 65536, 0),
      ...window.glCounts,
    }));
    return { heap: usedSize / 1e6, ...own };
  };
  const part = createStl(100, 60);
  const rounds = 100;
  for (let k = 0; k < rounds; k++) {
    const name = `part-${k}.stl`;
    const robot = `<robot name="r${k}"><link name="a"><collision><geometry><mesh filename="${name}"/></geometry></collision></link><link name="b"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link><joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 0.4"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>`;
    await page.locator('#file-input').setInputFiles([
      { name: `r${k}.urdf`, mimeType: 'text/xml', buffer: Buffer.from(robot) },
      { name, mimeType: 'model/stl', buffer: part },
    ]);
    await page.waitForFunction((title) => document.title.startsWith(title), `r${k} `);
    await page.locator('#stage-note').waitFor({ state: 'hidden' });
    if (k === 9 || k === 54 || k === rounds - 1) {
      const { heap, pages, buffers, textures, programs } = await count();
      const work = `${pages} kernel pages, ${buffers} buffers, ${textures} textures, ${programs} programs`;
      yield row(`after ${k + 1} robots: heap`, heap, 'MB', 1, work);
    }
  }
  await page.close();
}

/** The built viewer in headless Chromium, for the suites that measure it; null where there is no browser or no built page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const viewer = fileURLToPath(new URL('../viewer/', import.meta.url));
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const flags = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/**
 * `line`: `bytes` a second and milliseconds of `latency` there and back that the server keeps to, over all connections together,
 * workers' too; with it `log` holds when each file was asked for and sent.
 * CHROMIUM_PATH names the browser when it is not /usr/bin/chromium, CLEARANCE_PAGE the built page when it is not viewer/dist. */
export async function openBrowser(suite, line = null) {
  const outDir = process.env.CLEARANCE_PAGE ?? `${viewer}dist`;
  if (!existsSync(executablePath) || !existsSync(`${outDir}/index.html`)) {
    process.stderr.write(
      `bench ${suite}: left out; it needs Chromium (CHROMIUM_PATH) and a built viewer (npm run build)\n`,
    );
    return null;
  }
  const sent = new Map();
  const server = await servePacked(outDir, sent, line);
  const browser = await chromium.launch({
    executablePath,
    args: [...flags, '--disable-quic', '--js-flags=--expose-gc'],
  });
  return {
    browser,
    log: server.log,
    /** Bytes on the line by path, since the last time they were cleared. */
    sent,
    url: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

export const quantile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
};

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * As static hosts do it: texts and programs packed, pictures as they are; Brotli at its best where the browser takes it and `line.brotli`
 * says so, else gzip. What lies there as Brotli alone is unpacked.
 */
async function servePacked(folder, sent, line) {
  const made = new Map();
  const find = (path) => {
    const file = join(folder, normalize(path === '/' ? '/index.html' : path));
    if (!file.startsWith(folder)) return null;
    if (existsSync(file)) return readFileSync(file);
    return existsSync(`${file}.br`) ? brotliDecompressSync(readFileSync(`${file}.br`)) : null;
  };
  const isPicture = (path) => /\.jpg$/.test(path);
  const pack = (path) => {
    if (!made.has(path)) {
      const bytes = find(path);
      const packed = line?.brotli ? brotliCompressSync : gzipSync;
      made.set(path, bytes && (isPicture(path) ? bytes : packed(bytes)));
    }
    return made.get(path);
  };
  if (line) for (const path of listPaths(folder)) pack(path);
  const pipe = line && createPipe(line);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const bytes = pack(path);
    if (bytes) sent.set(path, bytes.length);
    const answer = () => {
      if (!bytes) return response.writeHead(404).end();
      const type =
        types[extname(path === '/' ? '.html' : path)] ?? (path === '/' ? 'text/html' : 'application/octet-stream');
      const coding = isPicture(path) ? {} : { 'content-encoding': line?.brotli ? 'br' : 'gzip' };
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, ...coding });
      if (pipe) pipe.send(response, bytes, path);
      else response.end(bytes);
    };
    if (line) setTimeout(answer, line.latency * (request.socket.isKnown ? 1 : 2));
    else answer();
    // Opening a connection takes a round trip of its own.
    request.socket.isKnown = true;
  });
  server.log = pipe?.log;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Gives all answers together so many bytes a second, in turn. */
function createPipe({ bytes: rate }) {
  const part = 4096;
  const open = [];
  const log = [];
  let credit = 0;
  let last = 0;
  let isRunning = false;
  const step = () => {
    const now = performance.now();
    credit = Math.min(credit + ((now - last) * rate) / 1000, 0.02 * rate);
    last = now;
    while (open.length > 0 && credit > 0) {
      const one = open.shift();
      const next = one.bytes.subarray(one.at, one.at + part);
      credit -= next.length;
      one.at += next.length;
      one.response.write(next);
      if (one.at < one.bytes.length) open.push(one);
      else {
        one.response.end();
        log.push({ path: one.path, from: one.from, to: performance.timeOrigin + now });
      }
    }
    isRunning = open.length > 0;
    if (isRunning) setTimeout(step, 2);
  };
  return {
    log,
    send(response, bytes, path) {
      if (open.length === 0) [credit, last] = [0, performance.now()];
      open.push({ response, bytes, path, at: 0, from: performance.timeOrigin + performance.now() });
      if (isRunning) return;
      isRunning = true;
      setTimeout(step, 2);
    },
  };
}

const listPaths = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replace(/\.br$/, ''))
    .filter((path) => /^(index\.html|assets\/)/.test(path.replace(/^\//, '')))
    .map((path) => (path.startsWith('/') ? path : `/${path}`))
    .map((path) => (path === '/index.html' ? '/' : path));

/** The built viewer in headless Chromium, for the suites that measure it; null where there is no browser or no built page. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const viewer = fileURLToPath(new URL('../viewer/', import.meta.url));
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const flags = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** CHROMIUM_PATH names the browser when it is not /usr/bin/chromium, CLEARANCE_PAGE the built page when it is not viewer/dist. */
export async function openBrowser(suite) {
  const outDir = process.env.CLEARANCE_PAGE ?? `${viewer}dist`;
  if (!existsSync(executablePath) || !existsSync(`${outDir}/index.html`)) {
    process.stderr.write(
      `bench ${suite}: left out; it needs Chromium (CHROMIUM_PATH) and a built viewer (npm run build)\n`,
    );
    return null;
  }
  const sent = new Map();
  const server = await serveGzipped(outDir, sent);
  const browser = await chromium.launch({
    executablePath,
    args: [...flags, '--disable-quic', '--js-flags=--expose-gc'],
  });
  return {
    browser,
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

/** As static hosts do it: texts and programs gzipped, pictures as they are. What lies there as Brotli alone is unpacked. */
async function serveGzipped(folder, sent) {
  const made = new Map();
  const read = (path) => {
    const file = join(folder, normalize(path === '/' ? '/index.html' : path));
    if (!file.startsWith(folder)) return null;
    if (existsSync(file)) return readFileSync(file);
    return existsSync(`${file}.br`) ? brotliDecompressSync(readFileSync(`${file}.br`)) : null;
  };
  const pack = (path) => {
    if (!made.has(path)) {
      const bytes = read(path);
      made.set(path, bytes && (/\.jpg$/.test(path) ? bytes : gzipSync(bytes)));
    }
    return made.get(path);
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const bytes = pack(path);
    if (!bytes) {
      response.writeHead(404).end();
      return;
    }
    sent.set(path, bytes.length);
    const type =
      types[extname(path === '/' ? '.html' : path)] ?? (path === '/' ? 'text/html' : 'application/octet-stream');
    const coding = /\.jpg$/.test(path) ? {} : { 'content-encoding': 'gzip' };
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, ...coding });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

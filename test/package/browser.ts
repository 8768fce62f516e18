/** Opens a built page in the system's Chromium under a given Content-Security-Policy. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const chromiumPath = process.env.CHROMIUM_PATH ?? candidates.find((path) => existsSync(path));
export const needsChromium = chromiumPath ? '' : ' (skipped: no Chromium on this machine; set CHROMIUM_PATH)';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

/** Milliseconds after which a page hangs; a busy machine takes long for what it does. */
export const HANG_MS = 120_000;
const POLL_MS = 200;

export interface PageOutcome {
  /** What the page put into `window.answers`; undefined when it did not within the time. */
  readonly answers: unknown;
  /** Uncaught errors and violations of the policy. */
  readonly errors: readonly string[];
}

export async function openPage(folder: string, policy: string, page = 'index.html'): Promise<PageOutcome> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = join(folder, path === '/' ? page : path);
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
    });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'], timeout: HANG_MS });
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(HANG_MS);
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // Polled from here: the page's own policy forbids the evaluation that waiting inside it needs.
    for (
      let tries = 0;
      tries < HANG_MS / POLL_MS && !(await tab.evaluate('window.answers || window.failed'));
      tries++
    ) {
      await tab.waitForTimeout(POLL_MS);
    }
    return { answers: await tab.evaluate('window.answers'), errors };
  } finally {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  }
}

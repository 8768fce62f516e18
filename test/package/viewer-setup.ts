/** Builds the viewer once and serves it, under the policy that docs/deploy.md states, to the tests of all its pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from './browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built page is served; empty without a browser to open it. */
    viewer: string;
  }
}

const root = fileURLToPath(new URL('../../viewer', import.meta.url));
const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'";

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('viewer', '');
  if (!chromiumPath) return;
  const folder = mkdtempSync(join(tmpdir(), 'clearance-page-'));
  const outDir = join(folder, 'dist');
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  await build({ root, logLevel: 'error', mode: 'neighbours', build: { outDir } });
  const server = await preview({
    root,
    logLevel: 'error',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, headers: { 'content-security-policy': policy } },
  });
  project.provide('viewer', server.resolvedUrls!.local[0]);
  return async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

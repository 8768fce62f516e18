/** The page's files are stored as Brotli streams: every reader gets their bytes, whatever it accepts. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressPage } from '../../scripts/compress-page.mjs';
import { startViewer, type ViewerServer } from '../../src/cli/viewer-server.js';

const folder = mkdtempSync(join(tmpdir(), 'clearance-view-page-'));
const script = `// ${'the same words '.repeat(1000)}\n`;
let server: ViewerServer;

function ask(path: string, accept?: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const headers = accept === undefined ? {} : { 'accept-encoding': accept };
  return new Promise((resolve, reject) => {
    get(new URL(path, server.url), { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets/main.js'), script);
  writeFileSync(join(folder, 'assets/small.css'), 'p{}');
  compressPage(folder);
  server = await startViewer([], {}, { port: 0, page: folder });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the page of `clearance view`', () => {
  it('is stored compressed where that is worth it', () => {
    expect(existsSync(join(folder, 'assets/main.js'))).toBe(false);
    expect(existsSync(join(folder, 'assets/small.css'))).toBe(true);
  });

  it.each(['br', 'gzip, deflate, br', 'br;q=0.5', 'gzip;q=1.0, br ; q=0.1'])(
    'reaches who accepts "%s" as it is stored',
    async (accept) => {
      const { headers, body } = await ask('/assets/main.js', accept);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'content-encoding': 'br',
        'content-length': String(body.length),
        vary: 'Accept-Encoding',
      });
      expect(body.length).toBeLessThan(script.length / 10);
      expect(brotliDecompressSync(body).toString()).toBe(script);
    },
  );

  it.each([undefined, 'gzip', 'br;q=0', 'gzip, br; q=0.000', 'brotli'])(
    'reaches who accepts "%s" decompressed',
    async (accept) => {
      const { headers, body } = await ask('/assets/main.js', accept);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(body.toString()).toBe(script);
    },
  );

  it('answers small files and names of streams as before', async () => {
    expect((await ask('/assets/small.css', 'br')).body.toString()).toBe('p{}');
    expect((await ask('/', 'br')).body.toString()).toBe('<!doctype html>');
    expect((await ask('/assets/main.js.br', 'br')).body.toString()).toBe('not found');
  });
});

/** What `clearance view` tells its open pages: files that changed, and joint values that programs post; posts of other origins are refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startViewer, type ViewerServer } from '../../src/cli/viewer-server.js';

const folder = mkdtempSync(join(tmpdir(), 'clearance-view-events-'));
const file = join(folder, 'part.stl');
const part = (size: number): string =>
  `solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex ${size} 0 0\nvertex 0 ${size} 0\nendloop\nendfacet\nendsolid part\n`;
let server: ViewerServer;

beforeAll(async () => {
  writeFileSync(file, part(1));
  server = await startViewer([file], {}, { port: 0, page: folder });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listen() {
  const answer = await fetch(`${server.url}api/events`);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    /** All up to and with the next event of that name. */
    async next(name: string): Promise<string> {
      while (!new RegExp(`event: ${name}\ndata: .*\n\n`).test(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`ended after ${text}`);
        text += value;
      }
      const said = text;
      text = '';
      return said;
    },
    end: () => reader.cancel(),
  };
}

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}q`, { method: 'POST', body, headers });

describe('events of `clearance view`', () => {
  it('hands joint values on to open pages', async () => {
    const page = await listen();
    expect(await (await post('[0.1, -2]')).text()).toBe('shown by 1 page\n');
    expect(await page.next('q')).toContain('data: [0.1,-2]\n');
    expect((await post('{"joint_1": 0.5}', { origin: server.url.replace(/\/$/, '') })).status).toBe(200);
    expect(await page.next('q')).toContain('data: {"joint_1":0.5}\n');
    await page.end();
  });

  it('refuses other origins, what is no joint values, and other methods', async () => {
    for (const origin of ['https://example.org', 'null', 'http://127.0.0.1:1'])
      expect((await post('[0]', { origin })).status).toBe(403);
    for (const body of ['', 'x', '1', 'null', '["a"]', '{"a": null}', '[1e999]'])
      expect((await post(body)).status).toBe(400);
    expect((await fetch(`${server.url}api/session.json`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${server.url}q`)).status).toBe(404);
  });

  it('says when a file that it serves changed', async () => {
    const page = await listen();
    writeFileSync(join(folder, 'other.txt'), 'not served');
    writeFileSync(file, part(2));
    expect(await page.next('files')).toContain('event: files\n');
    const session = (await (await fetch(`${server.url}api/session.json`)).json()) as {
      events: string;
      meshes: { url: string }[];
    };
    expect(session.events).toBe('api/events');
    expect(await (await fetch(`${server.url}${session.meshes[0].url}`)).text()).toBe(part(2));
    await page.end();
  });
});

/** The WebSocket of `clearance view`: joint values in, what pages say out, by RFC 6455; other origins and broken frames are refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startViewer, type ViewerServer } from '../../src/cli/viewer-server.js';

const folder = mkdtempSync(join(tmpdir(), 'clearance-view-socket-'));
let server: ViewerServer;
let port = 0;
const open: Socket[] = [];

beforeAll(async () => {
  const file = join(folder, 'part.stl');
  writeFileSync(
    file,
    'solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid part\n',
  );
  server = await startViewer([file], {}, { port: 0, page: folder });
  port = Number(new URL(server.url).port);
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const MASK = [0x12, 0xf0, 0x5a, 0x07];

function clientFrame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size =
    length < 126
      ? [0x80 | length]
      : length < 65536
        ? [0x80 | 126, length >> 8, length & 255]
        : [0x80 | 127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255];
  return Buffer.concat([Buffer.from([first, ...size, ...MASK]), payload.map((byte, i) => byte ^ MASK[i & 3])]);
}

const text = (value: unknown): Buffer => clientFrame(0x81, Buffer.from(JSON.stringify(value)));

async function enter(path: string, headers: Record<string, string> = {}) {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  let data: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake: () => void = () => {};
  socket.on('data', (part) => {
    data = Buffer.concat([data, part as Buffer]);
    wake();
  });
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  const until = async (enough: () => boolean): Promise<void> => {
    while (!enough()) {
      if (isOver) throw new Error('closed');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const all = {
    ...{ Host: `127.0.0.1:${port}`, Upgrade: 'websocket', Connection: 'Upgrade' },
    ...{ 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version': '13' },
    ...headers,
  };
  socket.write(
    `GET ${path} HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  await until(() => data.includes('\r\n\r\n'));
  const end = data.indexOf('\r\n\r\n') + 4;
  const head = data.subarray(0, end).toString();
  data = data.subarray(end);
  return {
    head,
    socket,
    /** Code and payload of the next frame. */
    async next(): Promise<[number, Buffer]> {
      await until(() => data.length >= 2 && data.length >= 2 + (data[1] === 126 ? 2 + data.readUInt16BE(2) : data[1]));
      const begin = data[1] === 126 ? 4 : 2;
      const length = data[1] === 126 ? data.readUInt16BE(2) : data[1];
      const found: [number, Buffer] = [data[0] & 15, Buffer.from(data.subarray(begin, begin + length))];
      data = data.subarray(begin + length);
      return found;
    },
    async json(): Promise<unknown> {
      const [code, payload] = await this.next();
      expect(code).toBe(1);
      return JSON.parse(payload.toString());
    },
  };
}

describe('WebSocket of `clearance view`', () => {
  it('hands joint values to pages, and what pages say to programs', async () => {
    const session = (await (await fetch(`${server.url}api/session.json`)).json()) as { socket: string };
    const page = await enter(`/${session.socket}`, { Origin: server.url.replace(/\/$/, '') });
    // The key and answer of RFC 6455, section 1.3.
    expect(page.head).toContain('101 Switching Protocols');
    expect(page.head).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    const program = await enter('/api/socket');
    program.socket.write(text({ q: [0.1, -2] }));
    expect(await program.json()).toEqual({ shown: 1 });
    expect(await page.json()).toEqual({ q: [0.1, -2] });
    const state = { q: [0.1, -2], free: true, words: 'x'.repeat(200) };
    page.socket.write(text(state));
    expect(await program.json()).toEqual(state);
    // One that comes later hears what was said last.
    expect(await (await enter('/api/socket')).json()).toEqual(state);
  });

  it('takes frames in pieces, many at once, and answers pings', async () => {
    const program = await enter('/api/socket');
    await program.json();
    const whole = Buffer.from(JSON.stringify({ q: { joint_1: 0.5 } }));
    const frames = Buffer.concat([
      clientFrame(0x01, whole.subarray(0, 5)),
      clientFrame(0x89, Buffer.from('are you there')),
      clientFrame(0x80, whole.subarray(5)),
      text({ q: ['a'] }),
      clientFrame(0x81, Buffer.from('no JSON')),
      text({ q: Array.from({ length: 20_000 }, () => 0.25) }),
    ]);
    for (let at = 0; at < frames.length; at += at < 60 ? 1 : 4096)
      program.socket.write(frames.subarray(at, at + (at < 60 ? 1 : 4096)));
    expect(await program.next()).toEqual([10, Buffer.from('are you there')]);
    expect(await program.json()).toEqual({ shown: 1 });
    expect(await program.json()).toMatchObject({ error: expect.stringContaining('joint values') });
    expect(await program.json()).toMatchObject({ error: 'expected JSON' });
    expect(await program.json()).toEqual({ shown: 1 });
    program.socket.write(clientFrame(0x88, Buffer.from([0x03, 0xe8])));
    expect(await program.next()).toEqual([8, Buffer.from([0x03, 0xe8])]);
  });

  it.each([
    ['https://example.org', '403'],
    ['null', '403'],
    ['http://127.0.0.1:1', '403'],
  ])('refuses a page of %s', async (Origin, status) => {
    expect((await enter('/api/socket', { Origin })).head).toContain(`HTTP/1.1 ${status}`);
  });

  it('refuses other hosts, other paths, and what is no handshake', async () => {
    expect((await enter('/api/socket', { Host: 'example.org' })).head).toContain(' 403 ');
    expect((await enter('/api/other')).head).toContain(' 404 ');
    expect((await enter('/api/socket', { 'Sec-WebSocket-Version': '7' })).head).toContain(' 400 ');
  });

  it.each([
    ['unmasked', Buffer.from([0x81, 0x01, 0x41]), 1002],
    ['reserved bits', clientFrame(0xc1, Buffer.from('{}')), 1002],
    ['a long ping', clientFrame(0x89, Buffer.alloc(126)), 1002],
    ['a continuation of nothing', clientFrame(0x80, Buffer.from('{}')), 1002],
    ['binary', clientFrame(0x82, Buffer.from('{}')), 1003],
    ['more than a mebibyte', clientFrame(0x81, Buffer.alloc((1 << 20) + 1)).subarray(0, 14), 1009],
  ])('closes on %s', async (_, bytes, code) => {
    const program = await enter('/api/socket');
    await program.json();
    program.socket.write(bytes);
    const [kind, payload] = await program.next();
    expect([kind, payload.readUInt16BE(0)]).toEqual([8, code]);
  });
});

/**
 * The viewer's WebSocket, for programs of this machine: joint values go in to the open pages, and what the pages say of them comes out.
 *
 * `/api/socket` is for programs, `/api/socket?page` for the page itself. Loopback names only; a browser's page of another origin is
 * refused, programs send no origin. Frames by RFC 6455: text only, no extensions, at most MOST_BYTES a message; a client that keeps to
 * none of this is closed with the code that says so.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Of one message. */
const MOST_BYTES = 1 << 20;
/** Bytes that may wait for one that does not read: more, and it is let go. */
const MOST_WAITING = 8 << 20;
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [CONTINUATION, TEXT, CLOSE, PING, PONG] = [0, 1, 8, 9, 10];

export interface SocketClient {
  send(value: unknown): void;
}

export interface ViewerSocketHandlers {
  /** A program's message, parsed; what comes back goes to that program alone. */
  onProgram(message: unknown): unknown;
}

export interface ViewerSocket {
  /** Answers an upgrade of the server's; refuses it where it may not be. */
  upgrade(request: IncomingMessage, socket: Duplex, isLoopback: boolean): void;
  /** To all open pages; tells how many those are. */
  tellPages(value: unknown): number;
  close(): void;
}

export function createViewerSocket(handlers: ViewerSocketHandlers): ViewerSocket {
  const pages = new Set<SocketClient>();
  const programs = new Set<SocketClient>();
  const sockets = new Set<Duplex>();
  /** What a page said last: a program that comes hears it first. */
  let state: unknown = null;

  function hear(client: SocketClient, isPage: boolean, text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      client.send({ error: 'expected JSON' });
      return;
    }
    if (!isPage) {
      client.send(handlers.onProgram(message));
      return;
    }
    state = message;
    for (const program of programs) program.send(message);
  }

  return {
    upgrade(request, socket, isLoopback) {
      socket.on('error', () => socket.destroy());
      const { origin, host, upgrade } = request.headers;
      const key = request.headers['sec-websocket-key'];
      const [path, query] = (request.url ?? '').split('?', 2);
      const refuse = (status: string): void => {
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      };
      if (!isLoopback || (origin !== undefined && origin !== `http://${host}`)) return refuse('403 Forbidden');
      if (path !== '/api/socket') return refuse('404 Not Found');
      if (upgrade?.toLowerCase() !== 'websocket' || !key || request.headers['sec-websocket-version'] !== '13')
        return refuse('400 Bad Request');
      const accept = createHash('sha1')
        .update(key + GUID)
        .digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      const isPage = query === 'page';
      const client: SocketClient = {
        send(value) {
          if (socket.writableLength > MOST_WAITING) socket.destroy();
          else if (socket.writable) socket.write(frame(TEXT, Buffer.from(JSON.stringify(value))));
        },
      };
      const all = isPage ? pages : programs;
      all.add(client);
      sockets.add(socket);
      socket.on('close', () => {
        all.delete(client);
        sockets.delete(socket);
      });
      listen(socket, (text) => hear(client, isPage, text));
      if (!isPage && state !== null) client.send(state);
    },
    tellPages(value) {
      for (const page of pages) page.send(value);
      return pages.size;
    },
    close() {
      for (const socket of sockets) {
        socket.write(frame(CLOSE, Buffer.from([0x03, 0xe9])));
        socket.destroy();
      }
    },
  };
}

/** An unmasked frame, as servers send them. */
function frame(code: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65536 ? 4 : 10);
  head[0] = 0x80 | code;
  if (length < 126) head[1] = length;
  else if (length < 65536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Frames as they come in, in whatever pieces; whole texts go out. */
function listen(socket: Duplex, onText: (text: string) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] | null = null;
  let size = 0;
  let isOver = false;
  const fail = (code: number): void => {
    isOver = true;
    const reason = Buffer.alloc(2);
    reason.writeUInt16BE(code);
    socket.end(frame(CLOSE, reason));
  };
  const takeText = (code: number, isLast: boolean, payload: Buffer): void => {
    if ((code === TEXT) === (parts !== null)) fail(1002);
    else if (size + payload.length > MOST_BYTES) fail(1009);
    else {
      parts = [...(parts ?? []), payload];
      size += payload.length;
      if (!isLast) return;
      const text = Buffer.concat(parts).toString('utf8');
      [parts, size] = [null, 0];
      onText(text);
    }
  };
  const take = (code: number, isLast: boolean, payload: Buffer): void => {
    if (code === TEXT || code === CONTINUATION) takeText(code, isLast, payload);
    else if (code === PING) socket.write(frame(PONG, payload));
    else if (code === CLOSE) {
      isOver = true;
      socket.end(frame(CLOSE, payload.subarray(0, 2)));
    } else if (code !== PONG) fail(1003);
  };
  socket.on('data', (data: Buffer) => {
    if (isOver) return;
    rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
    while (!isOver && rest.length >= 2) {
      const [first, second] = rest;
      const isControl = (first & 0x08) !== 0;
      const short = second & 0x7f;
      // No extension was agreed on; clients mask; control frames are short and whole.
      if ((first & 0x70) !== 0 || (second & 0x80) === 0 || (isControl && (short > 125 || (first & 0x80) === 0)))
        return fail(1002);
      const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
      if (rest.length < 6 + extra) return;
      const length = extra === 2 ? rest.readUInt16BE(2) : extra === 8 ? Number(rest.readBigUInt64BE(2)) : short;
      if (length > MOST_BYTES) return fail(1009);
      const begin = 6 + extra;
      if (rest.length < begin + length) return;
      const mask = rest.subarray(begin - 4, begin);
      const payload = Buffer.from(rest.subarray(begin, begin + length));
      for (let i = 0; i < length; i++) payload[i] ^= mask[i & 3];
      rest = rest.subarray(begin + length);
      take(first & 0x0f, (first & 0x80) !== 0, payload);
    }
  });
}

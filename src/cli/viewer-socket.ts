/**
 * The viewer's WebSocket, for programs of this machine: joint values go in to the open pages, and what the pages say of them comes out.
 *
 * `/api/socket` is for programs, `/api/socket?page` for the page itself. Loopback names only; a browser's page of another origin is
 * refused, programs send no origin. Texts of JSON, at most MOST_BYTES each; a client that keeps to none of this is closed with the code
 * that says so.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** Of one message. */
const MOST_BYTES = 1 << 20;
/** Bytes that may wait for one that does not read: more, and it is let go. */
const MOST_WAITING = 8 << 20;
const [GOING_AWAY, NO_TEXT] = [1001, 1003];

export interface ViewerSocketHandlers {
  /** A program's message, parsed; what comes back goes to that program alone. */
  onProgram(message: unknown): unknown;
}

export interface ViewerSocket {
  /** Answers an upgrade of the server's; refuses it where it may not be. `head`: what came with it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, isLoopback: boolean): void;
  /** To all open pages; tells how many those are. */
  tellPages(value: unknown): number;
  close(): void;
}

export function createViewerSocket(handlers: ViewerSocketHandlers): ViewerSocket {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, clientTracking: false });
  const pages = new Set<WebSocket>();
  const programs = new Set<WebSocket>();
  /** What a page said last: a program that comes hears it first. */
  let state: unknown = null;

  function send(client: WebSocket, value: unknown): void {
    if (client.bufferedAmount > MOST_WAITING) client.terminate();
    else if (client.readyState === client.OPEN) client.send(JSON.stringify(value));
  }

  function hear(client: WebSocket, isPage: boolean, text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      send(client, { error: 'expected JSON' });
      return;
    }
    if (!isPage) {
      send(client, handlers.onProgram(message));
      return;
    }
    state = message;
    for (const program of programs) send(program, message);
  }

  function welcome(client: WebSocket, isPage: boolean): void {
    const all = isPage ? pages : programs;
    all.add(client);
    client.on('close', () => all.delete(client));
    // What breaks the protocol is closed with its code.
    client.on('error', () => {});
    client.on('message', (data, isBinary) => {
      if (isBinary) client.close(NO_TEXT);
      else hear(client, isPage, data.toString());
    });
    if (!isPage && state !== null) send(client, state);
  }

  return {
    upgrade(request, socket, head, isLoopback) {
      socket.on('error', () => socket.destroy());
      const { origin, host } = request.headers;
      const [path, query] = (request.url ?? '').split('?', 2);
      const refuse = (status: string): void => {
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      };
      if (!isLoopback || (origin !== undefined && origin !== `http://${host}`)) return refuse('403 Forbidden');
      if (path !== '/api/socket') return refuse('404 Not Found');
      server.handleUpgrade(request, socket, head, (client) => welcome(client, query === 'page'));
    },
    tellPages(value) {
      for (const page of pages) send(page, value);
      return pages.size;
    },
    close() {
      for (const client of [...pages, ...programs]) {
        client.close(GOING_AWAY);
        client.terminate();
      }
    },
  };
}

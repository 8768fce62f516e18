/**
 * The viewer's server: its built page, a session description, and exactly the files that the session leads to.
 *
 * Loopback only. Files are served under the exact URLs of a list, so no request can name a path. The session is made anew
 * each time the page asks for it: a reload shows files as they are now. Requests whose Host is not a loopback name are
 * refused (DNS rebinding). Pages hear of files that change and of joint values that are posted to `/q` (viewer-events.ts);
 * programs talk with them through a WebSocket (viewer-socket.ts). A download that breaks off closes its file.
 */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { UsageError } from './exit.js';
import type { RobotArguments } from './robot-arguments.js';
import { createViewerEvents, readValues } from './viewer-events.js';
import { createSession, type ServedFile, sortViewerFiles } from './viewer-session.js';
import { createViewerSocket } from './viewer-socket.js';

export interface ViewerServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ViewerServerOptions {
  readonly port: number;
  /** Folder of the built page; default: the one that is installed with the command line. */
  readonly page?: string;
}

const CONTENT_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'";
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

export async function startViewer(
  files: readonly string[],
  args: RobotArguments,
  { port, page = fileURLToPath(new URL('../../../viewer/dist', import.meta.url)) }: ViewerServerOptions,
): Promise<ViewerServer> {
  if (!existsSync(page)) throw new UsageError('view: the viewer is not built; run `npm run build`');
  const sorted = sortViewerFiles(files, args);
  const served = new Map<string, ServedFile>();
  // What cannot be shown at all is said before a page is opened.
  let session = await createSession(sorted, args, served);
  const events = createViewerEvents();
  const socket = createViewerSocket({
    onProgram(message) {
      const q = readValues((message as { readonly q?: unknown } | null)?.q);
      if (!q) return { error: 'expected joint values: {"q":[0.1,0.2]} or {"q":{"joint_1":0.1}}' };
      return { shown: socket.tellPages({ q }) };
    },
  });
  const watchServed = (): void => events.watchFiles([...served.values()].flatMap(({ path }) => path ?? []));
  watchServed();
  const assets = listAssets(page);
  const answerSession = async (response: ServerResponse): Promise<void> => {
    let failure: string | null = null;
    try {
      session = await createSession(sorted, args, served);
      watchServed();
    } catch (error) {
      // Files that were readable at the start and are not now.
      failure = (error as Error).message;
    }
    if (!session) {
      refuse(response, 404, 'no session: the page shows its bundled example');
      return;
    }
    const { title } = session;
    const notes = [{ severity: 'error', code: 'unreadable', message: failure }];
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Cache-Control', 'no-store');
    response.end(
      JSON.stringify({
        ...(failure === null ? session : { title, notes }),
        events: 'api/events',
        socket: 'api/socket?page',
      }),
    );
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('Content-Security-Policy', CONTENT_POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    // Not by URL: that throws on request targets such as `//`.
    const pathname = (request.url ?? '/').split('?', 1)[0];
    const asset = assets.get(pathname === '/' ? '/index.html' : pathname);
    if (!LOOPBACK_HOST.test(request.headers.host ?? ''))
      refuse(response, 403, 'the viewer answers on loopback names only');
    else if (request.method === 'POST' && pathname === '/q') events.receive(request, response);
    else if (request.method !== 'GET' && request.method !== 'HEAD') refuse(response, 405, 'read-only');
    else if (pathname === '/api/session.json') void answerSession(response);
    else if (pathname === '/api/events') events.listen(response);
    else if (asset !== undefined) {
      // Built assets carry a hash of their content in the name; the page itself does not.
      response.setHeader('Cache-Control', pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache');
      sendFile(request, response, asset, CONTENT_TYPES[extname(asset.replace(/\.br$/, ''))]);
    } else {
      const file = served.get(pathname);
      response.setHeader('Cache-Control', 'no-store');
      if (!file) refuse(response, 404, 'not found');
      else if (file.content !== undefined) {
        response.setHeader('Content-Type', 'application/octet-stream');
        response.end(file.content);
      } else sendFile(request, response, file.path!);
    }
  };
  const server = createServer(answer);
  server.on('upgrade', (request: IncomingMessage, stream, head) =>
    socket.upgrade(request, stream, head, LOOPBACK_HOST.test(request.headers.host ?? '')),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new UsageError(`--port ${port}: in use, choose another or 0`) : error),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        events.close();
        socket.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain');
  response.end(text);
}

/** Streams a file; the pipeline closes it when it has been sent, when it cannot be read and when the other side leaves. */
function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  type = 'application/octet-stream',
): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) {
    refuse(response, 404, 'the file is gone');
    return;
  }
  response.setHeader('Content-Type', type);
  const isPacked = path.endsWith('.br');
  const unpacks = isPacked && !takesBrotli(request);
  if (isPacked) response.setHeader('Vary', 'Accept-Encoding');
  if (isPacked && !unpacks) response.setHeader('Content-Encoding', 'br');
  if (!unpacks) response.setHeader('Content-Length', stats.size);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const finish = (error: Error | null): void => {
    if (error) response.destroy();
  };
  if (unpacks) pipeline(createReadStream(path), createBrotliDecompress(), response, finish);
  else pipeline(createReadStream(path), response, finish);
}

/** RFC 9110, 12.5.3: the coding is named, and not with weight 0. */
function takesBrotli(request: IncomingMessage): boolean {
  const codings = String(request.headers['accept-encoding'] ?? '').split(',');
  return codings.some((coding) => /^\s*br\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(coding));
}

/** The page's own files by URL, which a Brotli stream has without its suffix. */
function listAssets(page: string): Map<string, string> {
  const assets = new Map<string, string>();
  for (const entry of readdirSync(page, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const url = relative(page, path).replace(/\.br$/, '');
    assets.set(`/${url.split(sep).map(encodeURIComponent).join('/')}`, path);
  }
  return assets;
}

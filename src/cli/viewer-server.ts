/**
 * The viewer's server: its built page, a session description, and exactly the files that the session needs.
 *
 * Loopback only. Files are served under the exact URLs of a list made at start, so no request can name a path.
 * Requests whose Host is not a loopback name are refused (DNS rebinding).
 */
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { loadRobot } from '../node/load-robot.js';
import { loadScene } from '../node/load-scene.js';
import { UsageError } from './exit.js';
import { report } from './messages.js';
import { type RobotArguments, robotFileOptions } from './robot-arguments.js';

export interface ViewerServer {
  readonly url: string;
  close(): Promise<void>;
}

/** What `api/session.json` says; URLs are relative to the page. See viewer/README.md. */
export interface ViewerSession {
  readonly title: string;
  robot?: { urdf: string; srdf?: string; meshes: Record<string, string> };
  scene?: { file: string; meshes: Record<string, string> };
  meshes?: { name: string; url: string }[];
}

const CONTENT_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'";
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

interface ServedFile {
  readonly name: string;
  /** Content of generated files (an expanded xacro), else the path on disk. */
  readonly content?: string;
  readonly path?: string;
}

export async function startViewer(
  files: readonly string[],
  args: RobotArguments & { readonly port: number },
): Promise<ViewerServer> {
  const page = fileURLToPath(new URL('../../../viewer/dist', import.meta.url));
  if (!existsSync(page)) throw new UsageError('view: the viewer is not built; run `npm run build`');
  const served = new Map<string, ServedFile>();
  const session = await createSession(files, args, served);
  const assets = sirv(page, { etag: true });
  const server = createServer((request, response) => {
    response.setHeader('Content-Security-Policy', CONTENT_POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    // Not by URL: that throws on request targets such as `//`.
    const pathname = (request.url ?? '/').split('?', 1)[0];
    if (!LOOPBACK_HOST.test(request.headers.host ?? ''))
      refuse(response, 403, 'the viewer answers on loopback names only');
    else if (request.method !== 'GET' && request.method !== 'HEAD') refuse(response, 405, 'read-only');
    else if (pathname === '/api/session.json') sendSession(response, session);
    else if (pathname.startsWith('/files/')) sendFile(response, served.get(pathname));
    else assets(request, response, () => refuse(response, 404, 'not found'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new UsageError(`--port ${args.port}: in use, choose another or 0`) : error),
    );
    server.listen(args.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
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

function sendSession(response: ServerResponse, session: ViewerSession | null): void {
  if (!session) {
    refuse(response, 404, 'no session: the page shows its bundled example');
    return;
  }
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(session));
}

function sendFile(response: ServerResponse, file: ServedFile | undefined): void {
  if (!file) {
    refuse(response, 404, 'not found');
    return;
  }
  response.setHeader('Content-Type', 'application/octet-stream');
  if (file.content !== undefined) response.end(file.content);
  else
    createReadStream(file.path!)
      .on('error', () => refuse(response, 404, 'the file is gone'))
      .pipe(response);
}

async function createSession(
  files: readonly string[],
  args: RobotArguments,
  served: Map<string, ServedFile>,
): Promise<ViewerSession | null> {
  const serve = (file: ServedFile): string => {
    const url = `files/${served.size}/${encodeURIComponent(file.name)}`;
    served.set(`/${url}`, file);
    return url;
  };
  const scenes = [
    ...files.filter((file) => extname(file).toLowerCase() === '.json'),
    ...(args.scene ? [args.scene] : []),
  ];
  const robots = files.filter((file) => /\.(urdf|xacro)$/i.test(file));
  const meshes = files.filter((file) => !scenes.includes(file) && !robots.includes(file));
  if (files.length === 0 && scenes.length === 0) return null;
  if (robots.length > 1) throw new UsageError('view: one robot at a time; put several into a scene file');
  if (scenes.length > 1) throw new UsageError('view: one scene at a time');
  const named = [...files, ...(args.scene ? [args.scene] : []), ...(args.srdf ? [args.srdf] : [])];
  for (const file of named) if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
  const session: ViewerSession = { title: basename(files[0] ?? scenes[0]) };
  if (robots.length === 1) session.robot = await serveRobot(robots[0], args, serve);
  if (scenes.length === 1) session.scene = await serveScene(scenes[0], args, serve);
  if (meshes.length > 0)
    session.meshes = meshes.map((path) => ({ name: basename(path), url: serve({ name: basename(path), path }) }));
  return session;
}

type Serve = (file: ServedFile) => string;

function serveMeshes(paths: ReadonlyMap<string, string>, serve: Serve): Record<string, string> {
  const urls: Record<string, string> = {};
  const byPath = new Map<string, string>();
  for (const [name, path] of paths) {
    const url = byPath.get(path) ?? serve({ name: basename(path), path });
    byPath.set(path, url);
    urls[name] = url;
  }
  return urls;
}

async function serveRobot(file: string, args: RobotArguments, serve: Serve): Promise<ViewerSession['robot']> {
  const { value, issues } = await loadRobot(file, { ...robotFileOptions(args), geometry: 'both' });
  for (const issue of issues) report(issue);
  if (!value) throw new UsageError(`${file}: unreadable`);
  return {
    urdf: serve({ name: basename(file).replace(/\.xacro$/i, ''), content: value.urdf }),
    ...(args.srdf ? { srdf: serve({ name: basename(args.srdf), content: await readFile(args.srdf, 'utf8') }) } : {}),
    meshes: serveMeshes(value.files, serve),
  };
}

async function serveScene(file: string, args: RobotArguments, serve: Serve): Promise<ViewerSession['scene']> {
  const { value, issues } = await loadScene(file, { allowOutside: args.allowOutside });
  for (const issue of issues) report(issue);
  if (!value) throw new UsageError(`${file}: unreadable`);
  return { file: serve({ name: basename(file), path: file }), meshes: serveMeshes(value.files, serve) };
}

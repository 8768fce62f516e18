/**
 * What the viewer's server tells its open pages, as server-sent events: files that changed on disk, and joint values that another program
 * posts. A post that a page of another origin makes is refused: the browser says where it comes from.
 */
import { type FSWatcher, watch } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname } from 'node:path';

/** Quiet time after a file changed: programs write in several steps. */
const QUIET = 150;
const MOST_BYTES = 1 << 20;

export interface ViewerEvents {
  /** Answers a page that listens, until it leaves. */
  listen(response: ServerResponse): void;
  /** Joint values, an array or an object by joint, as a body. */
  receive(request: IncomingMessage, response: ServerResponse): void;
  /** These are watched from now on, and no others. */
  watchFiles(paths: Iterable<string>): void;
  close(): void;
}

export function createViewerEvents(): ViewerEvents {
  const pages = new Set<ServerResponse>();
  const watchers = new Map<string, FSWatcher>();
  let names = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (event: string, data: unknown): void => {
    for (const page of pages) page.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };

  function follow(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || !names.get(folder)?.has(name)) return;
        clearTimeout(timer);
        timer = setTimeout(() => tell('files', {}), QUIET);
      });
      watcher.on('error', () => {});
      watchers.set(folder, watcher);
    } catch {
      // A folder that cannot be watched: a reload still shows its files as they are.
    }
  }

  return {
    listen(response) {
      response.setHeader('Content-Type', 'text/event-stream');
      response.setHeader('Cache-Control', 'no-store');
      response.write('retry: 1000\n\n');
      pages.add(response);
      response.on('close', () => pages.delete(response));
    },
    receive(request, response) {
      const answer = (status: number, text: string): void => {
        response.statusCode = status;
        response.setHeader('Content-Type', 'text/plain');
        response.end(text);
      };
      const { origin, host } = request.headers;
      if (origin !== undefined && origin !== `http://${host}`) {
        answer(403, 'only programs of this machine and the page itself may post');
        request.resume();
        return;
      }
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => {
        text += part;
        if (text.length > MOST_BYTES) request.destroy();
      });
      request.on('end', () => {
        const q = readValues(parse(text));
        if (!q) return answer(400, 'expected joint values: [0.1, 0.2] or {"joint_1": 0.1}\n');
        tell('q', q);
        answer(200, `shown by ${pages.size} ${pages.size === 1 ? 'page' : 'pages'}\n`);
      });
    },
    watchFiles(paths) {
      names = new Map();
      for (const path of paths) {
        const folder = dirname(path);
        const list = names.get(folder);
        if (list) list.add(basename(path));
        else names.set(folder, new Set([basename(path)]));
      }
      for (const [folder, watcher] of watchers)
        if (!names.has(folder)) {
          watcher.close();
          watchers.delete(folder);
        }
      for (const folder of names.keys()) if (!watchers.has(folder)) follow(folder);
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      for (const page of pages) page.end();
    },
  };
}

/** Null for anything else than finite numbers. */
export function readValues(value: unknown): readonly number[] | Readonly<Record<string, number>> | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.values(value).every(Number.isFinite) ? (value as readonly number[]) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

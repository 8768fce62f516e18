/** A folder as a page sees it: behind a server's URL, or as files that were dropped. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ORIGIN = 'http://robots.example';

/** `fetch` of a server whose root is the folder; every URL asked for is noted. */
export function serveFolder(folder: string, asked: string[] = []): (url: string) => Promise<Response> {
  return async (url) => {
    asked.push(url);
    const { origin, pathname } = new URL(url);
    const path = join(folder, decodeURIComponent(pathname));
    if (origin !== ORIGIN || !existsSync(path) || !statSync(path).isFile()) return new Response('', { status: 404 });
    return new Response(readFileSync(path) as Uint8Array<ArrayBuffer>);
  };
}

/** The folder's files with their paths in it. */
export function collectFolder(folder: string, below = folder): (readonly [string, Blob])[] {
  return readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [relative(folder, path), new Blob([readFileSync(path) as Uint8Array<ArrayBuffer>])] as const);
}

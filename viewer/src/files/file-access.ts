/** Opens what a file refers to, whether the files were given by the user or lie on the page's server. */
import type { FileSet } from './file-set.js';
import { findReferencedFile } from './paths.js';

export interface OpenedFile {
  /** Path or URL; pass it as `from` for references inside this file. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Said to the user when the match is not certain. */
  readonly note?: string;
}

export interface FileAccess {
  /** Null when there is no such file. */
  open(reference: string, from: string): Promise<OpenedFile | null>;
  /** What to say, and do, about a file that is not there. */
  readonly absence: string;
}

export function createFileSetAccess(files: FileSet): FileAccess {
  return {
    async open(reference, from) {
      const found = findReferencedFile(files.paths, reference, from);
      if (!found) return null;
      const opened = { path: found.path, bytes: await files.read(found.path) };
      return found.guessed ? { ...opened, note: `taken from ${found.path}, the only file whose name fits` } : opened;
    },
    absence: 'is not among the files; add it, or the folder that holds it',
  };
}

/**
 * `urls`: URL of a file, relative to the page, by reference as written in the robot or scene file. References that are not
 * listed are taken relative to the file that holds them.
 */
export function createUrlAccess(urls: Readonly<Record<string, string>> = {}): FileAccess {
  return {
    async open(reference, from) {
      const url = resolveUrl(reference, from, urls);
      const bytes = url && (await fetchBytes(url));
      return bytes ? { path: url, bytes } : null;
    },
    absence: 'is not on the server; see what it said when it started',
  };
}

function resolveUrl(reference: string, from: string, urls: Readonly<Record<string, string>>): string | null {
  if (Object.hasOwn(urls, reference)) return new URL(urls[reference], document.baseURI).href;
  // package:// and file:// mean nothing to a server that does not list them.
  return /^[a-z][a-z0-9+.-]*:/i.test(reference) ? null : new URL(reference, from).href;
}

/** Null when the server has no such file. */
export async function fetchBytes(url: string): Promise<Uint8Array | null> {
  const response = await fetch(url);
  if (!response.ok) return null;
  return new Uint8Array(await response.arrayBuffer());
}

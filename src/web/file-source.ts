/**
 * Where the files that robots and scenes name come from: a server, or files that the user gave. Both answer with bytes and a
 * path for messages, or with the issue that says why not; a missing file makes an answer over the rest incomplete.
 *
 * URLs: a reference that `places` lists; package:// and model:// below the folders that `packages` and `packagePaths` name,
 * else below the folder of that name in the referring file's own URL, or beside its package; anything else relative to the
 * file that holds it. What leads to another server is refused, as are other schemes.
 */
import type { Issue } from '../io/issue.js';
import { MisuseError } from '../math/misuse.js';
import type { FileSet } from './file-set.js';
import { fileNameOf, findReferencedFile, folderOf, normalizePath, safeDecode, splitScheme } from './find-file.js';

export interface WebOptions {
  /** Files that the user gave: then the file is one of their paths. Without them it is a URL. */
  readonly files?: FileSet;
  /** URL of a package's folder (or its path among the files) by package name. */
  readonly packages?: Readonly<Record<string, string>>;
  /** URLs of folders that hold packages. */
  readonly packagePaths?: readonly string[];
  /** URL of a file by its reference as written, for servers that list what they serve. */
  readonly places?: Readonly<Record<string, string>>;
  /** Default: the page's own. */
  readonly fetch?: (url: string, init?: { signal?: AbortSignal }) => Promise<Response>;
  /** Ends loading; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called when a file has been read. */
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Largest file, and largest mesh in memory; default 1 GiB. */
  readonly maximumBytes?: number;
}

export interface LoadProgress {
  /** Path or URL of the file read last. */
  readonly file: string;
  /** Files read so far, and known so far. */
  readonly done: number;
  readonly total: number;
}

export type OpenedFile =
  | { readonly path: string; readonly bytes: Uint8Array; readonly issues: readonly Issue[] }
  | { readonly path: null; readonly issues: readonly Issue[] };

export interface FileSource {
  /** The file that the caller names. */
  openFile(file: string): Promise<OpenedFile>;
  /** The file that `reference` means where `from` (path or URL of an opened file) writes it. */
  open(reference: string, from: string): Promise<OpenedFile>;
}

export const DEFAULT_MAXIMUM_BYTES = 2 ** 30;

export function createFileSource(options: WebOptions): FileSource {
  return options.files ? createFileSetSource(options.files, options) : createUrlSource(options);
}

function refuse(code: string, message: string, assumes?: Issue['assumes']): OpenedFile {
  return { path: null, issues: [{ severity: 'error', code, message, ...(assumes ? { assumes } : {}) }] };
}

const notFound = (reference: string, message: string, code = 'file-not-found'): OpenedFile =>
  refuse(code, `"${reference}": ${message}`, 'dropped');

function createFileSetSource(files: FileSet, options: WebOptions): FileSource {
  const { maximumBytes = DEFAULT_MAXIMUM_BYTES, packages = {}, signal } = options;
  const findPackage = (name: string): string | null => {
    if (Object.hasOwn(packages, name)) return packages[name].replace(/\/+$/, '');
    return files.packages.get(name) ?? findFolder(files.paths, name);
  };
  const read = async (path: string, issues: readonly Issue[]): Promise<OpenedFile> => {
    signal?.throwIfAborted();
    try {
      const bytes = await files.read(path);
      return bytes.length <= maximumBytes
        ? { path, bytes, issues }
        : notFound(path, tooLarge(bytes.length, maximumBytes));
    } catch (error) {
      const message = `cannot be read (${(error as Error).message}); give it again`;
      return notFound(path, message, 'file-unreadable');
    }
  };
  return {
    openFile: async (file) =>
      files.paths.includes(file) ? read(file, []) : notFound(file, 'is not among the files; give one of their paths'),
    async open(reference, from) {
      const found = findReferencedFile(files.paths, withoutFileScheme(reference), from, { findPackage });
      if (!found) return notFound(reference, 'is not among the files; add it, or the folder that holds it');
      const message = `"${reference}": taken from ${found.path}, the only file whose name fits; check that it is the one`;
      const guess: Issue = { severity: 'warning', code: 'file-guessed', message, assumes: 'guessed' };
      return read(found.path, found.guessed ? [guess] : []);
    },
  };
}

/** `file://$(find NAME)/...` of a xacro file: what `find` stands for has a scheme of its own. */
function withoutFileScheme(reference: string): string {
  return reference.replace(/^\s*file:\/*(?=package:\/\/)/i, '');
}

/** The topmost folder of that name. */
function findFolder(paths: readonly string[], name: string): string | null {
  const folders = paths.flatMap((path) => {
    const at = `/${path}`.indexOf(`/${name}/`);
    return at < 0 ? [] : [path.slice(0, at + name.length)];
  });
  return folders.sort((a, b) => a.length - b.length)[0] ?? null;
}

function tooLarge(size: number, most: number): string {
  return `${size} bytes, at most ${most} are read; make the file smaller or raise the limit`;
}

function createUrlSource(options: WebOptions): FileSource {
  const { maximumBytes = DEFAULT_MAXIMUM_BYTES, packages = {}, packagePaths = [], places = {}, signal } = options;
  const request = options.fetch ?? ((url, init) => fetch(url, init));
  const absolute = (url: string): string =>
    (/^[a-z][a-z0-9+.-]+:/i.test(url) ? new URL(url) : new URL(url, baseUrl(url))).href;
  /** Where a package was found, so that the next of its files is asked for there first. */
  const known = new Map<string, string>();

  /** Null when the server does not have it. */
  const fetchFile = async (url: string): Promise<OpenedFile | null> => {
    let response: Response;
    try {
      response = await request(url, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      return notFound(
        url,
        `cannot be fetched (${(error as Error).message}); check the address and the server's CORS headers`,
      );
    }
    if (!response.ok) return null;
    const announced = Number(response.headers.get('content-length') ?? 0);
    if (announced > maximumBytes) return notFound(url, tooLarge(announced, maximumBytes));
    try {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return bytes.length <= maximumBytes
        ? { path: url, bytes, issues: [] }
        : notFound(url, tooLarge(bytes.length, maximumBytes));
    } catch (error) {
      signal?.throwIfAborted();
      return notFound(url, `broke off while it was read (${(error as Error).message}); load it again`);
    }
  };
  const packageFolders = (name: string, from: string): string[] => {
    if (Object.hasOwn(packages, name)) return [absolute(packages[name]).replace(/\/+$/, '')];
    const own = known.get(name);
    const above = foldersAbove(from);
    return [
      ...(own === undefined ? [] : [own]),
      ...above.filter((folder) => safeDecode(fileNameOf(folder)) === name),
      ...packagePaths.map((folder) => `${absolute(folder).replace(/\/+$/, '')}/${name}`),
      // urdf/arm.urdf in one package, meshes in another beside it.
      ...above.slice(1, 3).map((folder) => `${folder}/${name}`),
    ];
  };
  const origins = new Set([...Object.values(packages), ...packagePaths].map((url) => new URL(absolute(url)).origin));
  const openInPackage = async (reference: string, written: string, from: string): Promise<OpenedFile> => {
    const [name, ...path] = normalizePath(safeDecode(written)).split('/');
    if (name === '' || path.length === 0) return notFound(reference, 'expected package://NAME/path/to/file', 'bad-uri');
    const tail = path.map(encodeURIComponent).join('/');
    for (const folder of new Set(packageFolders(name, from))) {
      const opened = await fetchFile(`${folder}/${tail}`);
      if (!opened) continue;
      if (opened.path !== null) known.set(name, folder);
      return opened;
    }
    return known.has(name) || Object.hasOwn(packages, name)
      ? notFound(reference, 'the server does not have it; add it or correct the name')
      : notFound(reference, `package "${name}" is not found; say where it is with packages`, 'package-not-found');
  };
  return {
    openFile: async (file) => {
      const url = absolute(file);
      return (await fetchFile(url)) ?? notFound(url, 'the server does not have this file; check the address');
    },
    async open(reference, from) {
      const trimmed = withoutFileScheme(reference.trim());
      if (Object.hasOwn(places, trimmed)) {
        const url = absolute(places[trimmed]);
        return (await fetchFile(url)) ?? notFound(trimmed, 'the server no longer has this file');
      }
      const { scheme, rest } = splitScheme(trimmed);
      if (scheme === 'package' || scheme === 'model') return openInPackage(trimmed, rest, from);
      const url = new URL(trimmed.replaceAll('\\', '/'), from);
      if (scheme !== null && !/^https?$/.test(scheme))
        return notFound(
          trimmed,
          `${scheme}: is not read; put the file beside this one and use a relative path`,
          'bad-uri',
        );
      if (url.origin !== new URL(from).origin && !origins.has(url.origin))
        return notFound(
          trimmed,
          'leads to another server, refused; list it in places if it is to be read',
          'path-outside',
        );
      return (
        (await fetchFile(url.href)) ?? notFound(trimmed, 'the server does not have it; add it or correct the name')
      );
    },
  };
}

/** Folders that hold a URL's file, nearest first, without the last slash. */
function foldersAbove(url: string): string[] {
  const folders: string[] = [];
  const { origin, pathname } = new URL(url);
  for (let path = folderOf(pathname); path.length > 1; path = folderOf(path.slice(0, -1)))
    folders.push(`${origin}${path.slice(0, -1)}`);
  return folders;
}

function baseUrl(url: string): string {
  const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
  const base = document?.baseURI ?? location?.href;
  if (base === undefined) throw new MisuseError(`load: file, got "${url}" outside a page, expected an absolute URL`);
  return base;
}

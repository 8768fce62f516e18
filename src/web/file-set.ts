/**
 * Files that a user gave, by path, whatever way they came: dropped, picked, or inside a zip.
 *
 * No file takes the place of another: what has a path that is taken is numbered (`part.stl`, `part (2).stl`). A zip's
 * content appears in a folder named like the zip; it is unpacked by the browser's own `DecompressionStream`, each file when
 * it is read, and checked against its length and checksum.
 */

import type { Issue } from '../io/issue.js';
import { crc32, readZipDirectory, type ZipEntry } from '../io/zip.js';
import { requireIterable, requireNotNegative, requireOptions, throwMisuse } from '../math/arguments.js';
import { folderOf } from './find-file.js';

export interface FileSet {
  /** Sorted. */
  readonly paths: readonly string[];
  /** Folder of each package that a package.xml among the files names, '' for the top. */
  readonly packages: ReadonlyMap<string, string>;
  /** Files that could not be taken: zips that cannot be read. */
  readonly issues: readonly Issue[];
  /** Rejects for a path that is none of `paths`, and for a file that can no longer be read. */
  read(path: string): Promise<Uint8Array>;
}

/** A `File`, or a `Blob` by its path. */
export type GivenFile = File | readonly [path: string, content: Blob];

export interface FileSetOptions {
  /** What each zip may unpack to; default 1 GiB. */
  readonly maximumUnpackedBytes?: number;
}

const MAXIMUM_PACKAGE_XML_BYTES = 1 << 20;

/** Takes `input.files`, the result of `collectDropped`, or any files and blobs. */
export async function createFileSet(files: Iterable<GivenFile>, options: FileSetOptions = {}): Promise<FileSet> {
  requireGivenFiles('createFileSet', files);
  requireOptions('createFileSet', options, { maximumUnpackedBytes: requireNotNegative });
  const readers = new Map<string, () => Promise<Uint8Array>>();
  const issues: Issue[] = [];
  for (const [path, content] of nameApart(files)) {
    if (!/\.zip$/i.test(path)) {
      readers.set(path, async () => new Uint8Array(await content.arrayBuffer()));
      continue;
    }
    const { value, issues: found } = readZipDirectory(new Uint8Array(await content.arrayBuffer()), {
      file: path,
      maximumBytes: options.maximumUnpackedBytes,
    });
    issues.push(...found.map((issue) => ({ ...issue, assumes: 'dropped' as const })));
    const folder = path.replace(/\.zip$/i, '');
    for (const entry of value ?? []) readers.set(freePath(`${folder}/${entry.path}`, readers), () => unpack(entry));
  }
  const read = (path: string): Promise<Uint8Array> => {
    const reader = readers.get(path);
    return reader ? reader() : Promise.reject(new Error(`read: path, got "${path}", expected one of the given files`));
  };
  const paths = [...readers.keys()].sort();
  return { paths, packages: await findPackages(paths, read), issues, read };
}

/** The files with their paths, those of equal paths numbered. */
export function nameApart(files: Iterable<GivenFile>): Map<string, Blob> {
  requireGivenFiles('nameApart', files);
  const named = new Map<string, Blob>();
  for (const file of files) {
    const [path, content] = Array.isArray(file)
      ? (file as readonly [string, Blob])
      : ([(file as File).webkitRelativePath || (file as File).name, file as File] as const);
    named.set(freePath(path.replace(/^\/+/, ''), named), content);
  }
  return named;
}

/** `a/part.stl`, or `a/part (2).stl` when that is taken. */
function freePath(path: string, taken: { has(path: string): boolean }): string {
  const at = path.indexOf('.', folderOf(path).length + 1);
  const [stem, extension] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
  let free = path;
  for (let n = 2; taken.has(free); n++) free = `${stem} (${n})${extension}`;
  return free;
}

async function unpack({ path, bytes, isDeflated, unpackedSize, checksum }: ZipEntry): Promise<Uint8Array> {
  const damaged = (): Error => new Error(`"${path}" in the zip is damaged; pack it again`);
  let content: Uint8Array = bytes;
  if (isDeflated) {
    content = new Uint8Array(unpackedSize);
    let length = 0;
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'));
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        // An archive that unpacks to more than it said ends here, before it fills the memory.
        if (length + value.length > unpackedSize) throw damaged();
        content.set(value, length);
        length += value.length;
      }
    } catch {
      await reader.cancel().catch(() => undefined);
      throw damaged();
    }
    if (length !== unpackedSize) throw damaged();
  }
  if (crc32(content) !== checksum) throw damaged();
  return content;
}

async function findPackages(
  paths: readonly string[],
  read: (path: string) => Promise<Uint8Array>,
): Promise<Map<string, string>> {
  const packages = new Map<string, string>();
  const manifests = paths.filter((path) => /(^|\/)package\.xml$/.test(path));
  // Shallow folders win, as they do on disk.
  manifests.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  for (const path of manifests) {
    const bytes = await read(path).catch(() => null);
    if (!bytes || bytes.length > MAXIMUM_PACKAGE_XML_BYTES) continue;
    const text = new TextDecoder().decode(bytes).replace(/<!--[\s\S]*?-->/g, '');
    const name = /<name>\s*([^<>\s]+)\s*<\/name>/.exec(text)?.[1];
    if (name !== undefined && !packages.has(name)) packages.set(name, folderOf(path).replace(/\/$/, ''));
  }
  return packages;
}

/** Files, or blobs by their paths. */
function requireGivenFiles(call: string, files: unknown): void {
  requireIterable(call, 'files', files, 'files, or blobs by their paths');
  let i = 0;
  for (const file of files as Iterable<unknown>) {
    const [path, content] = Array.isArray(file) ? file : [(file as File | null)?.name, file];
    if (typeof path !== 'string' || typeof (content as Blob | null)?.arrayBuffer !== 'function')
      throwMisuse(call, `files[${i}]`, file, 'a File, or a path and a Blob');
    i++;
  }
}

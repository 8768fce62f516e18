/**
 * Which files a robot, mesh or scene file may refer to.
 *
 * A reference is decoded and resolved first; then the real path (symbolic links followed) must lie inside one of the
 * allowed folders. Without folders named by the caller, the workspace of the referring file is allowed: the parent
 * of the nearest folder that holds a package.xml, else the file's folder and up to three levels above it, but never
 * the root of the file system or the home folder.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** How far above a file its workspace may begin when no package.xml marks it. */
const LEVELS_ABOVE = 3;
/** How far up a package.xml is looked for. */
const PACKAGE_LEVELS = 8;
const MAX_PACKAGE_XML_BYTES = 1 << 20;

/** The path with symbolic links followed; null when it does not exist. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether `path` is `folder` or lies inside it; both are compared as written, so pass real paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path);
}

/** The name that a folder's package.xml gives; null without one. */
export function packageXmlName(folder: string): string | null {
  const file = join(folder, 'package.xml');
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_PACKAGE_XML_BYTES) return null;
  try {
    const text = readFileSync(file, 'utf8').replace(/<!--[\s\S]*?-->/g, '');
    return /<name>\s*([^<>\s]+)\s*<\/name>/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The folder and all above it, nearest first. */
export function folderAndAbove(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; ) {
    at = dirname(at);
    folders.push(at);
  }
  return folders;
}

/** The folder that bounds what a file may refer to when the caller names none. Takes and returns real paths. */
export function findWorkspace(file: string): string {
  const start = dirname(file);
  const home = realPath(homedir());
  const forbidden = (folder: string): boolean =>
    dirname(folder) === folder || (home !== null && isInside(home, folder));
  let at = start;
  for (let level = 0; level <= PACKAGE_LEVELS && !forbidden(at); level++) {
    if (existsSync(join(at, 'package.xml'))) {
      const above = dirname(at);
      return forbidden(above) ? at : above;
    }
    at = dirname(at);
  }
  at = start;
  for (let level = 0; level < LEVELS_ABOVE && !forbidden(dirname(at)); level++) at = dirname(at);
  return at;
}

/**
 * File references of robots and scenes (package://, model://, file://, relative, absolute) to real paths.
 *
 * Method: decode the URI; list candidate places (named packages, packages found below the package paths, folders
 * above the referring file that are or hold the package, and last the bare rest of the URI below those folders);
 * the first that is a file counts; its real path must lie inside the allowed folders (roots.ts).
 *
 * Nothing is read from the network. Test: resolve-uri.test.ts, test/regression/package-and-mesh-paths.test.ts.
 */

import { readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { requireLoad } from '../io/io-door.js';
import type { Issue } from '../io/issue.js';
import { requireList, requireMap, requireObject, requireText, throwMisuse } from '../math/arguments.js';
import { URI_OPTIONS } from './node-door.js';
import { listFolders, PackageIndex } from './package-index.js';
import { findWorkspace, folderAndAbove, isFile, isFolder, isInside, packageXmlName, realPath } from './roots.js';

export interface UriOptions {
  /** Package name to folder. */
  readonly packages?: ReadonlyMap<string, string> | Readonly<Record<string, string>>;
  /** Folders that are packages or hold packages, at any depth. */
  readonly packagePaths?: readonly string[];
  /** The only folders, besides the packages and package paths, that may be read; default: the file's workspace. */
  readonly roots?: readonly string[];
}

/** What is needed to resolve the references of one file; create it once per file, it remembers packages. */
export interface UriContext {
  /** Folder of the referring file, real path. */
  readonly folder: string;
  /** Real paths of the folders that may be read. */
  readonly allowed: readonly string[];
  readonly packages: ReadonlyMap<string, string>;
  readonly packagePaths: readonly string[];
  readonly index: PackageIndex;
  /** Folders of the packages asked for so far, best first; empty for packages that are nowhere. */
  readonly found: Map<string, readonly string[]>;
  /** Packages that are nowhere, but one of whose files was found below a folder that may be read. */
  readonly guessed: Set<string>;
}

export interface ResolvedUri {
  /** Real path, or null with an issue that says why. */
  readonly path: string | null;
  readonly issues: readonly Issue[];
}

/** Of the options of what loads more. */
export function pickUriOptions({ packages, packagePaths, roots }: UriOptions): UriOptions {
  return { packages, packagePaths, roots };
}

export function createUriContext(file: string, options: UriOptions = {}): UriContext {
  requireLoad('createUriContext', file, options, URI_OPTIONS);
  const real = realPath(file) ?? resolve(file);
  const given = options.packages instanceof Map ? [...options.packages] : Object.entries(options.packages ?? {});
  const packages = new Map<string, string>();
  for (const [name, folder] of given as [string, string][]) packages.set(name, realPath(folder) ?? resolve(folder));
  const packagePaths = (options.packagePaths ?? []).map((folder) => realPath(folder) ?? resolve(folder));
  const own = (options.roots ?? [findWorkspace(real)]).map((folder) => realPath(folder) ?? resolve(folder));
  const allowed = [...new Set([...own, ...packages.values(), ...packagePaths])];
  return {
    folder: dirname(real),
    allowed,
    packages,
    packagePaths,
    index: new PackageIndex(packagePaths),
    found: new Map(),
    guessed: new Set(),
  };
}

/** The real path of a reference as written in a file. */
export function resolveUri(uri: string, context: UriContext): ResolvedUri {
  requireText('resolveUri', 'uri', uri);
  requireUriContext('resolveUri', context);
  const trimmed = uri.trim();
  const fail = (code: string, message: string): ResolvedUri => ({
    path: null,
    issues: [{ severity: 'error', code, message: `"${trimmed}": ${message}` }],
  });
  if (trimmed === '') return fail('bad-uri', 'the file name is empty; write a path or package:// URI');
  if (trimmed.includes('\0')) return fail('bad-uri', 'the file name holds a zero byte; correct it');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]+):/.exec(trimmed)?.[1].toLowerCase();
  let candidates: string[];
  let packageName: string | null = null;
  if (scheme === 'package' || scheme === 'model') {
    const [name, ...rest] = decode(trimmed.slice(scheme.length + 1).replace(/^\/+/, '')).split('/');
    const path = rest.join('/');
    if (name === '' || name === '.' || name === '..' || path === '') {
      return fail('bad-uri', `expected ${scheme}://NAME/path/to/file`);
    }
    packageName = name;
    candidates = packageCandidates(name, path, context);
  } else if (scheme === 'file') {
    const path = decode(trimmed.slice(5).replace(/^\/\/(localhost(?=\/))?/, ''));
    candidates = [resolve(context.folder, path.replace(/^\/(?=[a-zA-Z]:[\\/])/, ''))];
  } else if (scheme !== undefined && !/^[a-zA-Z]:[\\/]/.test(trimmed)) {
    return fail('bad-uri', `${scheme}: is not read; copy the file beside this one and use a relative path`);
  } else {
    const spellings = new Set([trimmed, decode(trimmed), decode(trimmed).replaceAll('\\', '/')]);
    candidates = [...spellings].map((path) => (isAbsolute(path) ? path : join(context.folder, path)));
  }

  let outside = false;
  for (const exact of [true, false]) {
    for (const candidate of candidates) {
      const place = exact ? candidate : sameNameInOtherCase(candidate, context);
      if (place === null) continue;
      const real = realPath(place);
      if (!isAllowed(real ?? place, context)) outside = true;
      else if (real !== null && isFile(real)) {
        if (packageName !== null && findPackageFolder(packageName, context) === null) context.guessed.add(packageName);
        return { path: real, issues: exact ? [] : [otherCase(trimmed, real)] };
      }
    }
  }
  if (outside) {
    const way = 'allow its folder as a package path (--package-path DIR) if it is to be read';
    return fail('path-outside', `leads outside the allowed folders, refused; ${way}`);
  }
  if (packageName !== null && findPackageFolder(packageName, context) === null && !context.guessed.has(packageName)) {
    const way = `name its folder (--package ${packageName}=DIR) or one above it (--package-path DIR)`;
    return fail('package-not-found', `package "${packageName}" is not found; ${way}`);
  }
  return fail('file-not-found', `no such file, looked in ${dirname(candidates[0])}; add it or correct the name`);
}

function isAllowed(path: string, context: UriContext): boolean {
  return context.allowed.some((folder) => isInside(path, folder));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Places where a package's file may be, best first. */
function packageCandidates(name: string, path: string, context: UriContext): string[] {
  const folders = packageFolders(name, context);
  // The package's folder may have been renamed when it was copied: try the rest of the URI below what may be read.
  const places = folders.length > 0 ? folders : [...context.packagePaths, ...foldersAbove(context)];
  return places.map((place) => join(place, path));
}

/** The folder of a package: as named by the caller, found in the package paths, or near the referring file. */
export function findPackageFolder(name: string, context: UriContext): string | null {
  requireText('findPackageFolder', 'name', name);
  requireUriContext('findPackageFolder', context);
  return packageFolders(name, context)[0] ?? null;
}

function packageFolders(name: string, context: UriContext): readonly string[] {
  const named = context.packages.get(name);
  if (named !== undefined) return [named];
  const known = context.found.get(name);
  if (known) return known;
  const above = foldersAbove(context);
  // A package.xml settles it. Bare folder names are common ones such as "meshes": near the file they mean more.
  const folders = [
    context.index.findByXml(name),
    above.find((folder) => packageXmlName(folder) === name),
    above.find((folder) => basename(folder) === name),
    /[\\/]/.test(name) ? undefined : above.map((folder) => join(folder, name)).find(isFolder),
    context.index.findByFolder(name),
  ].filter((folder) => folder !== undefined);
  if (folders.length === 0) folders.push(...besideByXml(name, above));
  const found = [...new Set(folders)];
  context.found.set(name, found);
  return found;
}

/** The folder beside the file's package, or beside those that hold it, whose package.xml gives the name. */
function besideByXml(name: string, above: readonly string[]): string[] {
  for (const folder of above) {
    for (const beside of listFolders(folder)) {
      if (packageXmlName(join(folder, beside)) === name) return [join(folder, beside)];
    }
  }
  return [];
}

/** The file's folder and those above it, as far as they may be read. */
function foldersAbove(context: UriContext): string[] {
  return folderAndAbove(context.folder).filter((folder) => isAllowed(folder, context));
}

/** A file whose name differs only in case: meshes come from systems that do not tell a.STL from a.stl. */
function sameNameInOtherCase(path: string, context: UriContext): string | null {
  if (!isAllowed(path, context)) return null;
  const wanted = basename(path).toLowerCase();
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return null;
  }
  const match = names.filter((name) => name.toLowerCase() === wanted).sort()[0];
  return match === undefined ? null : join(dirname(path), match);
}

function otherCase(uri: string, path: string): Issue {
  const message = `"${uri}": read as "${basename(path)}", whose name differs in case; correct the spelling`;
  return { severity: 'warning', code: 'file-name-case', message };
}

export function requireUriContext(call: string, context: UriContext): void {
  requireObject(call, 'context', context, 'what createUriContext returned');
  requireText(call, 'context.folder', context.folder);
  requireList(call, 'context.allowed', context.allowed);
  requireMap(call, 'context.packages', context.packages);
  if (!(context.index instanceof PackageIndex))
    throwMisuse(call, 'context.index', context.index, 'that of createUriContext');
}

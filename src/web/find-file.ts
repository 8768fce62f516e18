/**
 * Finds the file that a robot or scene file means among files whose real place is unknown (dropped, or in a zip).
 * Tried in order: the reference relative to the file that names it; a package:// reference below the folder of that package
 * (by package.xml, else by name); the longest tail of the reference that exactly one file ends with. Upper and lower case
 * are told apart only when needed.
 */
import { requireFunction, requireOptions, requireText, requireTexts } from '../math/arguments.js';

export interface FoundPath {
  readonly path: string;
  /** True when only the tail of the path matched. */
  readonly guessed: boolean;
}

export interface FindOptions {
  /** Folder of a package; null when there is none that says so. */
  readonly findPackage?: (name: string) => string | null;
}

/** Folder of a path with its slash, '' at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Resolves `.` and `..`; leading `..` that leave the top are dropped. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Scheme of a URI in lower case, and what follows it without leading slashes; a Windows drive is no scheme. */
export function splitScheme(reference: string): { readonly scheme: string | null; readonly rest: string } {
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]+):\/*/.exec(reference);
  return match
    ? { scheme: match[1].toLowerCase(), rest: reference.slice(match[0].length) }
    : { scheme: null, rest: reference };
}

/** `from` is the path of the file that holds the reference. */
export function findReferencedFile(
  paths: readonly string[],
  reference: string,
  from: string,
  options: FindOptions = {},
): FoundPath | null {
  requireTexts('findReferencedFile', 'paths', paths);
  requireText('findReferencedFile', 'reference', reference);
  requireText('findReferencedFile', 'from', from);
  requireOptions('findReferencedFile', options, { findPackage: requireFunction });
  const { findPackage = () => null } = options;
  const { scheme, rest: written } = splitScheme(reference.trim());
  const rest = safeDecode(written);
  if (!scheme) {
    const direct = findExact(paths, normalizePath(folderOf(from) + rest));
    if (direct) return { path: direct, guessed: false };
  }
  const isPackage = scheme === 'package' || scheme === 'model';
  const parts = normalizePath(rest).split('/');
  const folder = isPackage ? findPackage(parts[0]) : null;
  if (folder !== null) {
    const direct = findExact(paths, normalizePath(`${folder}/${parts.slice(1).join('/')}`));
    if (direct) return { path: direct, guessed: false };
  }
  for (let skip = 0; skip < parts.length; skip++) {
    const match = findByTail(paths, parts.slice(skip).join('/'));
    // A package's folder may have another name, or be what was given: that much is no guess.
    if (match) return { path: match, guessed: !(isPackage && skip <= 1 && parts.length - skip > 1) };
  }
  return null;
}

function findExact(paths: readonly string[], wanted: string): string | null {
  if (paths.includes(wanted)) return wanted;
  const lower = wanted.toLowerCase();
  const candidates = paths.filter((path) => path.toLowerCase() === lower);
  return candidates.length === 1 ? candidates[0] : null;
}

function findByTail(paths: readonly string[], tail: string): string | null {
  for (const fold of [(text: string) => text, (text: string) => text.toLowerCase()]) {
    const wanted = fold(tail);
    const candidates = paths.filter((path) => {
      const folded = fold(path);
      return folded === wanted || folded.endsWith(`/${wanted}`);
    });
    if (candidates.length === 1) return candidates[0];
  }
  return null;
}

export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

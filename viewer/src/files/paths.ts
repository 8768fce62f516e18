/**
 * Finds the file that a robot or scene file means among files whose real place is unknown (dropped, or in a zip).
 * Tried in order: the reference relative to the file that names it; a package:// reference by package folder; the
 * longest tail of the reference that exactly one file ends with. Upper and lower case are told apart only when needed.
 */

export interface FoundFile {
  readonly path: string;
  /** True when only the tail of the path matched. */
  readonly guessed: boolean;
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

/** `from` is the path of the file that holds the reference. */
export function findReferencedFile(paths: readonly string[], reference: string, from: string): FoundFile | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(reference)?.[1].toLowerCase();
  const rest = safeDecode(scheme ? reference.slice(scheme.length + 3) : reference);
  if (!scheme) {
    const direct = findExact(paths, normalizePath(folderOf(from) + rest));
    if (direct) return { path: direct, guessed: false };
  }
  const parts = normalizePath(rest).split('/');
  for (let skip = 0; skip < parts.length; skip++) {
    const match = findByTail(paths, parts.slice(skip).join('/'));
    if (match) return { path: match, guessed: !(scheme === 'package' && skip === 0) };
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

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

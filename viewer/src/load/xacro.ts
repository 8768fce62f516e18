/** Expands a given xacro file; includes, YAML files and packages are looked for among the given files. */
import { expandXacro, type Issue, writeXml } from 'clearance/io';
import type { FileSet } from '../files/file-set.js';
import { findReferencedFile } from '../files/paths.js';

const TEXT_FILES = /\.(xacro|urdf|xml|ya?ml)$/i;

/** The robot's URDF text; null when the expansion left nothing usable. */
export async function expandGivenXacro(files: FileSet, path: string, issues: Issue[]): Promise<string | null> {
  // The expander reads while it goes and cannot wait, so have every file it may ask for.
  const texts = new Map<string, string>();
  for (const file of files.paths) {
    if (TEXT_FILES.test(file)) texts.set(file, new TextDecoder().decode(await files.read(file)));
  }
  const expanded = expandXacro(texts.get(path) ?? '', {
    file: path,
    read: (wanted) => texts.get(findReferencedFile([...texts.keys()], wanted, '')?.path ?? '') ?? null,
    findPackage: (name) => findFolder(files.paths, name),
  });
  issues.push(...expanded.issues);
  return expanded.value && writeXml(expanded.value);
}

/** The topmost folder of that name; when there is none, the package is taken to be what was given. */
function findFolder(paths: readonly string[], name: string): string | null {
  const folders = paths.flatMap((path) => {
    const at = `/${path}`.indexOf(`/${name}/`);
    return at < 0 ? [] : [path.slice(0, at + name.length)];
  });
  return folders.sort((a, b) => a.length - b.length)[0] ?? name;
}

/** The file to expand: one that is named as a robot's rather than as a part of one. */
export function chooseXacro(paths: readonly string[]): string | undefined {
  const rank = (path: string): number =>
    /\.urdf\.xacro$/i.test(path) ? 0 : /(^|\/)(robots?|urdf)\/[^/]*$/i.test(path) ? 1 : 2;
  return paths
    .filter((path) => /\.xacro$/i.test(path))
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))[0];
}

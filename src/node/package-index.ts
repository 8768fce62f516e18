/** Finds package folders below given folders, by package.xml name or by folder name; folders are listed once, on first use. */
import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isFolder, packageXmlName } from './roots.js';

const MAX_DEPTH = 8;
const MAX_FOLDERS = 20_000;
const SKIPPED = new Set(['node_modules', '.git', 'build', 'log']);

export class PackageIndex {
  private readonly byXml = new Map<string, string>();
  private readonly byFolder = new Map<string, string>();
  private indexed = false;

  constructor(private readonly roots: readonly string[]) {}

  /** The folder whose package.xml gives the name; earlier roots and shallower folders win. */
  findByXml(name: string): string | undefined {
    this.indexOnce();
    return this.byXml.get(name);
  }

  /** The folder of that very name; earlier roots and shallower folders win. */
  findByFolder(name: string): string | undefined {
    this.indexOnce();
    return this.byFolder.get(name);
  }

  private indexOnce(): void {
    if (this.indexed) return;
    this.indexed = true;
    for (const root of this.roots) this.index(root);
  }

  private index(root: string): void {
    let level = [root];
    let visited = 0;
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
      const next: string[] = [];
      for (const folder of level) {
        if (++visited > MAX_FOLDERS) return;
        const xmlName = packageXmlName(folder);
        if (xmlName !== null && !this.byXml.has(xmlName)) this.byXml.set(xmlName, folder);
        const name = basename(folder);
        if (!this.byFolder.has(name)) this.byFolder.set(name, folder);
        for (const entry of listFolders(folder)) next.push(join(folder, entry));
      }
      level = next;
    }
  }
}

/** Names of the folders inside a folder, sorted, so that the result never depends on the file system's order. */
export function listFolders(folder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => !entry.name.startsWith('.'))
    .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(folder, entry.name))))
    .map((entry) => entry.name)
    .filter((name) => !SKIPPED.has(name))
    .sort();
}

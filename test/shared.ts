/** Paths into the reference data that may lie beside the project; null when it is absent (tests then skip). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../shared/', import.meta.url));

export function sharedPath(...parts: string[]): string | null {
  const path = join(root, ...parts);
  return existsSync(path) ? path : null;
}

/** Text for the title of a suite that cannot run here. */
export function needsShared(...parts: string[]): string {
  return sharedPath(...parts) ? '' : ` (skipped: no reference data ${parts.join('/')} beside the project)`;
}

/** The built package, as users have it, for tests that run its workers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const built = fileURLToPath(new URL('../../dist/esm/', import.meta.url));

export const isBuilt = existsSync(built);
// Where there is a build, its worker is there: a name that moved would skip such tests without a word.
if (isBuilt && !existsSync(join(built, 'job-worker.js'))) throw new Error(`${built}: no job-worker.js`);

/** A door of it. */
export const loadDoor = <T>(door: string): Promise<T> =>
  import(/* @vite-ignore */ pathToFileURL(join(built, `${door}.js`)).href);

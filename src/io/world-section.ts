/** World files (JSON): a scene file with a section of its own beside the objects, which one schema reads. */
import type { z } from 'zod';
import type { ObjectDescription } from '../scene/description.js';
import type { Issue, Parsed } from './issue.js';
import { parseSceneFile } from './scene-file.js';
import { describeFaults } from './schema-words.js';

const MOST_CHARACTERS = 64 * 1024 * 1024;

export interface WorldSection<T> {
  readonly objects: readonly ObjectDescription[];
  readonly section: T;
}

/** `name`: of the section; its faults come as `bad-NAME`. `robots`: what is said of robots and attached objects that the scene has. */
export function parseWorldSection<T>(
  text: string,
  name: string,
  schema: z.ZodType<unknown>,
  robots: { readonly code: string; readonly message: string },
  options: { readonly file?: string },
): Parsed<WorldSection<T>> {
  const { file } = options;
  const error = (code: string, message: string): Issue => ({ severity: 'error', code, file, message });
  const fail = (...issues: readonly Issue[]): Parsed<WorldSection<T>> => ({ value: null, issues });
  if (text.length > MOST_CHARACTERS) return fail(error('too-large', 'the file is too large to be a world'));
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (fault) {
    return fail(error('not-json', `not JSON: ${(fault as Error).message}`));
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data) || !(name in data))
    return fail(error(`no-${name}`, `there is no "${name}" section: a world of robots has one beside its objects`));
  const { [name]: section, ...rest } = data as Record<string, unknown>;
  const scene = parseSceneFile(JSON.stringify({ objects: [], ...rest }), options);
  const issues: Issue[] = [...scene.issues];
  const read = schema.safeParse(section);
  if (!read.success)
    for (const { path, message } of describeFaults(read.error, section)) {
      const at = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
      issues.push(error(`bad-${name}`, `${name}${at}: ${message}`));
    }
  if (scene.value !== null && (scene.value.robots.length > 0 || scene.value.attached.length > 0))
    issues.push(error(robots.code, robots.message));
  if (scene.value === null || !read.success) return fail(...issues);
  return { value: { objects: scene.value.objects, section: read.data as T }, issues };
}

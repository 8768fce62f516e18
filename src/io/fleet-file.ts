/**
 * World files of fleets (JSON): a scene file with a `fleet` section.
 *
 * `{"version":1,"objects"?:[...],"fleet":{"map":[rows] | "F.map","cellSize"?,"robots":n | [{"name","start":[x,y],"goal"?}],"radius"?,"speed"?,
 * "acceleration"?,"turnRate"?,"tasks"?:{"pickups":[[x,y],...],"deliveries":[...]},"stops"?:{"share","seconds"},"seed"?}}`, cells by column and row,
 * metres, seconds, radians. Objects are those of scene files (scene-file.ts). A field that nothing reads is an error.
 * Tested by fleet-file.test.ts.
 */
import { z } from 'zod';
import type { FleetDescription, FleetSection } from '../scene/fleet-description.js';
import { requireSource } from './io-door.js';
import type { Issue, Parsed } from './issue.js';
import { parseSceneFile } from './scene-file.js';
import { describeFaults } from './schema-words.js';

const MOST_CHARACTERS = 64 * 1024 * 1024;
const positive = z.number().positive();
const cell = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()], 'expected a cell [column, row]');
const section = z.strictObject({
  map: z.union([z.string().min(1), z.array(z.string()).min(1)]),
  cellSize: positive.optional(),
  robots: z.union([
    z.number().int().positive(),
    z.array(z.strictObject({ name: z.string().min(1), start: cell, goal: cell.optional() })).min(1),
  ]),
  radius: positive.optional(),
  speed: positive.optional(),
  acceleration: positive.optional(),
  turnRate: positive.optional(),
  tasks: z.strictObject({ pickups: z.array(cell).min(1), deliveries: z.array(cell).min(1) }).optional(),
  stops: z.strictObject({ share: z.number().min(0).max(1), seconds: positive }).optional(),
  seed: z.number().int().optional(),
});

export function parseFleetFile(text: string, options: { readonly file?: string } = {}): Parsed<FleetDescription> {
  requireSource('parseFleetFile', text, options);
  const { file } = options;
  const fail = (issues: readonly Issue[]): Parsed<FleetDescription> => ({ value: null, issues });
  const error = (code: string, message: string): Issue => ({ severity: 'error', code, file, message });
  if (text.length > MOST_CHARACTERS) return fail([error('too-large', 'the file is too large to be a world')]);
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (fault) {
    return fail([error('not-json', `not JSON: ${(fault as Error).message}`)]);
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data) || !('fleet' in data))
    return fail([error('no-fleet', 'there is no "fleet" section: a world of robots has one beside its objects')]);
  const { fleet, ...rest } = data;
  const scene = parseSceneFile(JSON.stringify({ objects: [], ...rest }), options);
  const read = section.safeParse(fleet);
  const issues: Issue[] = [...scene.issues];
  if (!read.success)
    for (const { path, message } of describeFaults(read.error, fleet))
      issues.push(
        error(
          'bad-fleet',
          `fleet${path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}: ${message}`,
        ),
      );
  if (scene.value !== null && (scene.value.robots.length > 0 || scene.value.attached.length > 0))
    issues.push(
      error('not-in-fleets', 'robots and attached objects of scenes have no place in a fleet: take them out'),
    );
  if (scene.value === null || !read.success || issues.some(({ severity }) => severity === 'error')) return fail(issues);
  return { value: { version: 1, objects: scene.value.objects, fleet: read.data as FleetSection }, issues };
}

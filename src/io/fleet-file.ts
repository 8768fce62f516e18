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
import type { Parsed } from './issue.js';
import { parseWorldSection } from './world-section.js';

const ROBOTS = {
  code: 'not-in-fleets',
  message: 'robots and attached objects of scenes have no place in a fleet: take them out',
};
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
  const { value, issues } = parseWorldSection<FleetSection>(text, 'fleet', section, ROBOTS, options);
  if (value === null || issues.some(({ severity }) => severity === 'error')) return { value: null, issues };
  return { value: { version: 1, objects: value.objects, fleet: value.section }, issues };
}

/**
 * Roadmaps as JSON: `{"kind":"roadmap","version":1,"joints":[names],"states":[[q],...],"edges":[[a,b],...]}`. States are written with all their
 * digits; what is known of motions is not, since it is of one scene. Tested by roadmap-file.test.ts.
 */
import { z } from 'zod';
import { requireFunction, requireObject, requireText, requireTexts } from '../../math/arguments.js';
import type { Roadmap, RoadmapData } from '../../planning/roadmap.js';
import type { Parsed } from '../issue.js';
import { parseJsonBySchema } from '../json-by-schema.js';

const schema = z.object({
  kind: z.literal('roadmap'),
  version: z.literal(1),
  joints: z.array(z.string()),
  states: z.array(z.array(z.number())),
  edges: z.array(z.tuple([z.int().min(0), z.int().min(0)])),
});

/** `joints`: names of the coordinates, in their order. */
export function writeRoadmap(roadmap: Roadmap, joints: readonly string[]): string {
  requireObject('writeRoadmap', 'roadmap', roadmap, 'what createRoadmap returned');
  requireFunction('writeRoadmap', 'roadmap.save', roadmap.save);
  requireTexts('writeRoadmap', 'joints', joints);
  const { states, edges, dimension, known } = roadmap.save();
  const rows = Array.from({ length: states.length / dimension }, (_, i) =>
    Array.from(states.subarray(i * dimension, (i + 1) * dimension)),
  );
  const pairs = Array.from(known, (_, i) => [edges[2 * i], edges[2 * i + 1]]);
  return `${JSON.stringify({ kind: 'roadmap', version: 1, joints, states: rows, edges: pairs })}\n`;
}

/** Refuses a roadmap of other joints. */
export function parseRoadmap(text: string, joints: readonly string[]): Parsed<RoadmapData> {
  requireText('parseRoadmap', 'text', text);
  requireTexts('parseRoadmap', 'joints', joints);
  const fail = (code: string, message: string): Parsed<RoadmapData> => ({
    value: null,
    issues: [{ severity: 'error', code, message }],
  });
  const parsed = parseJsonBySchema(text, schema, 'roadmap');
  if (!parsed.value) return { value: null, issues: parsed.issues };
  const { states, edges, joints: own } = parsed.value;
  if (own.join() !== joints.join())
    return fail('joints', `a roadmap of ${own.join(', ')}, expected ${joints.join(', ')}`);
  const dimension = joints.length;
  const bad = states.findIndex((state) => state.length !== dimension);
  if (bad >= 0) return fail('structure', `states[${bad}] has ${states[bad].length} numbers, expected ${dimension}`);
  if (edges.some((pair) => pair.some((node) => node >= states.length)))
    return fail('structure', `edges: expected numbers of states below ${states.length}`);
  const data = {
    states: Float64Array.from(states.flat()),
    edges: Int32Array.from(edges.flat()),
    known: new Uint8Array(edges.length),
  };
  return { value: { kind: 'roadmap', version: 1, dimension, ...data }, issues: [] };
}

/**
 * World files (JSON): a scene file with a `simulation` beside its objects and robots.
 *
 * Method: the text of `simulation` is cut out, blanks in its place so that lines stay what they are, and what is left is read as a
 * scene file; `simulation` is checked by a schema of its own, and every name in it against the scene's.
 * Tested by world-file.test.ts.
 */
import { z } from 'zod';
import { suggestionText } from '../math/suggest-name.js';
import type { SimulationDescription, WorldDescription } from '../scene/world-description.js';
import { requireSource } from './io-door.js';
import type { Issue, Parsed } from './issue.js';
import { scanJson } from './json-scan.js';
import { parseSceneFile } from './scene-file.js';
import { describeFaults } from './schema-words.js';

const MAX_NESTING = 64;
const number = z.number();
const positive = z.number().positive();
const notNegative = z.number().nonnegative();
const name = z.string().min(1);
const triple = z.tuple([number, number, number], 'expected three numbers [x, y, z]');
const pose = z.array(number).length(7, 'expected seven numbers [x, y, z, qx, qy, qz, qw]');
const count = z.int().positive();
const row = z.tuple([number, number], 'expected [time, value]');

const surface = {
  friction: notNegative.optional(),
  restitution: z.number().min(0).max(1).optional(),
};

const schema = z.strictObject({
  version: z.literal(1),
  gravity: triple.optional(),
  step: positive.optional(),
  substeps: count.optional(),
  contact: z.enum(['rigid', 'soft', 'relaxed']).optional(),
  solver: z.enum(['auto', 'gauss-seidel', 'proximal']).optional(),
  cone: z.enum(['elliptic', 'pyramidal']).optional(),
  integrator: z.enum(['semi-implicit', 'rk4']).optional(),
  iterations: count.optional(),
  tolerance: notNegative.optional(),
  margin: notNegative.optional(),
  slop: notNegative.optional(),
  correction: notNegative.optional(),
  slipSpeed: positive.optional(),
  sleepSpeed: notNegative.optional(),
  relaxed: z
    .strictObject({
      solref: z.tuple([positive, positive]).optional(),
      solimp: z.tuple([number, number, positive, number, positive]).optional(),
      impratio: positive.optional(),
    })
    .optional(),
  bodies: z
    .array(
      z.strictObject({
        object: name,
        mass: positive.optional(),
        density: positive.optional(),
        inertia: z
          .strictObject({
            mass: positive,
            centerOfMass: triple.optional(),
            inertia: z.tuple(
              [number, number, number, number, number, number],
              'expected six numbers [ixx, ixy, ixz, iyy, iyz, izz]',
            ),
          })
          .optional(),
        velocity: z.array(number).length(6, 'expected six numbers [vx, vy, vz, wx, wy, wz]').optional(),
      }),
    )
    .optional(),
  materials: z
    .array(
      z.strictObject({
        of: name,
        ...surface,
        stiffness: positive.optional(),
        dissipation: notNegative.optional(),
        exponent: positive.optional(),
      }),
    )
    .optional(),
  robots: z
    .array(
      z.strictObject({
        robot: name,
        base: z.enum(['fixed', 'floating', 'planar']).optional(),
        v: z.array(number).optional(),
        compensateGravity: z.boolean().optional(),
        limits: z.boolean().optional(),
        servos: z
          .array(
            z.strictObject({
              joint: name,
              type: z.enum(['torque', 'position', 'velocity']),
              stiffness: notNegative.optional(),
              damping: notNegative.optional(),
              limit: notNegative.optional(),
              target: z.union([number, z.array(row).min(1)]).optional(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  joins: z
    .array(
      z.strictObject({
        type: z.enum(['point', 'weld', 'spring']),
        a: name,
        b: name.optional(),
        poseA: pose.optional(),
        poseB: pose.optional(),
        stiffness: positive.optional(),
        damping: notNegative.optional(),
        length: notNegative.optional(),
      }),
    )
    .optional(),
  pairs: z.array(z.strictObject({ a: name, b: name, ...surface, allowed: z.boolean().optional() })).optional(),
});

/** Reads a world file; `value` is null when anything in it cannot be used as written. A scene file is a world in which nothing moves. */
export function parseWorldFile(text: string, options: { readonly file?: string } = {}): Parsed<WorldDescription> {
  requireSource('parseWorldFile', text, options);
  const { file } = options;
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const range = scanJson(source, { maximumDepth: MAX_NESTING }).fault ? null : findTopLevel(source, 'simulation');
  if (!range) {
    const { value: scene, issues } = parseSceneFile(text, options);
    return { value: scene && { scene, simulation: EMPTY }, issues };
  }
  const { value: scene, issues: found } = parseSceneFile(blank(source, range), options);
  const issues: Issue[] = [...found];
  const content: unknown = JSON.parse(source.slice(range.valueStart, range.valueEnd));
  const checked = schema.safeParse(content);
  if (!checked.success) {
    for (const { path, message, keys = [] } of describeFaults(checked.error, content)) {
      const whole = ['simulation', ...path];
      const said = keys.length === 0 ? message : `${keys.map((key) => `"${key}"`).join(', ')} not known`;
      issues.push(at(source, whole, file, 'bad-world', `${said}; correct it as docs/simulation.md says`));
    }
    return { value: null, issues };
  }
  const { version, gravity, bodies, materials, robots, joins, pairs, ...settings } = checked.data;
  const simulation: SimulationDescription = {
    version,
    ...(gravity && { gravity }),
    settings: settings as SimulationDescription['settings'],
    bodies: (bodies ?? []) as SimulationDescription['bodies'],
    materials: (materials ?? []) as SimulationDescription['materials'],
    robots: (robots ?? []) as SimulationDescription['robots'],
    joins: (joins ?? []) as SimulationDescription['joins'],
    pairs: (pairs ?? []) as SimulationDescription['pairs'],
  };
  if (!scene) return { value: null, issues };
  const objects = new Set(scene.objects.map((object) => object.name));
  const robotNames = new Set(scene.robots.map((robot) => robot.name));
  const need = (known: Set<string>, kind: string, used: string, path: readonly PropertyKey[]): void => {
    if (known.has(used)) return;
    const message = `there is no ${kind} "${used}"${suggestionText(used, known)}; add it or correct the name`;
    issues.push(at(source, ['simulation', ...path], file, 'unknown-name', message));
  };
  const twice = new Set<string>();
  for (const [i, { object }] of simulation.bodies.entries()) {
    need(objects, 'object', object, ['bodies', i, 'object']);
    if (twice.has(object))
      issues.push(at(source, ['simulation', 'bodies', i], file, 'body-twice', `"${object}" is listed twice; keep one`));
    twice.add(object);
  }
  for (const [i, { robot }] of simulation.robots.entries()) need(robotNames, 'robot', robot, ['robots', i, 'robot']);
  const both = new Set([...objects, ...robotNames]);
  const needAny = (used: string, path: readonly PropertyKey[]): void => {
    const slash = used.indexOf('/');
    need(both, 'object or robot', slash > 0 && !both.has(used) ? used.slice(0, slash) : used, path);
  };
  for (const [i, { of }] of simulation.materials.entries()) if (of !== '*') needAny(of, ['materials', i, 'of']);
  for (const [i, { a, b }] of simulation.pairs.entries()) {
    needAny(a, ['pairs', i, 'a']);
    needAny(b, ['pairs', i, 'b']);
  }
  for (const [i, { a, b }] of simulation.joins.entries()) {
    needAny(a, ['joins', i, 'a']);
    if (b !== undefined) needAny(b, ['joins', i, 'b']);
  }
  if (issues.some(({ severity }) => severity === 'error')) return { value: null, issues };
  return { value: { scene, simulation }, issues };
}

const EMPTY: SimulationDescription = {
  version: 1,
  settings: {},
  bodies: [],
  materials: [],
  robots: [],
  joins: [],
  pairs: [],
};

function at(
  text: string,
  path: readonly PropertyKey[],
  file: string | undefined,
  code: string,
  message: string,
): Issue {
  const [line] = scanJson(text, { maximumDepth: MAX_NESTING, paths: [path] }).lines;
  const element = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return { severity: 'error', code, ...(file !== undefined && { file }), line, element: element.slice(1), message };
}

interface Range {
  /** Of the key's quotation mark, and behind the value. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Where a key of the outermost object and its value stand, in text that is JSON. */
function findTopLevel(text: string, key: string): Range | null {
  let depth = 0;
  let found: { start: number; valueStart: number } | null = null;
  let isKey = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      const start = i;
      for (i++; text[i] !== '"'; i++) if (text[i] === '\\') i++;
      if (depth === 1 && isKey && !found && JSON.parse(text.slice(start, i + 1)) === key) {
        const colon = text.indexOf(':', i);
        found = { start, valueStart: colon + 1 };
        i = colon;
      }
      isKey = false;
    } else if (c === '{' || c === '[') {
      depth++;
      isKey = c === '{';
    } else if (c === '}' || c === ']') {
      depth--;
      if (found && depth === 0) return { ...found, valueEnd: i };
    } else if (c === ',') {
      if (found && depth === 1) return { ...found, valueEnd: i };
      isKey = true;
    }
  }
  return null;
}

/** The text without the key and one of the commas beside it. */
function blank(text: string, { start, valueEnd }: Range): string {
  let from = start;
  let end = valueEnd;
  if (text[end] === ',') end++;
  else {
    let before = start - 1;
    while (/\s/.test(text[before])) before--;
    if (text[before] === ',') from = before;
  }
  return text.slice(0, from) + text.slice(from, end).replace(/[^\n]/g, ' ') + text.slice(end);
}

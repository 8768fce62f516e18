/**
 * World files of floors (JSON): a scene file with a `floor` section: robots with bases and arms, their actions, what they carry.
 *
 * `{"version":1,"objects"?:[...],"floor":{"arms"?:{NAME:{"file","mount"?,"gripper"?}},"loads"?:[object,...],"robots":[{"name","base","shape",
 * "pose":[x,y,yaw] | "count","at","goals"?, "speed"?,"acceleration"?,"turnRate"?,"turningRadius"?,"avoids"?,"arm"?,"q"?,"jointRate"?,
 * "actions"?:[...],"repeat"?},...],"step"?,"seed"?,"checks"?,"cellSizeMode"?,"cellSize"?}}`: docs/fleet.md says what each field means. Objects are those
 * of scene files (scene-file.ts). A field that nothing reads, and a name that means nothing, is an error.
 * Metres, seconds, radians. Tested by floor-file.test.ts.
 */
import { z } from 'zod';
import { suggestionText } from '../math/suggest-name.js';
import type { FloorDescription, FloorSection } from '../scene/floor-description.js';
import { requireSource } from './io-door.js';
import type { Issue, Parsed } from './issue.js';
import { parseWorldSection } from './world-section.js';

const ROBOTS = {
  code: 'not-on-floors',
  message: 'robots and attached objects of scenes have no place on a floor: take them out',
};
const number = z.number();
const positive = number.positive();
const name = z.string().min(1);
const point = z.tuple([number, number], 'expected two numbers [x, y]');
const place = z.tuple([number, number, number], 'expected three numbers');
const pose = z.tuple(
  [number, number, number, number, number, number, number],
  'expected seven numbers [x, y, z, qx, qy, qz, qw]',
);
const count = z.int().positive();
const places = z.union([
  z.strictObject({ grid: z.strictObject({ columns: count, spacing: positive, origin: point.optional() }) }),
  z.strictObject({
    random: z.strictObject({
      bounds: z.tuple([number, number, number, number], 'expected four numbers [x0, y0, x1, y1]'),
      apart: positive,
    }),
  }),
  z.array(point).min(1),
]);
const seconds = number.nonnegative();
const action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('move'),
    to: z.union([point, place], 'expected [x, y] or [x, y, yaw]'),
  }),
  z.strictObject({ type: z.literal('path'), points: z.array(point).min(1) }),
  z.strictObject({ type: z.literal('wait'), seconds }),
  z.strictObject({ type: z.literal('charge'), seconds }),
  z.strictObject({ type: z.literal('pick'), object: name, within: seconds.optional() }),
  z.strictObject({ type: z.literal('drop') }),
  z.strictObject({ type: z.literal('joints'), values: z.array(number).min(1) }),
  z.strictObject({ type: z.literal('pose'), target: z.union([place, pose], 'expected three numbers or a pose') }),
]);
const kind = {
  name,
  base: z.enum(['omni', 'differential', 'car']),
  shape: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('disc'), radius: positive, height: positive.optional() }),
    z.strictObject({ type: z.literal('box'), size: z.tuple([positive, positive, positive]) }),
  ]),
  speed: positive.optional(),
  acceleration: positive.optional(),
  turnRate: positive.optional(),
  turningRadius: positive.optional(),
  avoids: z.boolean().optional(),
  arm: name.optional(),
  q: z.array(number).optional(),
  jointRate: positive.optional(),
  actions: z.array(action).optional(),
  repeat: z.boolean().optional(),
};
/** One robot or many: which of both fields go together is looked at afterwards, so that faults are told where they are. */
const robot = z.strictObject({
  ...kind,
  pose: place.optional(),
  count: count.optional(),
  at: places.optional(),
  goals: places.optional(),
});
const section = z.strictObject({
  arms: z
    .record(z.string().min(1), z.strictObject({ file: name, mount: pose.optional(), gripper: name.optional() }))
    .optional(),
  loads: z.array(name).optional(),
  robots: z.array(robot).min(1),
  step: positive.optional(),
  seed: z.number().int().optional(),
  checks: z.enum(['moved', 'all']).optional(),
  cellSizeMode: z.enum(['AUTO_INITIAL', 'CONSTANT', 'AUTO_ADAPTIVE']).optional(),
  cellSize: positive.optional(),
});

/** Whether the text is that of a world file with a floor; broken JSON is none. */
export function isFloorFile(text: string): boolean {
  requireSource('isFloorFile', text, {});
  try {
    const data: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof data === 'object' && data !== null && 'floor' in data;
  } catch {
    return false;
  }
}

export function parseFloorFile(text: string, options: { readonly file?: string } = {}): Parsed<FloorDescription> {
  requireSource('parseFloorFile', text, options);
  const { value, issues: found } = parseWorldSection<FloorSection>(text, 'floor', section, ROBOTS, options);
  if (value === null) return { value, issues: found };
  const description = { version: 1, objects: value.objects, floor: value.section } as const;
  const issues: Issue[] = [...found];
  for (const message of listWrongNames(description))
    issues.push({ severity: 'error', code: 'unknown-name', file: options.file, message });
  if (issues.some(({ severity }) => severity === 'error')) return { value: null, issues };
  return { value: description, issues };
}

/** Names that mean nothing, are used twice, or fields that miss what they need. */
function listWrongNames({ objects, floor }: FloorDescription): string[] {
  const { arms = {}, loads = [], robots } = floor;
  const wrong: string[] = [];
  const known = new Set(objects.map((object) => object.name));
  const carried = new Set<string>();
  loads.forEach((load, k) => {
    if (!known.has(load))
      wrong.push(`floor.loads[${k}]: there is no object "${load}"${suggestionText(load, known)}; add it or correct it`);
    else if (carried.has(load)) wrong.push(`floor.loads[${k}]: got "${load}" twice; keep one`);
    carried.add(load);
  });
  const armNames = new Set(Object.keys(arms));
  const used = new Set(known);
  robots.forEach((robot, i) => {
    const at = `floor.robots[${i}]`;
    const fields = ['pose', 'count', 'at', 'goals'].filter((field) => field in robot).join(', ');
    if (!['pose', 'count, at', 'count, at, goals'].includes(fields))
      wrong.push(`${at}: got ${fields || 'no place'}, expected pose of one robot, or count and at of many`);
    if (used.has(robot.name)) wrong.push(`${at}.name: got "${robot.name}", which names another; take another name`);
    used.add(robot.name);
    if (robot.arm !== undefined && !armNames.has(robot.arm))
      wrong.push(
        `${at}.arm: there is no arm "${robot.arm}"${suggestionText(robot.arm, armNames)}; add it or correct it`,
      );
    if (robot.arm === undefined && (robot.q !== undefined || robot.jointRate !== undefined))
      wrong.push(`${at}: got q or jointRate without an arm; take them out, or name an arm`);
    if (robot.base !== 'car' && robot.turningRadius !== undefined)
      wrong.push(`${at}.turningRadius: got one of a base of type "${robot.base}"; only cars have one`);
    if (robot.base === 'car' && robot.avoids) wrong.push(`${at}.avoids: got true of a car, which cannot; take it out`);
    robot.actions?.forEach((action, k) => {
      const where = `${at}.actions[${k}]`;
      if (action.type === 'pick' && !carried.has(action.object))
        wrong.push(
          `${where}.object: got "${action.object}", which is none of floor.loads${suggestionText(action.object, carried)}; add it`,
        );
      if ((action.type === 'joints' || action.type === 'pose') && robot.arm === undefined)
        wrong.push(`${where}: got "${action.type}" of a robot without an arm; name its arm`);
    });
    if (robot.repeat && (robot.actions ?? []).length === 0)
      wrong.push(`${at}.repeat: got true without actions; add some, or take it out`);
    if (!('count' in robot && 'at' in robot)) return;
    for (const field of ['at', 'goals'] as const) {
      const places = robot[field];
      if (Array.isArray(places) && places.length !== robot.count)
        wrong.push(`${at}.${field}: got ${places.length} places, expected one per robot, ${robot.count}`);
    }
  });
  if ((floor.cellSizeMode === 'CONSTANT') !== (floor.cellSize !== undefined))
    wrong.push('floor.cellSize: goes with cellSizeMode "CONSTANT" and only with it');
  return wrong;
}

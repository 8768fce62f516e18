/**
 * Sphere models in files: JSON (`{"link":[[x,y,z,r],...]}`, or what the `spheres` command prints), and the YAML of motion generators
 * (`collision_spheres: {link: [{center: [x,y,z], radius: r}]}`, there or below `robot_cfg` and `kinematics`). SRDF has its own reader.
 *
 * Frames: each link's. Every refusal is an issue; a sphere that is left out makes what remains smaller than the file says, which is
 * an error. Radii at or below 0 mean "no sphere" in these files and are left out with a note.
 */
import { parseDocument } from 'yaml';
import {
  requireFinite,
  requireList,
  requireMap,
  requireNumbers,
  requireObject,
  requireText,
} from '../../math/arguments.js';
import { isRecord } from '../../math/known-keys.js';
import type { SemanticDescription } from '../../semantics/description.js';
import { requireSource } from '../io-door.js';
import type { Issue, Parsed } from '../issue.js';
import { describeRepeatedKey } from '../json-scan.js';

type Spheres = SemanticDescription['spheres'];
type Sphere = { center: [number, number, number]; radius: number };

export interface SphereFileOptions {
  /** For issues; a name that ends in .yml or .yaml is read as YAML, everything else as JSON. */
  readonly file?: string;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Of references in YAML, which could make a small file huge. */
const MOST_ALIASES = 100;

/** Spheres by link. */
export function parseSpheres(text: string, options: SphereFileOptions = {}): Parsed<Spheres> {
  requireSource('parseSpheres', text, options);
  const { file } = options;
  const issues: Issue[] = [];
  const refuse = (code: string, message: string): Parsed<Spheres> => ({
    value: null,
    issues: [...issues, { severity: 'error', code, file, message }],
  });
  if (text.length > MOST_BYTES) return refuse('file-too-large', `more than ${MOST_BYTES} characters`);
  const source = text.replace(/^\uFEFF/, '');
  const isYaml = /\.ya?ml$/i.test(file ?? '');
  let content: unknown;
  try {
    content = isYaml ? readYaml(source) : JSON.parse(source);
  } catch (error) {
    return refuse('not-readable', `${(error as Error).message.split('\n')[0]}`);
  }
  const repeated = isYaml ? null : describeRepeatedKey(source);
  if (repeated) return refuse('duplicate-key', repeated);
  const table = findTable(content);
  if (!table)
    return refuse('no-spheres', 'expected {"link":[[x,y,z,r], ...], ...}, or collision_spheres with lists by link');
  const out = new Map<string, Sphere[]>();
  for (const [link, list] of table) {
    const element = `link "${link}"`;
    if (!Array.isArray(list)) {
      return refuse('bad-spheres', `"${link}": expected a list of [x, y, z, r] with r above 0`);
    }
    const spheres: Sphere[] = out.get(link) ?? [];
    for (const item of list) {
      const sphere = readSphere(item);
      if (!sphere) return refuse('bad-spheres', `"${link}": expected a list of [x, y, z, r] with r above 0`);
      if (sphere.radius > 0) spheres.push(sphere);
      else
        issues.push({
          severity: 'info',
          code: 'no-radius',
          file,
          element,
          message: `a sphere of radius ${sphere.radius} is left out`,
        });
    }
    out.set(link, spheres);
  }
  return { value: out, issues };
}

function readYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'silent', version: '1.2' });
  if (document.errors.length > 0) throw document.errors[0];
  return document.toJS({ maxAliasCount: MOST_ALIASES });
}

/** Links with their lists, wherever they stand. */
function findTable(content: unknown): [string, unknown][] | null {
  if (!isRecord(content)) return null;
  const { robot_cfg, kinematics, collision_spheres, links } = content;
  if (isRecord(collision_spheres)) return Object.entries(collision_spheres);
  if (isRecord(kinematics)) return findTable(kinematics);
  if (isRecord(robot_cfg)) return findTable(robot_cfg);
  if (Array.isArray(links) && links.every((item) => isRecord(item) && typeof item.link === 'string'))
    return links.map((item) => [item.link, item.spheres]);
  return Object.entries(content);
}

/** `[x, y, z, r]`, or `{center, radius}`; null: neither. JSON's own format allows no radius of 0. */
function readSphere(item: unknown): Sphere | null {
  const isNumber = (n: unknown): n is number => typeof n === 'number' && Number.isFinite(n);
  if (Array.isArray(item)) {
    if (item.length !== 4 || !item.every(isNumber) || !(item[3] > 0)) return null;
    return { center: [item[0], item[1], item[2]], radius: item[3] };
  }
  if (!isRecord(item)) return null;
  const { center, radius } = item;
  if (!Array.isArray(center) || center.length !== 3 || !center.every(isNumber) || !isNumber(radius)) return null;
  return { center: [center[0], center[1], center[2]], radius };
}

/** `{"link":[[x,y,z,r],...]}`; reading it back gives the same numbers. */
export function writeSpheresJson(spheres: Spheres): string {
  requireSphereLists('writeSpheresJson', spheres);
  const lines = [...spheres].map(([link, list]) => {
    const rows = list.map(({ center, radius }) => JSON.stringify([...center, radius]));
    return `  ${JSON.stringify(link)}: [${rows.length > 0 ? `\n    ${rows.join(',\n    ')}\n  ` : ''}]`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** `collision_spheres` as motion generators read them; reading it back gives the same numbers. */
export function writeSpheresYaml(spheres: Spheres): string {
  requireSphereLists('writeSpheresYaml', spheres);
  const lines = ['collision_spheres:'];
  for (const [link, list] of spheres) {
    lines.push(`  ${JSON.stringify(link)}:${list.length === 0 ? ' []' : ''}`);
    for (const { center, radius } of list)
      lines.push(`    - "center": [${center.map(toYamlNumber).join(', ')}]`, `      "radius": ${toYamlNumber(radius)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** With a point: some readers take 1e-7 for a text. */
function toYamlNumber(x: number): string {
  const text = String(x);
  return /^-?\d+e/.test(text) ? text.replace('e', '.0e') : text;
}

function requireSphereLists(call: string, spheres: Spheres): void {
  requireMap(call, 'spheres', spheres);
  for (const [link, list] of spheres) {
    requireText(call, 'spheres', link);
    requireList(call, `spheres of "${link}"`, list);
    list.forEach((sphere, i) => {
      requireObject(call, `spheres of "${link}"[${i}]`, sphere);
      requireNumbers(call, `spheres of "${link}"[${i}].center`, sphere.center, 3);
      requireFinite(call, `spheres of "${link}"[${i}].radius`, sphere.radius);
    });
  }
}

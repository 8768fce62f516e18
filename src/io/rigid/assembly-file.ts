/**
 * Assemblies as JSON files, as `sequence` reads them: `{"parts": [{"name", "file", "pose"?: [x, y, z, qx, qy, qz, qw]}]}`. Tested by
 * rigid-file.test.ts.
 */
import { requireText } from '../../math/arguments.js';
import { describeValue, isRecord } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import type { RigidPose } from '../../rigid/pose.js';
import type { Issue, Parsed } from '../issue.js';

export interface AssemblyFilePart {
  readonly name: string;
  /** As written, relative to the assembly's folder. */
  readonly file: string;
  readonly pose: RigidPose;
}

const MOST_CHARACTERS = 1 << 26;
const MOST_PARTS = 10_000;

export function parseAssembly(text: string): Parsed<AssemblyFilePart[]> {
  requireText('parseAssembly', 'text', text);
  const fail = (code: string, message: string): Parsed<AssemblyFilePart[]> => ({
    value: null,
    issues: [{ severity: 'error', code, message } satisfies Issue],
  });
  if (text.length > MOST_CHARACTERS) return fail('too-large', 'the file is too large to be an assembly');
  try {
    return { value: readParts(JSON.parse(text.replace(/^\uFEFF/, ''))), issues: [] };
  } catch (error) {
    if (error instanceof MisuseError) return fail('invalid-assembly', error.message);
    if (error instanceof SyntaxError) return fail('not-json', `not JSON: ${error.message}`);
    throw error;
  }
}

function readParts(data: unknown): AssemblyFilePart[] {
  const parts = isRecord(data) ? data.parts : undefined;
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > MOST_PARTS)
    throw new MisuseError(`parts, got ${describeValue(parts)}, expected a list of 1 to ${MOST_PARTS} parts`);
  const names = new Set<string>();
  return parts.map((part: unknown, i) => {
    const what = `parts[${i}]`;
    if (!isRecord(part)) throw new MisuseError(`${what}, got ${describeValue(part)}, expected an object`);
    const { name, file } = part;
    if (typeof name !== 'string' || name === '' || names.has(name))
      throw new MisuseError(`${what}.name, got ${describeValue(name)}, expected a name that no other part has`);
    if (typeof file !== 'string' || file === '')
      throw new MisuseError(`${what}.file, got ${describeValue(file)}, expected the name of a mesh file`);
    names.add(name);
    return { name, file, pose: readPose(`${what}.pose`, part.pose) };
  });
}

function readPose(what: string, value: unknown): RigidPose {
  if (value === undefined) return Float64Array.of(0, 0, 0, 0, 0, 0, 1);
  if (!Array.isArray(value) || value.length !== 7 || !value.every((x) => typeof x === 'number' && Number.isFinite(x)))
    throw new MisuseError(`${what}, got ${describeValue(value)}, expected [x, y, z, qx, qy, qz, qw]`);
  const length = Math.sqrt(value.slice(3).reduce((sum: number, x: number) => sum + x * x, 0));
  if (!(Math.abs(length - 1) < 1e-3))
    throw new MisuseError(`${what}, got a quaternion of length ${length}, expected 1`);
  return Float64Array.from(value as number[], (x, k) => (k < 3 ? x : x / length));
}

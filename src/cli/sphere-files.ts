/** Sphere models that are named on the command line: JSON, YAML or SRDF, by the file's name; read and written. */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatIssue } from '../io/issue.js';
import { parseSpheres, writeSpheresJson, writeSpheresYaml } from '../io/robot/sphere-file.js';
import { parseSrdf, writeSrdf } from '../io/robot/srdf.js';
import type { SemanticDescription } from '../semantics/description.js';
import { UsageError } from './exit.js';
import { report } from './messages.js';

type Spheres = SemanticDescription['spheres'];

const SRDF_NAME = /\.(srdf|xml)$/i;
const YAML_NAME = /\.ya?ml$/i;

export function readSphereFile(option: string, file: string): Spheres {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option} ${file}: ${(error as Error).message}`);
  }
  if (SRDF_NAME.test(file)) {
    const { value, issues } = parseSrdf(text, { file });
    if (!value || value.spheres.size === 0)
      throw new UsageError(
        issues.map(formatIssue).join('\n') || `${option} ${file}: no link_sphere_approximation in it`,
      );
    for (const issue of issues) report(issue);
    if (issues.some(({ severity }) => severity === 'error'))
      throw new UsageError(`${option} ${file}: not all of it was read; correct what is said above`);
    return value.spheres;
  }
  const { value, issues } = parseSpheres(text, { file });
  if (!value) throw new UsageError(`${option} ${file}: ${issues[issues.length - 1].message}`);
  for (const issue of issues) report(issue);
  return value;
}

/** `semantic`: what an SRDF keeps besides the spheres. */
export function writeSphereFile(file: string, spheres: Spheres, semantic: SemanticDescription): void {
  const text = SRDF_NAME.test(file)
    ? writeSrdf({ ...semantic, spheres })
    : YAML_NAME.test(file)
      ? writeSpheresYaml(spheres)
      : writeSpheresJson(spheres);
  writeFileSync(file, text);
}

/** Throws for a name whose ending says no format. */
export function requireSphereFileName(option: string, file: string): void {
  if (!SRDF_NAME.test(file) && !YAML_NAME.test(file) && !/\.json$/i.test(file))
    throw new UsageError(`${option} ${file}: expected a name that ends in .srdf, .json, .yml or .yaml`);
}

export function emptySemantic(name: string): SemanticDescription {
  return {
    name,
    groups: [],
    states: [],
    endEffectors: [],
    virtualJoints: [],
    passiveJoints: [],
    disabledPairs: [],
    spheres: new Map(),
  };
}

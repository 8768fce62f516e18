/** A rigid-body problem from disk, with its two meshes, which lie in its folder. */
import { dirname, resolve } from 'node:path';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { parseRigidProblem } from '../io/rigid/rigid-file.js';
import { decodeXmlBytes } from '../io/xml/xml.js';
import type { RigidProblem } from '../rigid/problem.js';
import { loadMesh, readBytes } from './load-mesh.js';
import { createUriContext, resolveUri } from './resolve-uri.js';

const MAX_BYTES = 64 * 1024 * 1024;

/** Meshes are taken as they are: no turn of axes, no unit. `value` is null when it cannot be used. */
export async function loadRigidProblem(file: string): Promise<Parsed<RigidProblem>> {
  requireLoad('loadRigidProblem', file, {});
  const read = await readBytes(file, MAX_BYTES);
  if (!read.value) return { value: null, issues: read.issues };
  const decoded = decodeXmlBytes(read.value, file);
  const parsed = parseRigidProblem(decoded.text);
  const issues: Issue[] = [...decoded.issues, ...parsed.issues.map((issue) => ({ file, ...issue }))];
  const problem = parsed.value;
  if (!problem) return { value: null, issues };
  const context = createUriContext(file, { roots: [dirname(resolve(file))] });
  const meshes: TriangleMesh[] = [];
  for (const name of [problem.bodyFile, problem.obstacleFile]) {
    const { path, issues: refused } = resolveUri(name, context);
    issues.push(...refused.map((issue) => ({ ...issue, file })));
    if (path === null) return { value: null, issues };
    const { value, issues: found } = await loadMesh(path, { upAxis: 'ignore' });
    issues.push(...found);
    if (!value) return { value: null, issues };
    meshes.push(value);
  }
  const { group, start, goal, lower, upper } = problem;
  return { value: { group, body: meshes[0], obstacles: meshes[1], start, goal, lower, upper }, issues };
}

/** URDF, SRDF and xacro files from disk as element trees; xacro is expanded with its includes and YAML files. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Issue, Parsed } from '../io/issue.js';
import { unknownArguments } from '../io/robot/xacro/arguments.js';
import { decodeXmlBytes, parseXml, XML_MAX_LENGTH, type XmlElement } from '../io/xml/xml.js';
import { writeXml } from '../io/xml/xml-write.js';
import { readBytes } from './load-mesh.js';
import { findPackageFolder, resolveUri, type UriContext } from './resolve-uri.js';

/** Bytes: a character of UTF-16 or of escaped UTF-8 may take four. */
const MAX_BYTES = 4 * XML_MAX_LENGTH;

export interface XacroArguments {
  /** Arguments of xacro files, as on xacro's command line. */
  readonly xacroArgs?: Readonly<Record<string, string>>;
  /** Environment variables that $(env NAME) in xacro files may see; none by default. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface LoadedTree {
  readonly root: XmlElement;
  /** The file's own text, or what its xacro expands to. */
  readonly text: string;
}

export async function loadTree(
  file: string,
  context: UriContext,
  options: XacroArguments,
): Promise<Parsed<LoadedTree>> {
  const read = await readBytes(file, MAX_BYTES);
  if (!read.value) return { value: null, issues: read.issues };
  const decoded = decodeXmlBytes(read.value, file);
  const issues: Issue[] = [...decoded.issues];
  if (!/\.xacro$/i.test(file)) {
    const parsed = parseXml(decoded.text, { file });
    issues.push(...parsed.issues, ...unknownArguments({ file, args: options.xacroArgs }, null));
    return { value: parsed.value && { root: parsed.value, text: decoded.text }, issues };
  }
  const { expandXacro } = await import('../io/robot/xacro.js');
  const expanded = expandXacro(decoded.text, {
    file: resolve(file),
    args: options.xacroArgs,
    env: options.env,
    findPackage: (name) => findPackageFolder(name, context),
    read: (path) => readIncluded(path, context, issues),
  });
  issues.push(...expanded.issues);
  return { value: expanded.value && { root: expanded.value, text: writeXml(expanded.value) }, issues };
}

/** Text of a file that xacro names; throws with the reason when it may not or cannot be read. */
function readIncluded(path: string, context: UriContext, issues: Issue[]): string {
  const resolved = resolveUri(path, context);
  // The expander names the path itself.
  const reason = (message: string): string => message.replace(/^"[^"]*": /, '');
  if (resolved.path === null) throw new Error(resolved.issues.map(({ message }) => reason(message)).join('; '));
  const { size } = statSync(resolved.path);
  if (size > MAX_BYTES) throw new Error(`${size} bytes, at most ${MAX_BYTES} are read`);
  const decoded = decodeXmlBytes(readFileSync(resolved.path), path);
  issues.push(...decoded.issues);
  return decoded.text;
}

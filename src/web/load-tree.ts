/** URDF, SRDF and xacro text as element trees; xacro is expanded with its includes and YAML files. */
import type { Issue, Parsed } from '../io/issue.js';
import { unknownArguments } from '../io/robot/xacro/arguments.js';
import { decodeXmlBytes, parseXml, type XmlElement } from '../io/xml/xml.js';
import { writeXml } from '../io/xml/xml-write.js';
import type { FileSource } from './file-source.js';

export interface XacroArguments {
  /** Arguments of xacro files, as on xacro's command line. */
  readonly xacroArgs?: Readonly<Record<string, string>>;
  /** What $(env NAME) in xacro files may see; nothing by default. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface LoadedTree {
  readonly root: XmlElement;
  /** The file's own text, or what its xacro expands to. */
  readonly text: string;
  readonly path: string;
}

/** An expansion asks for few files at a time: those of the files it has. */
const MAXIMUM_ROUNDS = 100;

export async function toTree(
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
  source: FileSource,
  options: XacroArguments,
): Promise<Parsed<LoadedTree>> {
  const decoded = decodeXmlBytes(bytes, path);
  const issues: Issue[] = [...decoded.issues];
  if (!/\.xacro$/i.test(path.split(/[?#]/, 1)[0])) {
    const parsed = parseXml(decoded.text, { file: path });
    issues.push(...parsed.issues, ...unknownArguments({ file: path, args: options.xacroArgs }, null));
    return { value: parsed.value && { root: parsed.value, text: decoded.text, path }, issues };
  }
  const { expandXacro } = await import('../io/robot/xacro.js');
  // The expander reads while it goes and cannot wait: it is run again when what it asked for has been fetched.
  const texts = new Map<string, string | null>();
  const found: Issue[] = [];
  for (let round = 0; ; round++) {
    const wanted: string[] = [];
    const expanded = expandXacro(decoded.text, {
      file: path,
      args: options.xacroArgs,
      env: options.env,
      // Where the package is, is found out when one of its files is asked for.
      findPackage: (name) => `package://${name}`,
      read: (file) => {
        const text = texts.get(file);
        if (text === undefined) wanted.push(file);
        return text ?? null;
      },
    });
    if (wanted.length === 0 || round === MAXIMUM_ROUNDS) {
      issues.push(...found, ...expanded.issues);
      const { value } = expanded;
      return { value: value && { root: value, text: writeXml(value), path }, issues };
    }
    for (const file of new Set(wanted)) {
      const opened = await source.open(file, isUrl(path) ? path : '');
      if (opened.path === null) {
        texts.set(file, null);
        continue;
      }
      const text = decodeXmlBytes(opened.bytes, opened.path);
      found.push(...opened.issues, ...text.issues);
      texts.set(file, text.text);
    }
  }
}

function isUrl(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

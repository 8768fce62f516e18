/** Which arguments a robot's xacro files declare, for the form that asks for them. */
import { decodeXmlBytes, parseXml, type XmlElement } from 'clearance/io';
import type { FileSet } from 'clearance/web';
import type { XacroArgument } from './reading.js';

/** Those that a xacro file and what it includes declare, in this order. Includes are found by the end of their path. */
export async function listXacroArguments(files: FileSet, path: string): Promise<XacroArgument[]> {
  const found = new Map<string, string | null>();
  const seen = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const { value: root } = parseXml(decodeXmlBytes(await files.read(file), file).text, { file });
    for (const element of root ? listElements(root) : []) {
      const name = element.name === 'xacro:arg' ? element.attributes.get('name') : undefined;
      if (name !== undefined && !found.has(name)) found.set(name, element.attributes.get('default') ?? null);
      const included = element.name === 'xacro:include' ? element.attributes.get('filename') : undefined;
      const next = included === undefined ? undefined : findIncluded(files.paths, included);
      if (next !== undefined) await visit(next);
    }
  };
  await visit(path);
  return [...found].map(([name, preset]) => ({ name, preset }));
}

function* listElements(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) if (typeof child !== 'string') yield* listElements(child);
}

/** `$(find package)/a/b.xacro`, or a path. */
function findIncluded(paths: readonly string[], reference: string): string | undefined {
  const end = reference.replace(/^\$\(find ([^)]*)\)/, '$1').replace(/^(\.\.?\/)+/, '');
  const [name] = end.split('/').slice(-1);
  const isIt = (path: string): boolean => path === end || path.endsWith(`/${end}`);
  return paths.find(isIt) ?? paths.find((path) => path.split('/').at(-1) === name);
}

/** What COLLADA elements are found by, and the number lists in them. */

import { Float64Buffer } from './mesh-buffers.js';
import type { MeshIssues } from './mesh-content.js';
import { TextScanner } from './mesh-text.js';
import { textOf, type XmlElement } from './xml.js';

const REFERABLE = ['visual_scene', 'node', 'geometry', 'controller', 'source', 'vertices', 'float_array'] as const;
type Referable = (typeof REFERABLE)[number];

/** Elements by kind and id; of equal ids the first counts. Elements without id get a key nothing refers to. */
export type ColladaLibrary = Readonly<Record<Referable, Map<string, XmlElement>>>;

export function indexLibrary(root: XmlElement): ColladaLibrary {
  const library = Object.fromEntries(REFERABLE.map((name) => [name, new Map()])) as ColladaLibrary;
  const stack: XmlElement[] = [root];
  for (let unnamed = 0; stack.length > 0; ) {
    const element = stack.pop()!;
    if (Object.hasOwn(library, element.name)) {
      const elements = library[element.name as Referable];
      const id = element.attributes.get('id') ?? ` ${unnamed++}`;
      if (!elements.has(id)) elements.set(id, element);
    }
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i];
      if (typeof child !== 'string') stack.push(child);
    }
  }
  return library;
}

/** Element that a `#id` of this file names. */
export function resolveReference(
  library: ColladaLibrary,
  kind: Referable,
  url: string | undefined,
): XmlElement | undefined {
  const reference = url?.trim();
  return reference?.startsWith('#') ? library[kind].get(reference.slice(1)) : undefined;
}

/** The numbers in an element's text; null, with an error, when one is infinite or no number. */
export function readNumberList(element: XmlElement, issues: MeshIssues): Float64Array | null {
  const scanner = new TextScanner(new TextEncoder().encode(textOf(element)));
  const numbers = new Float64Buffer(64);
  while (scanner.skipToToken()) {
    const value = scanner.readNumber();
    if (value - value !== 0) {
      const found = Number.isNaN(value) ? `"${scanner.peekToken()}"` : 'a number beyond double range';
      issues.refuse('bad-number', `<${element.name}> needs finite numbers, found ${found}`, {
        line: element.line + scanner.line - 1,
      });
      return null;
    }
    numbers.push(value);
  }
  return numbers.take();
}

/** The whole numbers in an element's text; null, with an error, when there is another. */
export function readIndexList(element: XmlElement, issues: MeshIssues): Int32Array | null {
  const numbers = readNumberList(element, issues);
  if (!numbers) return null;
  const indices = new Int32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    indices[i] = numbers[i];
    if (indices[i] !== numbers[i] || numbers[i] < 0) {
      issues.refuse('bad-vertex-index', `<${element.name}> needs whole numbers from 0 on, found ${numbers[i]}`, {
        line: element.line,
      });
      return null;
    }
  }
  return indices;
}

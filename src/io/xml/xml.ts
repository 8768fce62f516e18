/**
 * XML text to a plain element tree with line numbers, for every XML format this library reads.
 *
 * Method: one linear scan over the text refuses document types, too deep nesting and too many elements before
 * anything is built, and notes the line of each start tag; then @rgrove/parse-xml decodes, and the notes are handed
 * to its elements in document order. Entities other than the five of XML cannot exist without a document type, so
 * there is nothing to expand.
 *
 * Fails with an issue and a null value when the text is not well-formed or passes a cap; never throws for content.
 * Test: xml.test.ts, test/regression/hostile-robot-files.test.ts.
 */

import { XmlElement as DecodedElement, parseXml as decodeXml, XmlError, XmlText } from '@rgrove/parse-xml';
import { requireBytes, requireList, requireObject, requireText, throwMisuse } from '../../math/arguments.js';
import { requireFile, requireSource, XML_OPTIONS } from '../io-door.js';
import type { Issue, Parsed } from '../issue.js';

export interface XmlElement {
  readonly name: string;
  /** In document order, references already decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Elements and text (CDATA included) in document order; comments and processing instructions are left out. */
  readonly children: readonly XmlNode[];
  /** 1-based line of the start tag. */
  readonly line: number;
  /** The file the element was written in; elements of one tree may come from several files after xacro includes. */
  readonly file?: string;
}

export type XmlNode = XmlElement | string;

export interface XmlOptions {
  /** For messages. */
  readonly file?: string;
  /** Characters; default 64 Mi. */
  readonly maxLength?: number;
  /** Default 200. */
  readonly maxDepth?: number;
  /** Default 200,000. */
  readonly maxElements?: number;
}

export const XML_MAX_LENGTH = 64 * 1024 * 1024;
const XML_MAX_DEPTH = 200;
const XML_MAX_ELEMENTS = 200_000;

/** The root element of a document, or null and an error issue. */
export function parseXml(text: string, options: XmlOptions = {}): Parsed<XmlElement> {
  requireSource('parseXml', text, options, XML_OPTIONS);
  const { file } = options;
  const fail = (code: string, line: number | undefined, message: string): Parsed<XmlElement> => ({
    value: null,
    issues: [{ severity: 'error', code, file, line, message }],
  });
  const maxLength = options.maxLength ?? XML_MAX_LENGTH;
  if (text.length > maxLength) {
    return fail('xml-too-large', undefined, `${text.length} characters, at most ${maxLength} are read; split the file`);
  }
  const issues: Issue[] = [];
  // Ends of lines as XML 1.0 section 2.11 wants them: the decoder would do so piece by piece, in quadratic time.
  let source = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).replace(/\r\n?/g, '\n');
  let skippedLines = 0;
  const blank = /^\s+(?=<\?xml\s)/.exec(source);
  if (blank) {
    skippedLines = countLines(blank[0], 0, blank[0].length);
    source = source.slice(blank[0].length);
    issues.push({
      severity: 'warning',
      code: 'xml-leading-blank',
      file,
      line: 1,
      message: 'blank text before the XML declaration is skipped; delete it, strict readers refuse the file',
    });
  }
  if (!source.includes('<')) return fail('xml-malformed', 1, 'no element in the file; is it empty or not XML?');

  const scan = scanTags(source, options.maxDepth ?? XML_MAX_DEPTH, options.maxElements ?? XML_MAX_ELEMENTS);
  if (scan.refused) return fail(scan.refused.code, scan.refused.line + skippedLines, scan.refused.message);

  try {
    const root = decodeXml(source).root;
    if (!root) return fail('xml-malformed', 1, 'no root element; is the file complete?');
    let next = 0;
    const convert = (element: DecodedElement): XmlElement => {
      const line = (scan.lines[next++] ?? 0) + skippedLines;
      const children: XmlNode[] = [];
      for (const child of element.children) {
        if (child instanceof DecodedElement) children.push(convert(child));
        else if (child instanceof XmlText) children.push(child.text);
      }
      return { name: element.name, attributes: new Map(Object.entries(element.attributes)), children, line, file };
    };
    return { value: convert(root), issues };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const reason = error.message.split('\n', 1)[0].replace(/\s*\(line \d+, column \d+\)\s*:?$/, '');
    const message = `not well-formed XML: ${reason} (column ${error.column}); correct the markup there`;
    return fail('xml-malformed', error.line + skippedLines, message);
  }
}

/**
 * Text of an XML file's bytes: byte order marks (UTF-8, UTF-16 little and big endian), UTF-16 without one, then the
 * encoding the declaration names. Bytes that are not valid UTF-8 are read as Windows-1252 with a warning.
 */
export function decodeXmlBytes(bytes: Uint8Array, file?: string): { text: string; issues: Issue[] } {
  requireBytes('decodeXmlBytes', 'bytes', bytes);
  requireFile('decodeXmlBytes', file);
  const issues: Issue[] = [];
  const [a, b, c] = bytes;
  let label = 'utf-8';
  if (a === 0xff && b === 0xfe) label = 'utf-16le';
  else if (a === 0xfe && b === 0xff) label = 'utf-16be';
  else if (a === 0x3c && b === 0 && c !== 0) label = 'utf-16le';
  else if (a === 0 && b === 0x3c) label = 'utf-16be';
  else {
    let head = '';
    for (let i = 0; i < Math.min(bytes.length, 120); i++) head += String.fromCharCode(bytes[i]);
    const named = /<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1].toLowerCase();
    // The bytes above say it is not UTF-16, whatever the declaration claims.
    if (named && !named.startsWith('utf') && !named.startsWith('ucs')) label = named;
  }
  const warn = (message: string): void => {
    issues.push({ severity: 'warning', code: 'xml-encoding', file, line: 1, message });
  };
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: label === 'utf-8' });
  } catch {
    warn(`encoding "${label}" is not known, read as UTF-8; save the file as UTF-8`);
    decoder = new TextDecoder('utf-8');
  }
  try {
    return { text: decoder.decode(bytes), issues };
  } catch {
    warn('not valid UTF-8, read as Windows-1252; save the file as UTF-8');
    return { text: new TextDecoder('windows-1252').decode(bytes), issues };
  }
}

/** All element children, or those of one name. */
export function childElements(element: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element.children) {
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child);
  }
  return found;
}

/** The first child element of a name. */
export function firstChild(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) if (typeof child !== 'string' && child.name === name) return child;
  return undefined;
}

/** The element's own text, nested elements left out. */
export function textOf(element: XmlElement): string {
  let text = '';
  for (const child of element.children) if (typeof child === 'string') text += child;
  return text;
}

/** How messages name an element: `joint "elbow"`, or `origin` when it has no name. */
export function describeElement(element: XmlElement): string {
  const name = element.attributes.get('name');
  return name === undefined ? element.name : `${element.name} "${name}"`;
}

interface TagScan {
  /** Line of each start tag in document order. */
  readonly lines: number[];
  readonly refused?: { readonly code: string; readonly line: number; readonly message: string };
}

function scanTags(text: string, maxDepth: number, maxElements: number): TagScan {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  let depth = 0;
  let at = text.indexOf('<');
  while (at >= 0) {
    line += countLines(text, counted, at);
    counted = at;
    let end: number;
    if (text.startsWith('<!--', at)) {
      end = text.indexOf('-->', at + 4);
    } else if (text.startsWith('<![CDATA[', at)) {
      end = text.indexOf(']]>', at + 9);
    } else if (text.startsWith('<!', at)) {
      const message = 'document types (<!DOCTYPE, <!ENTITY) are refused; delete the declaration and write values out';
      return { lines, refused: { code: 'xml-doctype', line, message } };
    } else if (text.startsWith('<?', at)) {
      end = text.indexOf('?>', at + 2);
    } else if (text.startsWith('</', at)) {
      depth--;
      end = text.indexOf('>', at + 2);
    } else {
      lines.push(line);
      if (lines.length > maxElements) {
        const message = `more than ${maxElements} elements; split the file`;
        return { lines, refused: { code: 'xml-too-many-elements', line, message } };
      }
      end = endOfStartTag(text, at + 1);
      if (end >= 0 && text.charCodeAt(end - 1) !== 0x2f && ++depth > maxDepth) {
        const message = `elements nested deeper than ${maxDepth}; flatten the file`;
        return { lines, refused: { code: 'xml-too-deep', line, message } };
      }
    }
    // An unterminated piece: the decoder reports it with its place.
    if (end < 0) break;
    at = text.indexOf('<', end);
  }
  return { lines };
}

/** Index of the `>` that ends a start tag, quotes respected; -1 when there is none. */
function endOfStartTag(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x3e) return i;
    if (c === 0x22 || c === 0x27) {
      i = text.indexOf(c === 0x22 ? '"' : "'", i + 1);
      if (i < 0) return -1;
    }
  }
  return -1;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10) count++;
  return count;
}

export function requireElement(call: string, root: XmlElement): void {
  requireObject(call, 'root', root, 'an element that parseXml returned as value');
  requireText(call, 'root.name', root.name);
  if (!(root.attributes instanceof Map)) throwMisuse(call, 'root.attributes', root.attributes, 'a Map');
  requireList(call, 'root.children', root.children);
}

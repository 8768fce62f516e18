/**
 * xacro to plain XML, without a file system and without running any code of the file: properties, macros with
 * defaults, forwarded and block parameters, includes with namespaces, conditions, expressions, YAML data.
 *
 * Expressions follow Python's rules for numbers and text, on an allow-list (xacro/functions.ts). The result is an
 * element tree whose elements remember file and line, so that readers report faults where they were written.
 * Test: xacro.test.ts, xacro/expression.test.ts, test/regression/xacro.test.ts, test/oracle/robot-files.test.ts.
 */
import { requireSource, XACRO_OPTIONS } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { parseXml, type XmlElement } from '../xml/xml.js';
import type { XacroOptions } from './xacro/evaluate-text.js';
import { Expander } from './xacro/expand.js';

export { joinArgumentIssues, unknownArguments } from './xacro/arguments.js';
export type { XacroOptions } from './xacro/evaluate-text.js';

/** Expands xacro text; pass the tree to readUrdf or readSrdf, or to writeXml for text. */
export function expandXacro(text: string, options: XacroOptions = {}): Parsed<XmlElement> {
  requireSource('expandXacro', text, options, XACRO_OPTIONS);
  const { value: root, issues } = parseXml(text, { file: options.file });
  return root ? new Expander(options, issues).run(root) : { value: null, issues };
}

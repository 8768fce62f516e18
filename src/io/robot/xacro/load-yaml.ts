/** YAML text to expression values, with the tags that robot files use for angles and lengths. */
import { type Document, LineCounter, parseDocument, type ScalarTag } from 'yaml';
import { Evaluator } from './evaluate.js';
import { globalNames } from './functions.js';
import { dictKey, ExpressionError, toFloat, type Value, type ValueDict } from './values.js';

const MAX_LENGTH = 8 * 1024 * 1024;
const MAX_DEPTH = 100;

/** `!degrees 90` is an angle in radians; the number may be an expression such as `180 / 2`. */
function unitTag(tag: string, size: number): ScalarTag {
  return {
    tag,
    resolve: (text, onError) => {
      const names = globalNames();
      try {
        return toFloat(new Evaluator(10_000).evaluate(text, (name) => names.get(name))) * size;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        onError(`${tag} ${text}: ${error.message}`);
        return 0;
      }
    },
  };
}

/** PyYAML, which ROS uses, reads these as booleans too, but not y and n, which name axes in robot files. */
const YES_NO: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/,
  resolve: (text) => /^(?:yes|on)$/i.test(text),
};

const TAGS = [
  YES_NO,
  unitTag('!degrees', Math.PI / 180),
  unitTag('!deg', Math.PI / 180),
  unitTag('!radians', 1),
  unitTag('!rad', 1),
  unitTag('!meters', 1),
  unitTag('!millimeters', 0.001),
  unitTag('!foot', 0.3048),
  unitTag('!inches', 0.0254),
];

/** Throws an ExpressionError that names the line when the text is not YAML or passes a cap. */
export function loadYaml(text: string): Value {
  if (text.length > MAX_LENGTH)
    throw new ExpressionError(`YAML of ${text.length} characters, at most ${MAX_LENGTH} are read`);
  checkDepth(text);
  const lineCounter = new LineCounter();
  const document = parse(text, lineCounter);
  const [error] = document.errors;
  if (error) {
    throw new ExpressionError(
      `not valid YAML in line ${lineCounter.linePos(error.pos[0]).line}: ${error.message.split('\n', 1)[0]}`,
    );
  }
  let content: unknown;
  try {
    // Aliases repeat parts of the document: the count bounds what a few lines can unfold to.
    content = document.toJS({ mapAsMap: true, maxAliasCount: 100 });
  } catch (failure) {
    throw new ExpressionError(`YAML cannot be used: ${(failure as Error).message}`);
  }
  return toValue(content, 0);
}

/** As PyYAML does, of equal keys the last counts; looking for them would cost quadratic time. */
function parse(text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, {
      merge: true,
      intAsBigInt: true,
      customTags: TAGS,
      lineCounter,
      uniqueKeys: false,
      // Each would copy its line: quadratic where one line has many faults.
      prettyErrors: false,
    });
  } catch (failure) {
    throw new ExpressionError(`YAML cannot be read: ${(failure as Error).message.slice(0, 200)}`);
  }
}

/**
 * Refuses nesting before the reader, which recurses, follows it: brackets that begin a value and are not closed, and entries
 * of entries on one line ("- - -", "? ? ?").
 */
function checkDepth(text: string): void {
  let line = 1;
  let brackets = 0;
  let indicators = 0;
  let atStart = true;
  let mayBegin = true;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '\n') {
      line++;
      indicators = 0;
      atStart = true;
      mayBegin = true;
      continue;
    }
    if (c === ' ') {
      mayBegin = true;
      continue;
    }
    if (atStart && (c === '-' || c === '?')) indicators++;
    else atStart = false;
    if (mayBegin && (c === '[' || c === '{')) brackets++;
    else if ((c === ']' || c === '}') && brackets > 0) brackets--;
    mayBegin = '[{,:-?'.includes(c);
    if (brackets > MAX_DEPTH || indicators > MAX_DEPTH)
      throw new ExpressionError(`YAML is nested deeper than ${MAX_DEPTH} (line ${line})`);
  }
}

function toValue(content: unknown, depth: number): Value {
  if (depth > MAX_DEPTH) throw new ExpressionError(`YAML is nested deeper than ${MAX_DEPTH}`);
  if (content === null || content === undefined) return null;
  if (Array.isArray(content)) return content.map((item) => toValue(item, depth + 1));
  if (content instanceof Map) {
    const dict: ValueDict = new Map();
    for (const [key, item] of content) dict.set(dictKey(toValue(key, depth + 1)), toValue(item, depth + 1));
    return dict;
  }
  if (content instanceof Date) return content.toISOString();
  if (typeof content === 'string' || typeof content === 'number' || typeof content === 'bigint') return content;
  if (typeof content === 'boolean') return content;
  throw new ExpressionError('YAML holds a value that is not text, number, list or dictionary');
}

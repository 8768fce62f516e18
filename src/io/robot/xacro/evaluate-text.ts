/**
 * Evaluates the text of xacro attributes: ${expressions}, $(substitutions), and the functions that reach arguments,
 * packages and YAML files. Throws ExpressionError; the expander adds the place.
 */
import type { XmlElement } from '../../xml/xml.js';
import type { XmlIssues } from '../../xml/xml-values.js';
import { Evaluator, type Lookup } from './evaluate.js';
import { globalNames } from './functions.js';
import { loadYaml } from './load-yaml.js';
import { folderOf, joinToFile } from './paths.js';
import type { Scope } from './scope.js';
import { splitText } from './split-text.js';
import {
  ExpressionError,
  isTruthy,
  printValue,
  readLiteral,
  type Value,
  ValueFunction,
  ValueNamespace,
} from './values.js';

export interface XacroOptions {
  /** Path of the text, for messages and for relative paths in it. */
  readonly file?: string;
  /** Text of an included or YAML file, given its path (relative ones joined to the file that names them). */
  readonly read?: (path: string) => string | null;
  /** Arguments, as given on xacro's command line. */
  readonly args?: Readonly<Record<string, string>>;
  /** Folder of a package, for $(find NAME). */
  readonly findPackage?: (name: string) => string | null;
  /** Environment variables that $(env NAME) and $(optenv NAME) may see; none by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files of before 2014 leave out the xacro: prefix: expand them with a warning (default) or refuse them. */
  readonly legacy?: 'expand' | 'refuse';
}

const MAX_EVALUATION_DEPTH = 100;
const MAX_CHARACTERS = 50_000_000;

export class TextEvaluator {
  /** The element whose text is being evaluated; messages and relative paths go by it. */
  place: XmlElement | null = null;
  readonly args = new Map<string, string>();
  /** Names of arguments that the file declares or asks for. */
  readonly knownArguments = new Set<string>();
  private readonly evaluator = new Evaluator();
  private readonly globals = globalNames();
  private readonly yaml = new Map<string, Value>();
  private depth = 0;
  private characters = 0;

  constructor(
    private readonly options: XacroOptions,
    private readonly issues: XmlIssues,
  ) {
    for (const [name, value] of Object.entries(options.args ?? {})) this.args.set(name, value);
    this.addXacroFunctions();
  }

  /** Text of a file, or why there is none. */
  readFile(path: string): string | { readonly reason: string } {
    if (!this.options.read) return { reason: 'no files can be read here' };
    try {
      return this.options.read(path) ?? { reason: 'no such file; correct the name or the package it is in' };
    } catch (error) {
      return { reason: (error as Error).message };
    }
  }

  /** A single expression keeps its type; anything longer is joined to text. Throws ExpressionError. */
  evaluateText(text: string, scope: Scope): Value {
    if (!text.includes('$')) return text;
    if (++this.depth > MAX_EVALUATION_DEPTH) {
      throw new ExpressionError(`properties depend on each other deeper than ${MAX_EVALUATION_DEPTH}`);
    }
    try {
      return this.joinParts(text, scope);
    } finally {
      this.depth--;
    }
  }

  private joinParts(text: string, scope: Scope): Value {
    const values: Value[] = [];
    for (const part of splitText(text)) {
      if (part.kind === 'text') values.push(part.text);
      else {
        // The original cuts an expression at its first "}": what is inside another one means nothing there.
        if (part.kind === 'expression' && splitText(part.text).some(({ kind }) => kind === 'expression'))
          throw new ExpressionError('"${" inside an expression: write its content alone, in parentheses');
        const inner = printValue(this.evaluateText(part.text, scope));
        const value = part.kind === 'expression' ? this.evaluateExpression(inner, scope) : this.substitute(inner);
        values.push(value);
      }
    }
    if (values.length === 1) return values[0];
    const joined = values.map(printValue).join('');
    this.characters += joined.length;
    if (joined.length > 1_000_000 || this.characters > MAX_CHARACTERS) {
      throw new ExpressionError('the text of attributes and properties grows too large');
    }
    return joined;
  }

  private evaluateExpression(text: string, scope: Scope): Value {
    const lookup: Lookup = (name) => scope.get(name) ?? this.globals.get(name);
    return this.evaluator.evaluate(text, lookup);
  }

  /** $(find x), $(arg x), $(env x), $(optenv x y), $(dirname), $(eval ...). */
  private substitute(text: string): Value {
    const [, command, rest] = /^\s*(\S+)\s*([\s\S]*?)\s*$/.exec(text) ?? ['', '', ''];
    switch (command) {
      case 'find':
        return this.findPackage(rest);
      case 'arg':
        return this.findArgument(rest);
      case 'env':
        return this.findEnvironment(rest);
      case 'optenv': {
        const [name, ...fallback] = rest.split(/\s+/);
        return this.environment(name) ?? fallback.join(' ');
      }
      case 'dirname':
        return folderOf(this.place?.file);
      case 'eval':
        return this.evaluator.evaluate(rest, (name) => this.lookupInEval(name));
      default:
        throw new ExpressionError(`$(${command}) is not known; use find, arg, env, optenv, dirname or eval`);
    }
  }

  private lookupInEval(name: string): Value | undefined {
    const argument = this.args.get(name);
    if (argument !== undefined) {
      this.knownArguments.add(name);
      return readLiteral(argument);
    }
    const text = (value: Value | undefined): string => (value === undefined ? '' : printValue(value));
    switch (name) {
      case 'arg':
        return new ValueFunction('arg', ([value]) => readLiteral(this.findArgument(text(value))));
      case 'find':
        return new ValueFunction('find', ([value]) => this.findPackage(text(value)));
      case 'env':
        return new ValueFunction('env', ([value]) => this.findEnvironment(text(value)));
      case 'optenv':
        return new ValueFunction('optenv', ([value, fallback]) => this.environment(text(value)) ?? text(fallback));
      case 'dirname':
        return new ValueFunction('dirname', () => folderOf(this.place?.file));
      default:
        return this.globals.get(name);
    }
  }

  private findPackage(name: string): string {
    const folder = this.options.findPackage?.(name) ?? null;
    if (folder !== null) return folder;
    throw new ExpressionError(`package "${name}" is not found; name its folder (--package ${name}=DIR)`);
  }

  private findArgument(name: string): string {
    const value = this.args.get(name);
    this.knownArguments.add(name);
    if (value !== undefined) return value;
    throw new ExpressionError(`argument "${name}" has no value; give it (--xacro-arg ${name}=VALUE)`);
  }

  private findEnvironment(name: string): string {
    const value = this.environment(name);
    if (value !== undefined) return value;
    throw new ExpressionError(`environment variable "${name}" is not passed on; write the value or use an argument`);
  }

  private environment(name: string): string | undefined {
    const { env } = this.options;
    return env && Object.hasOwn(env, name) ? env[name] : undefined;
  }

  private addXacroFunctions(): void {
    const functions = new Map<string, Value>(this.globals);
    const add = (name: string, call: (text: string) => Value): void => {
      functions.set(
        name,
        new ValueFunction(name, (values) => {
          if (values.length !== 1) throw new ExpressionError(`${name}() takes 1 argument, got ${values.length}`);
          return call(printValue(values[0]));
        }),
      );
    };
    add('load_yaml', (path) => this.loadYaml(path));
    add('arg', (name) => this.findArgument(name));
    add('abs_filename', (path) => joinToFile(this.place?.file, path));
    const say = (name: string, speak: (message: string) => void): void => {
      functions.set(
        name,
        new ValueFunction(name, (values) => {
          speak(values.map(printValue).join(' '));
          return '';
        }),
      );
    };
    for (const [name, severity] of [
      ['message', 'info'],
      ['warning', 'warn'],
      ['error', 'error'],
    ] as const) {
      say(name, (message) => this.issues[severity]('xacro-message', this.place ?? undefined, message));
    }
    say('fatal', (message) => {
      throw new ExpressionError(message);
    });
    functions.set('tokenize', new ValueFunction('tokenize', (values, named) => tokenize(values, named)));
    functions.set('dotify', new ValueFunction('dotify', ([value]) => value ?? null));
    functions.set('print_location', new ValueFunction('print_location', () => ''));
    this.globals.set('xacro', new ValueNamespace('xacro', (member) => functions.get(member)));
    this.globals.set('load_yaml', functions.get('load_yaml')!);
  }

  private loadYaml(path: string): Value {
    const full = joinToFile(this.place?.file, path);
    const known = this.yaml.get(full);
    if (known !== undefined) return known;
    const read = this.readFile(full);
    if (typeof read !== 'string') throw new ExpressionError(`cannot load "${full}": ${read.reason}`);
    const value = loadYaml(read);
    this.yaml.set(full, value);
    return value;
  }
}

/** xacro.tokenize(text, sep=',; ', skip_empty=True): words between any of the separators. */
function tokenize(values: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  const [text, separators = named.get('sep') ?? ',; ', skipEmpty = named.get('skip_empty') ?? true] = values;
  if (typeof text !== 'string' || typeof separators !== 'string') {
    throw new ExpressionError('tokenize() takes a text and, if wanted, the separators');
  }
  const words: string[] = [''];
  for (const c of text) {
    if (separators.includes(c)) words.push('');
    else words[words.length - 1] += c;
  }
  return isTruthy(skipEmpty) ? words.filter((word) => word !== '') : words;
}

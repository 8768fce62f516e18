/**
 * Expands xacro: walks the element tree once, carrying a scope of properties and macros, and writes plain XML.
 *
 * Semantics are those of ROS xacro (Jade and later): macros see the properties of their caller; a property's text is
 * evaluated when it is first needed, in the scope that defines it; properties set to an outer scope are evaluated at
 * once; blocks given to a macro are expanded by the caller, block properties where they are inserted. Source: ROS
 * wiki "xacro". Expressions have their own evaluator (evaluate.ts).
 *
 * The first error ends the expansion; its issue names the file and line of the element at fault, and the macro calls
 * and includes that led there. Steps, sizes and depths are capped, so that no file can hang or fill the memory.
 */
import type { Issue } from '../../issue.js';

import { parseXml, type XmlElement, type XmlNode } from '../../xml/xml.js';
import { closestName, reportLostElements, XmlIssues } from '../../xml/xml-values.js';
import { unknownArguments } from './arguments.js';
import { TextEvaluator, type XacroOptions } from './evaluate-text.js';
import { parseParameters } from './parameters.js';
import { joinToFile } from './paths.js';
import { type Block, type Macro, Scope } from './scope.js';
import { ExpressionError, isTruthy, printValue, readLiteral, type Value } from './values.js';

const MAX_DEPTH = 1200;
const MAX_INCLUDE_DEPTH = 40;
const MAX_ELEMENTS = 200_000;
const MAX_VISITS = 300_000;

const CONTROLS = new Set([
  'property',
  'macro',
  'include',
  'arg',
  'if',
  'unless',
  'insert_block',
  'attribute',
  'element',
  'call',
]);
/** Controls that files of before 2014 wrote without a prefix, with the attribute that tells them from other elements. */
const LEGACY_CONTROLS: Readonly<Record<string, string>> = {
  macro: 'name',
  property: 'name',
  include: 'filename',
  insert_block: 'name',
  if: 'value',
  unless: 'value',
};
/** Elements whose content belongs to other programs, where a bare <property> or <include> is not xacro's. */
const FOREIGN = new Set(['gazebo', 'plugin', 'transmission', 'ros2_control', 'sensor']);

/** An error at an element; the message is complete but for the place. */
class ExpansionError extends Error {
  constructor(
    readonly element: XmlElement,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class Expander {
  private readonly issues: XmlIssues;
  private readonly text: TextEvaluator;
  private readonly frames: string[] = [];
  private readonly namespaceAttributes = new Map<string, string>();
  private readonly warned = new Set<string>();
  private depth = 0;
  private includeDepth = 0;
  private foreign = 0;
  private legacySeen = false;
  private elements = 0;
  private visits = 0;

  constructor(
    private readonly options: XacroOptions,
    before: readonly Issue[],
  ) {
    this.issues = new XmlIssues(options.file);
    this.issues.append(before);
    this.text = new TextEvaluator(options, this.issues);
  }

  /** The expanded root element, or null and an error issue. */
  run(root: XmlElement): { value: XmlElement | null; issues: readonly Issue[] } {
    try {
      const scope = new Scope(null, (text, inner) => this.text.evaluateText(text, inner));
      const attributes = new Map<string, string>();
      const children: XmlNode[] = [];
      this.text.place = root;
      this.expandNodes(root.children, scope, children, attributes);
      // The root's attributes last: name="$(arg name)" may use a default that is given inside.
      for (const [name, value] of this.expandAttributes(root, scope)) attributes.set(name, value);
      for (const [name, value] of this.namespaceAttributes) if (!attributes.has(name)) attributes.set(name, value);
      this.issues.append(unknownArguments(this.options, [...this.text.knownArguments]));
      return { value: { ...root, attributes, children }, issues: this.issues.issues };
    } catch (error) {
      if (error instanceof ExpansionError) {
        const trail = this.frames.slice(-4).reverse();
        const more = this.frames.length > 4 ? ', ...' : '';
        const suffix = trail.length === 0 ? '' : ` (${trail.join(', ')}${more})`;
        this.issues.error(error.code, error.element, error.message + suffix);
      } else if (error instanceof RangeError) {
        // Stack or string length of the engine, should a cap above be too wide for it.
        this.issues.error(
          'xacro-too-large',
          this.text.place ?? root,
          'the expansion is too deep or too large; simplify it',
        );
      } else throw error;
      return { value: null, issues: this.issues.issues };
    }
  }

  private expandNodes(nodes: readonly XmlNode[], scope: Scope, out: XmlNode[], owner: Map<string, string>): void {
    if (++this.depth > MAX_DEPTH) {
      const message = `elements, macros and blocks are nested deeper than ${MAX_DEPTH}; does a macro call itself without end?`;
      throw new ExpansionError(this.text.place!, 'xacro-too-deep', message);
    }
    const parent = this.text.place;
    for (const node of nodes) {
      if (typeof node !== 'string') this.expandElement(node, scope, out, owner);
      else out.push(node.includes('$') && parent ? this.print(node, scope, parent) : node);
    }
    this.text.place = parent;
    this.depth--;
  }

  private expandElement(element: XmlElement, scope: Scope, out: XmlNode[], owner: Map<string, string>): void {
    this.text.place = element;
    if (++this.visits > MAX_VISITS) {
      throw new ExpansionError(
        element,
        'xacro-too-large',
        `more than ${MAX_VISITS} expansion steps; simplify the macros`,
      );
    }
    const prefixed = element.name.startsWith('xacro:');
    const name = prefixed ? element.name.slice(6) : element.name;
    if (prefixed ? CONTROLS.has(name) : this.isLegacyControl(element)) {
      this.expandControl(name, element, scope, out, owner);
      return;
    }
    const found = prefixed || this.legacySeen ? scope.findMacro(name) : undefined;
    if (found && (prefixed || (found.macro.legacy && this.foreign === 0))) {
      this.callMacro(element, name, found.macro, found.scope, { scope, out, owner });
      return;
    }
    if (prefixed) throw this.unknownMacro(element, name, scope);
    this.emit(element, element.name, scope, out);
  }

  private emit(element: XmlElement, name: string, scope: Scope, out: XmlNode[]): void {
    if (++this.elements > MAX_ELEMENTS) {
      throw new ExpansionError(
        element,
        'xacro-too-large',
        `expands to more than ${MAX_ELEMENTS} elements; simplify it`,
      );
    }
    const attributes = this.expandAttributes(element, scope);
    const children: XmlNode[] = [];
    const foreign = FOREIGN.has(name) ? 1 : 0;
    this.foreign += foreign;
    this.expandNodes(element.children, scope, children, attributes);
    this.foreign -= foreign;
    out.push({ ...element, name, attributes, children });
  }

  private expandAttributes(element: XmlElement, scope: Scope): Map<string, string> {
    const attributes = new Map<string, string>();
    for (const [name, value] of element.attributes) {
      if (name === 'xmlns:xacro' || name.startsWith('xacro:')) continue;
      attributes.set(name, this.print(value, scope, element));
    }
    return attributes;
  }

  private expandControl(
    name: string,
    element: XmlElement,
    scope: Scope,
    out: XmlNode[],
    owner: Map<string, string>,
  ): void {
    switch (name) {
      case 'property':
        this.defineProperty(element, scope);
        return;
      case 'macro':
        this.defineMacro(element, scope);
        return;
      case 'include':
        this.include(element, scope, out, owner);
        return;
      case 'arg': {
        this.checkAttributes(element, ['name', 'default']);
        const argument = this.print(this.require(element, 'name'), scope, element);
        this.text.knownArguments.add(argument);
        const fallback = element.attributes.get('default');
        if (!this.text.args.has(argument) && fallback !== undefined) {
          this.text.args.set(argument, this.print(fallback, scope, element));
        }
        return;
      }
      case 'if':
      case 'unless': {
        this.checkAttributes(element, ['value']);
        const holds = this.evaluateCondition(element, scope);
        if (holds === (name === 'if')) this.expandNodes(element.children, scope, out, owner);
        return;
      }
      case 'insert_block': {
        this.checkAttributes(element, ['name']);
        const block = this.print(this.require(element, 'name'), scope, element);
        this.insertBlock(element, block, scope, out, owner);
        return;
      }
      case 'attribute': {
        this.checkAttributes(element, ['name', 'value']);
        const attribute = this.print(this.require(element, 'name'), scope, element);
        owner.set(attribute, this.print(this.require(element, 'value'), scope, element));
        return;
      }
      case 'element': {
        const tag = this.print(this.require(element, 'xacro:name'), scope, element);
        if (!/^[A-Za-z_][\w.:-]*$/.test(tag)) {
          throw new ExpansionError(element, 'xacro-bad-name', `"${tag}" cannot be an element name; correct xacro:name`);
        }
        this.emit(element, tag, scope, out);
        return;
      }
      case 'call': {
        const macro = this.print(this.require(element, 'macro'), scope, element);
        const found = scope.findMacro(macro);
        if (!found) throw this.unknownMacro(element, macro, scope);
        const attributes = new Map(element.attributes);
        attributes.delete('macro');
        this.callMacro({ ...element, attributes }, macro, found.macro, found.scope, { scope, out, owner });
      }
    }
  }

  private defineProperty(element: XmlElement, scope: Scope): void {
    this.checkAttributes(element, ['name', 'value', 'default', 'remove', 'scope', 'lazy_eval']);
    const name = this.print(this.require(element, 'name'), scope, element);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith('__')) {
      throw new ExpansionError(
        element,
        'xacro-bad-name',
        `"${name}" cannot be a property name; use letters, digits and _`,
      );
    }
    const where = element.attributes.get('scope');
    const lazy = this.readFlag(element, 'lazy_eval', scope, true);
    let target = scope;
    if (where === 'global') target = scope.root;
    else if (where === 'parent') {
      if (scope.parent) target = scope.callerScope();
      else this.issues.warn('xacro-scope', element, 'there is no parent scope outside macros; delete scope="parent"');
    } else if (where !== undefined) {
      throw new ExpansionError(element, 'xacro-scope', `scope="${where}" is not known; use parent or global`);
    }
    const remove = this.readFlag(element, 'remove', scope, false);
    const value = element.attributes.get('value');
    const fallback = element.attributes.get('default');
    if (Number(remove) + Number(value !== undefined) + Number(fallback !== undefined) > 1) {
      const message = `property "${name}" has more than one of value, default and remove; keep one`;
      throw new ExpansionError(element, 'xacro-property', message);
    }
    if (remove) {
      scope.remove(name);
      return;
    }
    if (fallback !== undefined && scope.has(name)) return;
    const text = value ?? fallback;
    if (text === undefined) target.setBlock(name, { nodes: element.children, expanded: false });
    else if (target === scope && lazy) target.setText(name, text);
    else target.setValue(name, this.evaluateAt(text, scope, element));
  }

  private defineMacro(element: XmlElement, scope: Scope): void {
    this.checkAttributes(element, ['name', 'params']);
    // Old files wrote the prefix into the name too.
    const name = this.print(this.require(element, 'name'), scope, element).replace(/^xacro:/, '');
    if (CONTROLS.has(name)) {
      throw new ExpansionError(
        element,
        'xacro-bad-name',
        `a macro cannot be named "${name}", xacro uses that; rename it`,
      );
    }
    try {
      const parameters = parseParameters(element.attributes.get('params') ?? '');
      scope.setMacro(name, { element, parameters, legacy: !element.name.startsWith('xacro:') });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new ExpansionError(
        element,
        'xacro-parameters',
        `params of macro "${name}": ${error.message}; correct them`,
      );
    }
  }

  private callMacro(
    element: XmlElement,
    name: string,
    macro: Macro,
    bodyScope: Scope,
    caller: { readonly scope: Scope; readonly out: XmlNode[]; readonly owner: Map<string, string> },
  ): void {
    const { out, owner } = caller;
    // Arguments of a macro from a namespace see that namespace's properties first.
    const scope = bodyScope === caller.scope ? caller.scope : caller.scope.behind(bodyScope);
    const inner = bodyScope.createInner();
    const given = new Set<string>();
    for (const [attribute, value] of element.attributes) {
      if (attribute.startsWith('xmlns:')) continue;
      if (!macro.parameters.some((parameter) => parameter.name === attribute && parameter.kind === 'value')) {
        const known = macro.parameters.map((parameter) => parameter.name).join(', ') || 'none';
        const message = `macro "${name}" has no parameter "${attribute}"; its parameters are: ${known}`;
        throw new ExpansionError(element, 'xacro-parameters', message);
      }
      given.add(attribute);
      inner.setValue(attribute, this.evaluateAt(value, scope, element));
    }
    const children: XmlNode[] = [];
    reportLostElements(element, this.issues);
    this.expandNodes(element.children, caller.scope, children, new Map());
    this.bindBlocks(element, name, macro, children, inner);
    for (const parameter of macro.parameters) {
      if (parameter.kind !== 'value' || given.has(parameter.name)) continue;
      const forwarded = parameter.forward ? this.guard(element, () => scope.get(parameter.name)) : undefined;
      if (forwarded !== undefined) inner.setValue(parameter.name, forwarded);
      else if (parameter.fallback !== null) {
        inner.setValue(parameter.name, this.evaluateAt(parameter.fallback, scope, element));
      } else {
        const way = parameter.forward ? `, and no property "${parameter.name}" to take it from` : '';
        const message = `macro "${name}" needs parameter "${parameter.name}"${way}; write ${parameter.name}="..."`;
        throw new ExpansionError(element, 'xacro-parameters', message);
      }
    }
    this.frames.push(`in macro "${name}" called at ${placeOf(element)}`);
    this.expandNodes(macro.element.children, inner, out, owner);
    this.frames.pop();
  }

  private bindBlocks(
    element: XmlElement,
    name: string,
    macro: Macro,
    children: readonly XmlNode[],
    inner: Scope,
  ): void {
    const blocks = children.filter((child): child is XmlElement => typeof child !== 'string');
    const wanted = macro.parameters.filter(({ kind }) => kind !== 'value');
    if (blocks.length < wanted.length) {
      const missing = wanted.slice(blocks.length).map((parameter) => `"${parameter.name}"`);
      const message = `macro "${name}" needs block ${missing.join(', ')}; put an element for it inside the call`;
      throw new ExpansionError(element, 'xacro-parameters', message);
    }
    if (blocks.length > wanted.length) {
      const message = `macro "${name}" takes ${wanted.length} blocks, <${blocks[wanted.length].name}> is not used; delete it`;
      throw new ExpansionError(element, 'xacro-parameters', message);
    }
    for (const [i, { name: parameter, kind }] of wanted.entries()) {
      const nodes = kind === 'block' ? [blocks[i]] : blocks[i].children;
      inner.setBlock(parameter, { nodes, expanded: true });
    }
  }

  private insertBlock(
    element: XmlElement,
    name: string,
    scope: Scope,
    out: XmlNode[],
    owner: Map<string, string>,
  ): void {
    const block: Block | undefined = scope.getBlock(name);
    if (!block) {
      throw new ExpansionError(element, 'xacro-block', `there is no block "${name}"; define it or correct the name`);
    }
    if (block.expanded) {
      this.elements += block.nodes.length;
      out.push(...block.nodes);
      return;
    }
    this.frames.push(`in block "${name}" inserted at ${placeOf(element)}`);
    this.expandNodes(block.nodes, scope, out, owner);
    this.frames.pop();
  }

  private include(element: XmlElement, scope: Scope, out: XmlNode[], owner: Map<string, string>): void {
    this.checkAttributes(element, ['filename', 'ns', 'optional']);
    const path = joinToFile(element.file, this.print(this.require(element, 'filename'), scope, element));
    const namespace = element.attributes.get('ns');
    const optional = this.readFlag(element, 'optional', scope, false);
    if (++this.includeDepth > MAX_INCLUDE_DEPTH) {
      const message = `includes are nested deeper than ${MAX_INCLUDE_DEPTH}; does a file include itself?`;
      throw new ExpansionError(element, 'xacro-too-deep', message);
    }
    const read = this.text.readFile(path);
    if (typeof read !== 'string') {
      if (!optional) throw new ExpansionError(element, 'xacro-include', `cannot include "${path}": ${read.reason}`);
    } else {
      const { value: root, issues } = parseXml(read, { file: path });
      this.issues.append(issues);
      if (!root)
        throw new ExpansionError(
          element,
          'xacro-include',
          `cannot include "${path}": it is not usable XML; correct it`,
        );
      for (const [name, value] of root.attributes) {
        if (name.startsWith('xmlns:') && name !== 'xmlns:xacro') this.namespaceAttributes.set(name, value);
      }
      const target = namespace === undefined ? scope : scope.openNamespace(this.print(namespace, scope, element));
      this.frames.push(`included from ${placeOf(element)}`);
      this.expandNodes(root.children, target, out, owner);
      this.frames.pop();
    }
    this.includeDepth--;
  }

  private isLegacyControl(element: XmlElement): boolean {
    if (this.foreign > 0 || !Object.hasOwn(LEGACY_CONTROLS, element.name)) return false;
    const telling = element.attributes.get(LEGACY_CONTROLS[element.name]);
    if (telling === undefined || (element.name === 'include' && !/\$\(|\.(xacro|xml|urdf)\s*$/.test(telling)))
      return false;
    if (this.options.legacy === 'refuse') {
      const message = `<${element.name}> lacks the xacro: prefix; write <xacro:${element.name}> or allow legacy files`;
      throw new ExpansionError(element, 'xacro-legacy', message);
    }
    this.legacySeen = true;
    if (!this.warned.has(element.name)) {
      this.warned.add(element.name);
      const message = `<${element.name}> without the xacro: prefix is expanded as old files mean it; write <xacro:${element.name}>`;
      this.issues.warn('xacro-legacy', element, message);
    }
    return true;
  }

  private unknownMacro(element: XmlElement, name: string, scope: Scope): ExpansionError {
    const close = closestName(name, [...scope.macroNames(), ...CONTROLS]);
    const hint =
      close === undefined ? 'include the file that defines it, before this place' : `did you mean "${close}"?`;
    return new ExpansionError(element, 'xacro-unknown-macro', `there is no macro "${name}"; ${hint}`);
  }

  private checkAttributes(element: XmlElement, known: readonly string[]): void {
    for (const name of element.attributes.keys()) {
      if (known.includes(name) || name.startsWith('xmlns')) continue;
      const message = `<${element.name}> does not know attribute "${name}", ignored; it knows ${known.join(', ')}`;
      this.issues.warn('xacro-unknown-attribute', element, message);
    }
  }

  private require(element: XmlElement, name: string): string {
    const value = element.attributes.get(name);
    if (value !== undefined && value !== '') return value;
    throw new ExpansionError(element, 'missing-attribute', `<${element.name}> lacks ${name}; write ${name}="..."`);
  }

  private readFlag(element: XmlElement, name: string, scope: Scope, absent: boolean): boolean {
    const text = element.attributes.get(name);
    return text === undefined ? absent : this.toBoolean(this.evaluateAt(text, scope, element), element, name);
  }

  private evaluateCondition(element: XmlElement, scope: Scope): boolean {
    return this.toBoolean(this.evaluateAt(this.require(element, 'value'), scope, element), element, 'value');
  }

  private toBoolean(value: Value, element: XmlElement, name: string): boolean {
    const literal = typeof value === 'string' ? readLiteral(value) : value;
    if (typeof literal !== 'string') return isTruthy(literal);
    const message = `${name} is "${literal}", which is neither true nor false; write a condition such as \${x == 1}`;
    throw new ExpansionError(element, 'xacro-condition', message);
  }

  /** Text with all expressions evaluated, printed. */
  private print(text: string, scope: Scope, element: XmlElement): string {
    return text.includes('$') ? printValue(this.evaluateAt(text, scope, element)) : text;
  }

  private evaluateAt(text: string, scope: Scope, element: XmlElement): Value {
    this.text.place = element;
    return this.guard(element, () => this.text.evaluateText(text, scope), text);
  }

  private guard<T>(element: XmlElement, run: () => T, text?: string): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const shown = text === undefined ? '' : `, evaluating "${text.length > 80 ? `${text.slice(0, 77)}...` : text}"`;
      throw new ExpansionError(element, 'xacro-expression', error.message + shown);
    }
  }
}

function placeOf(element: XmlElement): string {
  return element.file === undefined ? `line ${element.line}` : `${element.file}:${element.line}`;
}

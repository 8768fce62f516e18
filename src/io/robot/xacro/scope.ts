/** Where xacro keeps properties and macros: nested tables, looked up from the innermost outwards. */
import type { XmlElement, XmlNode } from '../../xml/xml.js';
import { ExpressionError, readLiteral, type Value, ValueNamespace } from './values.js';

/** Text not evaluated yet, or nodes of a block with the scope's knowledge of whether they are expanded. */
type Entry = { readonly text: string } | { readonly value: Value };

export interface Block {
  readonly nodes: readonly XmlNode[];
  /** Blocks given to a macro are expanded where the macro is called; block properties where they are inserted. */
  readonly expanded: boolean;
}

export interface Macro {
  readonly element: XmlElement;
  readonly parameters: readonly MacroParameter[];
  /** Written without the xacro: prefix, and so may be called without it. */
  readonly legacy: boolean;
}

export interface MacroParameter {
  readonly name: string;
  readonly kind: 'value' | 'block' | 'block-content';
  /** `^`: taken from the property of the same name where the macro is called. */
  readonly forward: boolean;
  readonly fallback: string | null;
}

export type EvaluateText = (text: string, scope: Scope) => Value;

export class Scope {
  private readonly entries = new Map<string, Entry>();
  private readonly blocks = new Map<string, Block>();
  private readonly macros = new Map<string, Macro>();
  private readonly namespaces = new Map<string, Scope>();
  private readonly resolving = new Set<string>();

  constructor(
    readonly parent: Scope | null,
    private readonly evaluateText: EvaluateText,
    private readonly kind: 'plain' | 'namespace' = 'plain',
    /** Looked at before the parent; for reading only. */
    private readonly front: Scope | null = null,
  ) {}

  createInner(): Scope {
    return new Scope(this, this.evaluateText);
  }

  /** This scope with the properties of another one before it. */
  behind(front: Scope): Scope {
    return new Scope(this, this.evaluateText, 'plain', front);
  }

  /** Where scope="parent" puts properties: the scope outside, namespaces skipped when leaving a macro. */
  callerScope(): Scope {
    let target = this.parent ?? this;
    if (this.kind === 'plain') while (target.kind === 'namespace' && target.parent) target = target.parent;
    return target;
  }

  get root(): Scope {
    let scope: Scope = this;
    while (scope.parent) scope = scope.parent;
    return scope;
  }

  /** Defines a property by text: a literal at once, anything else evaluated when it is first needed. */
  setText(name: string, text: string): void {
    const literal = readLiteral(text);
    this.entries.set(name, literal === text && text.includes('$') ? { text } : { value: literal });
  }

  /** Defines a property by a value; text that reads as a number or boolean becomes one. */
  setValue(name: string, value: Value): void {
    this.entries.set(name, { value: typeof value === 'string' ? readLiteral(value) : value });
  }

  setBlock(name: string, block: Block): void {
    this.blocks.set(name, block);
  }

  /** Forgets the property here and in all outer scopes. */
  remove(name: string): void {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      scope.entries.delete(name);
      scope.blocks.delete(name);
    }
  }

  /** Whether this scope or an outer one defines the property. */
  has(name: string): boolean {
    for (let scope: Scope | null = this; scope; scope = scope.parent) if (scope.entries.has(name)) return true;
    return false;
  }

  get(name: string): Value | undefined {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const value = scope.getOwn(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  getOwn(name: string): Value | undefined {
    const entry = this.entries.get(name);
    if (!entry) {
      const inner = this.namespaces.get(name);
      if (!inner) return this.front?.getOwn(name);
      return new ValueNamespace(name, (member) => inner.getOwn(member));
    }
    if ('value' in entry) return entry.value;
    if (this.resolving.has(name)) throw new ExpressionError(`property "${name}" is defined by itself`);
    this.resolving.add(name);
    try {
      this.setValue(name, this.evaluateText(entry.text, this));
    } finally {
      this.resolving.delete(name);
    }
    return this.getOwn(name);
  }

  getBlock(name: string): Block | undefined {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const block = scope.blocks.get(name);
      if (block) return block;
    }
    return undefined;
  }

  /** The scope that an include with `ns` fills. */
  openNamespace(name: string): Scope {
    const known = this.namespaces.get(name);
    if (known) return known;
    const inner = new Scope(this, this.evaluateText, 'namespace');
    this.namespaces.set(name, inner);
    return inner;
  }

  setMacro(name: string, macro: Macro): void {
    this.macros.set(name, macro);
  }

  /** A macro by plain or dotted name, with the scope its body sees. */
  findMacro(name: string): { macro: Macro; scope: Scope } | undefined {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const macro = scope.macros.get(name);
      // A macro outside any namespace sees the caller's properties, wherever it was defined.
      if (macro) return { macro, scope: this };
      const dot = name.indexOf('.');
      const inner = dot > 0 ? scope.namespaces.get(name.slice(0, dot)) : undefined;
      if (inner) return inner.findMacro(name.slice(dot + 1));
    }
    return undefined;
  }

  /** Names of all macros in reach, for messages. */
  macroNames(): string[] {
    const names: string[] = [];
    for (let scope: Scope | null = this; scope; scope = scope.parent) names.push(...scope.macros.keys());
    return names;
  }
}

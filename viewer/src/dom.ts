/** Builds elements: `element('button', { type: 'button', onclick }, 'Plan')`. Properties, not attributes; `aria-*`, `role` and `for` are attributes. */

type Child = Node | string | null | undefined;
type Properties<T> = Partial<Omit<T, 'style' | 'children' | 'dataset'>> &
  Record<`aria-${string}`, string> & { readonly role?: string };

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Properties<HTMLElementTagNameMap[K]>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('aria-') || name === 'role') node.setAttribute(name, String(value));
    else (node as unknown as Record<string, unknown>)[name] = value;
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element the page was written with. */
export function byId<T extends HTMLElement>(id: string): T {
  const node = document.getElementById(id);
  if (!node) throw new Error(`byId: id, got "${id}", expected one that index.html holds`);
  return node as T;
}

/** A control with its label beside it; the control has an id. */
export function field(label: string, control: HTMLElement, className = 'field'): HTMLDivElement {
  return element('div', { className }, element('label', { htmlFor: control.id }, label), control);
}

/** A named, collapsible section of the panel. */
export function section(title: string, open: boolean, ...children: readonly Child[]): HTMLDetailsElement {
  return element(
    'details',
    { className: 'section', open },
    element('summary', {}, element('h2', {}, title)),
    ...children,
  );
}

export function fillSelect(select: HTMLSelectElement, names: readonly string[], chosen?: number): void {
  const before = chosen ?? select.selectedIndex;
  select.replaceChildren(...names.map((name, value) => new Option(name, String(value))));
  select.selectedIndex = Math.min(Math.max(before, 0), names.length - 1);
}

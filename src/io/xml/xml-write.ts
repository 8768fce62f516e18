/** Element trees and attribute values as XML text. */

import type { XmlElement } from './xml.js';
import { requireElement } from './xml.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Text as it stands inside a double-quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\n\r\t]/g, (c) => ESCAPES[c]);
}

/** ` name="value"` for each attribute; undefined values are left out. */
export function writeAttributes(values: Iterable<readonly [string, string | undefined]>): string {
  let text = '';
  for (const [name, value] of values) if (value !== undefined) text += ` ${name}="${escapeXml(value)}"`;
  return text;
}

/** The tree as a document, one element a line; text is kept where it is more than blanks. */
export function writeXml(root: XmlElement): string {
  requireElement('writeXml', root);
  const lines = ['<?xml version="1.0" encoding="utf-8"?>'];
  writeElement(root, '', lines);
  return `${lines.join('\n')}\n`;
}

function writeElement(element: XmlElement, indent: string, lines: string[]): void {
  const start = `${indent}<${element.name}${writeAttributes(element.attributes)}`;
  const children = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  if (children.length === 0) {
    lines.push(`${start}/>`);
  } else if (children.every((child) => typeof child === 'string')) {
    const text = children.join('').replace(/[&<>]/g, (c) => ESCAPES[c]);
    lines.push(`${start}>${text}</${element.name}>`);
  } else {
    lines.push(`${start}>`);
    for (const child of children) {
      if (typeof child === 'string') lines.push(`${indent}  ${child.trim().replace(/[&<>]/g, (c) => ESCAPES[c])}`);
      else writeElement(child, `${indent}  `, lines);
    }
    lines.push(`${indent}</${element.name}>`);
  }
}

/** Python's two ways to put numbers into text: '%03d' % n and '{:.2f}'.format(x). */
import { ExpressionError, isNumeric, printValue, reprValue, toFloat, toInteger, type Value } from './values.js';

const MAX_WIDTH = 200;

/** `template % value`; a list gives one value per placeholder, a dict is reached by %(name)s. */
export function formatPercent(template: string, value: Value): string {
  const values = Array.isArray(value) ? value : [value];
  let next = 0;
  const pattern = /%(?:\((\w+)\))?([-+ 0]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g;
  const text = template.replace(pattern, (_, name, flags: string, width: string, precision, kind: string) => {
    if (kind === '%') return '%';
    let item: Value | undefined;
    if (name !== undefined) item = value instanceof Map ? value.get(name) : undefined;
    else item = values[next++];
    if (item === undefined) throw new ExpressionError('not enough values for the % placeholders');
    return formatItem(item, { flags, width: Number(width), precision: toOptional(precision), kind });
  });
  if (next < values.length && !(value instanceof Map))
    throw new ExpressionError('too many values for the % placeholders');
  return text;
}

/** `template.format(...)` with {}, {0}, {name} and number formats after a colon. */
export function formatBraces(template: string, values: readonly Value[], named: ReadonlyMap<string, Value>): string {
  let next = 0;
  const pattern = /\{\{|\}\}|\{(\w*)(?::([<>]?)([-+ 0]*)(\d*)(?:\.(\d+))?([a-zA-Z%]?))?\}/g;
  return template.replace(pattern, (all, field: string, align: string, flags: string, width, precision, kind) => {
    if (all === '{{') return '{';
    if (all === '}}') return '}';
    let item: Value | undefined;
    if (field === '') item = values[next++];
    else item = /^\d+$/.test(field) ? values[Number(field)] : named.get(field);
    if (item === undefined) throw new ExpressionError(`format has no value for "${all}"`);
    if (flags === undefined) return printValue(item);
    const leftByDefault = !isNumeric(item) && align !== '>';
    return formatItem(item, {
      flags: flags + (align === '<' || leftByDefault ? '-' : ''),
      width: Number(width),
      precision: toOptional(precision),
      kind: kind === '' ? 's' : kind,
    });
  });
}

function toOptional(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

interface Placeholder {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly kind: string;
}

function formatItem(item: Value, { flags, width, precision, kind }: Placeholder): string {
  if (width > MAX_WIDTH || (precision ?? 0) > 100) throw new ExpressionError('format width or precision is too large');
  let text: string;
  switch (kind) {
    case 's':
      text = printValue(item);
      if (precision !== undefined) text = text.slice(0, precision);
      break;
    case 'r':
      text = reprValue(item);
      break;
    case 'd':
    case 'i':
      text = (typeof item === 'number' ? BigInt(Math.trunc(item)) : toInteger(item)).toString();
      break;
    case 'x':
      text = toInteger(item).toString(16);
      break;
    case 'f':
      text = printFixed(toFloat(item), precision ?? 6);
      break;
    case 'e':
      text = toFloat(item)
        .toExponential(precision ?? 6)
        .replace(/e([+-])(\d)$/, 'e$10$2');
      break;
    case 'g':
      text = formatGeneral(toFloat(item), Math.max(1, precision ?? 6));
      break;
    default:
      throw new ExpressionError(`format "${kind}" is not known; use s, d, f, e, g, x or r`);
  }
  const numeric = kind !== 's' && kind !== 'r';
  if (numeric && flags.includes('+') && !text.startsWith('-')) text = `+${text}`;
  if (flags.includes('-')) return text.padEnd(width);
  if (!numeric || !flags.includes('0')) return text.padStart(width);
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

function formatGeneral(value: number, precision: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const exponent = Number(value.toExponential(precision - 1).split('e')[1]);
  if (exponent >= -4 && exponent < precision)
    return String(Number(value.toFixed(Math.min(100, Math.max(0, precision - 1 - exponent)))));
  const [digits, power] = value.toExponential(precision - 1).split('e');
  const size = Math.abs(Number(power)).toString().padStart(2, '0');
  return `${Number(digits)}e${power.startsWith('-') ? '-' : '+'}${size}`;
}

/** Digits after the point, exact halves to the even digit; toFixed() would take them away from zero. */
export function printFixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const exact = value.toFixed(Math.min(100, digits + 60));
  const tail = digits === 0 ? exact.slice(exact.indexOf('.') + 1) : exact.slice(exact.indexOf('.') + 1 + digits);
  if (!/^50*$/.test(tail) || !exact.includes('.')) return text;
  const truncated = exact.slice(0, exact.length - tail.length).replace(/\.$/, '');
  const isEven = Number(truncated.slice(-1)) % 2 === 0;
  // The neighbour away from zero is what toFixed() gives, for negative numbers too.
  return isEven ? truncated : text;
}

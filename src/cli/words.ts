/** Numbers and counts in sentences for people; --json has full precision. */

/** A few significant digits, without an exponent where the number has a usual size, never "-0". */
export function formatNumber(value: number, digits = 6): string {
  if (value === 0) return '0';
  return String(Number(value.toPrecision(digits)));
}

/** A fixed number of decimals, never "-0.000". */
export function formatFixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return /[1-9]/.test(text) ? text : text.replace('-', '');
}

/** `1 object`, `2 objects`, `3 meshes`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

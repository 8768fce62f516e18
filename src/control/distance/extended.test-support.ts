/** Numbers of 160 binary places, for references that doubles are compared with: sums and products exact to the last, sine, cosine, root. */

export type Extended = bigint;

const PLACES = 160n;
export const ONE: Extended = 1n << PLACES;

/** The double exactly, but for what lies below the last place. */
export function toExtended(x: number): Extended {
  if (x === 0) return 0n;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const digits = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const shift = BigInt(Math.max(exponent, 1) - 1075) + PLACES;
  const size = shift >= 0n ? digits << shift : digits >> -shift;
  return x < 0 ? -size : size;
}

/** With 64 binary places behind the point of the quotient's leading digits. */
export function toNumber(x: Extended): number {
  return Number(x) / Number(ONE);
}

export const times = (a: Extended, b: Extended): Extended => (a * b) >> PLACES;
export const over = (a: Extended, b: Extended): Extended => (a << PLACES) / b;
export const magnitude = (a: Extended): Extended => (a < 0n ? -a : a);
export const most = (a: Extended, b: Extended): Extended => (a > b ? a : b);
export const least = (a: Extended, b: Extended): Extended => (a < b ? a : b);

export function root(x: Extended): Extended {
  if (x <= 0n) return 0n;
  const square = x << PLACES;
  let guess = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + square / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Sine and cosine by their series. */
export function sineCosine(x: Extended): [Extended, Extended] {
  const square = times(x, x);
  let [sine, cosine] = [x, ONE];
  let [a, b] = [x, ONE];
  for (let n = 1n; a !== 0n || b !== 0n; n++) {
    b = -times(b, square) / ((2n * n - 1n) * (2n * n));
    a = -times(a, square) / (2n * n * (2n * n + 1n));
    sine += a;
    cosine += b;
    if (n > 200n) break;
  }
  return [sine, cosine];
}

export type Vector = readonly [Extended, Extended, Extended];

export const dot = (a: Vector, b: Vector): Extended => times(a[0], b[0]) + times(a[1], b[1]) + times(a[2], b[2]);
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const along = (a: Vector, d: Vector, t: Extended): Vector => [
  a[0] + times(d[0], t),
  a[1] + times(d[1], t),
  a[2] + times(d[2], t),
];
export const length = (a: Vector): Extended => root(dot(a, a));

/** Numbers as text and back, bit for bit, whatever their sign or size: for checkpoints. Tested by fleet-run.test.ts. */

/** Sixteen hexadecimal digits per number. */
export function floatsToText(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(8));
  let text = '';
  for (let k = 0; k < values.length; k++) {
    view.setFloat64(0, values[k]);
    text += view.getUint32(0).toString(16).padStart(8, '0') + view.getUint32(4).toString(16).padStart(8, '0');
  }
  return text;
}

export function textToFloats(out: Float64Array, text: string): void {
  if (text.length !== 16 * out.length) throw new RangeError(`${text.length} digits, expected ${16 * out.length}`);
  const view = new DataView(new ArrayBuffer(8));
  for (let k = 0; k < out.length; k++) {
    view.setUint32(0, Number.parseInt(text.slice(16 * k, 16 * k + 8), 16));
    view.setUint32(4, Number.parseInt(text.slice(16 * k + 8, 16 * k + 16), 16));
    out[k] = view.getFloat64(0);
  }
}

/**
 * The one error that the library throws: a call that cannot mean anything. Its message reads `name: what, got X, expected Y`.
 * Numerical outcomes are statuses and the content of files gives issues; neither throws.
 */
export class MisuseError extends RangeError {
  override name = 'MisuseError';
}

/**
 * What was left out, changed or guessed between a file and an answer that can depend on it. An answer over something dropped
 * is not complete; all of them stand in its `assumed`.
 */
export interface Assumption {
  readonly kind: 'dropped' | 'altered' | 'guessed';
  /** Name of the element, e.g. `link "elbow"`. */
  readonly element: string;
  readonly message: string;
}

/** What is wrong in a model description; the file readers' issues have the same shape plus file and line. */
export interface ModelIssue {
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable kebab-case identifier, for programs. */
  readonly code: string;
  /** Name of the element, e.g. `joint "elbow"`. */
  readonly element?: string;
  /** What is wrong and what was done about it. */
  readonly message: string;
  /** Set where an answer can depend on it: something was left out, changed or guessed. */
  readonly assumes?: Assumption['kind'];
}

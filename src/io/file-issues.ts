/** Issues of one file, in the order found; a broken file that repeats itself fills neither the list nor the memory. */
import type { Issue, Parsed } from './issue.js';

/** Beyond this a broken file only repeats itself. */
const MAX_ISSUES = 1000;

/** Where an issue is, and what it does to an answer. */
export interface IssuePlace {
  readonly line?: number;
  readonly element?: string;
  readonly assumes?: Issue['assumes'];
}

/** `refuse` ends the reading; of `warn` and `error` the first of one code is kept, and the number of the others. */
export class FileIssues {
  readonly list: Issue[] = [];
  private readonly repeated = new Map<string, number>();
  private hidden = false;

  constructor(readonly file: string | undefined) {}

  /** Adds the error and returns the refusal, so that readers can `return issues.refuse(...)`. */
  refuse<T>(code: string, message: string, where: IssuePlace = {}): Parsed<T> {
    this.add('error', code, message, where);
    return { value: null, issues: this.list };
  }

  /** Adds a warning; from the second of one code on, only their number is kept, for `finish`. */
  warn(code: string, message: string, where: IssuePlace = {}): void {
    this.addOnce('warning', code, message, where);
  }

  /** Adds an error that the reading survives; counted as `warn` counts. */
  error(code: string, message: string, where: IssuePlace = {}): void {
    this.addOnce('error', code, message, where);
  }

  finish<T>(value: T): Parsed<T> {
    for (const [code, count] of this.repeated) {
      if (count > 1) this.add('info', code, `${count - 1} more like the first one`);
    }
    return { value, issues: this.list };
  }

  /** Every issue by itself; fields that are undefined are left out. */
  add(
    severity: Issue['severity'],
    code: string,
    message: string,
    where: IssuePlace & { readonly file?: string } = {},
  ): void {
    const { file = this.file, line, element, assumes } = where;
    this.push({
      severity,
      code,
      message,
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      ...(element !== undefined && { element }),
      ...(assumes !== undefined && { assumes }),
    });
  }

  push(issue: Issue): void {
    if (this.list.length < MAX_ISSUES) {
      this.list.push(issue);
      return;
    }
    // What is left out may have mattered: then so does this.
    const matters = issue.severity === 'error' || issue.assumes === 'dropped';
    if (this.list.length > MAX_ISSUES && (this.hidden || !matters)) return;
    this.hidden = matters;
    this.list[MAX_ISSUES] = {
      severity: matters ? 'error' : 'warning',
      code: 'too-many-issues',
      ...(this.file !== undefined && { file: this.file }),
      message: `more than ${MAX_ISSUES} issues; the rest is left out, correct the first ones and read again`,
      ...(matters && { assumes: 'dropped' as const }),
    };
  }

  private addOnce(severity: Issue['severity'], code: string, message: string, where: IssuePlace): void {
    const seen = this.repeated.get(code) ?? 0;
    this.repeated.set(code, seen + 1);
    if (seen === 0) this.add(severity, code, message, where);
  }
}

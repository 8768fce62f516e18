/** Messages for people: everything but results goes to standard error; progress only on a terminal. */
import type { Ora } from 'ora';
import { formatIssue, type Issue } from '../io/issue.js';

let quiet = false;

export function setQuiet(value: boolean): void {
  quiet = value;
}

export function warn(text: string): void {
  if (!quiet) process.stderr.write(`${text}\n`);
}

/** What has been reported: a file that is read for two robots, or for every problem, is told about once. */
const told = new Set<string>();

/** Errors are told even with --quiet. Infos are kept for `info`. */
export function report(issue: Issue): void {
  const text = formatIssue(issue);
  if (issue.severity === 'info' || told.has(text)) return;
  told.add(text);
  if (issue.severity === 'error') process.stderr.write(`${text}\n`);
  else warn(text);
}

/** A warning that further lines would only repeat. */
export function warnOnce(key: string, text: string): void {
  if (told.has(key)) return;
  told.add(key);
  warn(`warning: ${text}`);
}

/** At the start of a run. */
export function forgetReports(): void {
  told.clear();
  quiet = false;
}

export interface Progress {
  update(text: string): void;
  stop(): void;
}

/** A terminal that says it has no columns would have lines cleared without end. */
const canShowProgress = (): boolean => !quiet && process.stderr.isTTY && process.stderr.columns > 0;
const SILENT: Progress = { update: () => undefined, stop: () => undefined };
/** Milliseconds before anything is shown, and between two lines. */
const PATIENCE = 2000;
const PACE = 100;

/** A line for work that lets nothing else run meanwhile, as a spinner would need; appears after two seconds. */
export function startBlockingProgress(label: string): Progress {
  if (!canShowProgress()) return SILENT;
  const begin = performance.now();
  let last = 0;
  const clear = '\r\u001B[K';
  return {
    update: (text) => {
      const now = performance.now();
      if (now - begin < PATIENCE || now - last < PACE) return;
      last = now;
      process.stderr.write(`${clear}${`${label} ${text}`.slice(0, process.stderr.columns - 1)}`);
    },
    stop: () => {
      if (last > 0) process.stderr.write(clear);
    },
  };
}

/** A spinner that appears once the work has taken two seconds; its library is loaded only then. */
export function startProgress(label: string): Progress {
  if (!canShowProgress()) return SILENT;
  const begin = performance.now();
  let last = begin;
  let spinner: Ora | null = null;
  let stopped = false;
  let loading = false;
  return {
    update: (text) => {
      const now = performance.now();
      if (now - last < PACE) return;
      last = now;
      if (spinner) {
        spinner.text = `${label} ${text}`;
        spinner.render();
      } else if (!loading && now - begin > PATIENCE) {
        loading = true;
        void import('ora').then(({ default: ora }) => {
          if (!stopped) spinner = ora({ text: label, stream: process.stderr }).start();
        });
      }
    },
    stop: () => {
      stopped = true;
      spinner?.stop();
    },
  };
}

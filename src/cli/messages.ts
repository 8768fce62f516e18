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

export interface Progress {
  update(text: string): void;
  stop(): void;
}

/** A spinner that appears once the work has taken two seconds; its library is loaded only then. */
export function startProgress(label: string): Progress {
  // A terminal that says it has no columns would have the spinner clear infinitely many lines.
  const isShown = !quiet && process.stderr.isTTY && process.stderr.columns > 0;
  if (!isShown) return { update: () => undefined, stop: () => undefined };
  const begin = performance.now();
  let last = begin;
  let spinner: Ora | null = null;
  let stopped = false;
  let loading = false;
  return {
    update: (text) => {
      const now = performance.now();
      if (now - last < 100) return;
      last = now;
      if (spinner) {
        spinner.text = `${label} ${text}`;
        spinner.render();
      } else if (!loading && now - begin > 2000) {
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

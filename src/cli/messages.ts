/** Messages for people: everything but results goes to standard error; progress only on a terminal. */
import ora from 'ora';

let quiet = false;

export function setQuiet(value: boolean): void {
  quiet = value;
}

export function warn(text: string): void {
  if (!quiet) process.stderr.write(`${text}\n`);
}

export interface Progress {
  update(text: string): void;
  stop(): void;
}

/** A spinner that appears once the work has taken two seconds. */
export function startProgress(label: string): Progress {
  if (quiet || !process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const spinner = ora({ text: label, stream: process.stderr });
  const begin = performance.now();
  let shown = false;
  let last = begin;
  return {
    update: (text) => {
      const now = performance.now();
      if (now - last < 100) return;
      last = now;
      if (!shown && now - begin > 2000) {
        shown = true;
        spinner.start();
      }
      if (shown) {
        spinner.text = `${label} ${text}`;
        spinner.render();
      }
    },
    stop: () => void spinner.stop(),
  };
}

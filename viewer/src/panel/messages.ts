/** What the readers found wrong in the files: over the view, where what is missing would be; closed where it is only notes. */
import { formatIssue, type Issue } from 'clearance/io';
import { element, section } from '../dom.js';
import { countOf, nameServedFiles } from '../format.js';

const SHOWN_ISSUES = 100;

export interface MessagePanel {
  readonly root: HTMLDetailsElement;
  show(issues: readonly Issue[]): void;
}

export function createMessagePanel(): MessagePanel {
  const summary = element('p', { className: 'message', role: 'status' });
  const list = element('ul', { className: 'issues', tabIndex: 0, 'aria-label': 'Messages about the files' });
  const close = element('button', { type: 'button', className: 'toast-close', 'aria-label': 'Close messages' }, '×');
  const root = section('Files', true, summary, list, close);
  root.classList.add('toast');
  close.addEventListener('click', () => {
    root.hidden = true;
  });
  const heading = root.querySelector('h2')!;
  return {
    root,
    show(issues) {
      const errors = issues.filter(({ severity }) => severity === 'error').length;
      const rest = issues.length - errors;
      const parts = [errors > 0 ? countOf(errors, 'error') : '', rest > 0 ? countOf(rest, 'note') : ''].filter(Boolean);
      heading.textContent = parts.length > 0 ? `Files: ${parts.join(', ')}` : 'Files';
      summary.textContent = parts.join(', ');
      summary.classList.toggle('failed', errors > 0);
      // What is worst first; the order of the files otherwise.
      const worst = ['error', 'warning', 'info'].flatMap((kind) => issues.filter(({ severity }) => severity === kind));
      const rows = worst
        .slice(0, SHOWN_ISSUES)
        .map((issue) =>
          element('li', { className: issue.severity }, nameServedFiles(formatIssue(issue), window.location.origin)),
        );
      if (issues.length > SHOWN_ISSUES) rows.push(element('li', {}, `and ${issues.length - SHOWN_ISSUES} more`));
      list.replaceChildren(...rows);
      root.hidden = issues.length === 0;
      root.open = errors > 0;
    },
  };
}

/** Files that are given to a page: by its button and by a drop anywhere. */
import { byId } from './dom.js';

export function listenForFiles(open: (files: Iterable<File>) => void): void {
  const input = byId<HTMLInputElement>('file-input');
  byId('open-files').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    open(Array.from(input.files ?? []));
    input.value = '';
  });
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    open(Array.from(event.dataTransfer?.files ?? []));
  });
}

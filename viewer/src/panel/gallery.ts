/** The bundled examples as cards with pictures, in a dialog that any of them closes. */
import { element } from '../dom.js';
import type { Example } from '../load/examples.js';

export interface Gallery {
  readonly root: HTMLDialogElement;
  open(): void;
}

export function createGallery(examples: readonly Example[], onChoose: (index: number) => void): Gallery {
  const cards = examples.map(({ id, name, about, picture }, index) => {
    const card = element(
      'button',
      { type: 'button', className: 'card', id: `card-${id}` },
      picture === undefined
        ? null
        : element('img', { src: picture, alt: '', width: 240, height: 150, loading: 'lazy' }),
      element('span', { className: 'card-name' }, name),
      element('span', { className: 'card-about' }, about),
    );
    card.addEventListener('click', () => {
      root.close();
      onChoose(index);
    });
    return card;
  });
  const close = element('button', { type: 'button', onclick: () => root.close() }, 'Close');
  const heading = element('h2', { id: 'gallery-name' }, 'Examples');
  const root = element(
    'dialog',
    { className: 'gallery', id: 'gallery', 'aria-labelledby': heading.id },
    element('div', { className: 'gallery-head' }, heading, close),
    element('div', { className: 'cards' }, ...cards),
    element(
      'p',
      { className: 'message' },
      'Or drop a robot (URDF with its meshes, or a zip), meshes, a protein, a scene or a path.',
    ),
  );
  // A click beside the dialog is one on its backdrop.
  root.addEventListener('click', ({ target }) => {
    if (target === root) root.close();
  });
  return { root, open: () => root.showModal() };
}

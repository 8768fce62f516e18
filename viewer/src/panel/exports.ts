/** What is shown, as files. */
import { element, section } from '../dom.js';

export type ExportKind = 'scene' | 'configuration' | 'picture' | 'gltf';

const KINDS: readonly (readonly [ExportKind, string])[] = [
  ['scene', 'Scene'],
  ['configuration', 'Joint values'],
  ['picture', 'Picture'],
  ['gltf', 'glTF'],
];

export function createExportPanel(onExport: (kind: ExportKind) => void): HTMLDetailsElement {
  return section(
    'Export',
    true,
    element(
      'div',
      { className: 'toolbar' },
      ...KINDS.map(([kind, name]) =>
        element('button', { type: 'button', id: `export-${kind}`, onclick: () => onExport(kind) }, name),
      ),
    ),
  );
}

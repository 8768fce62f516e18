/** What a mesh is like: counts, whether it is closed, faults, sizes. It is looked at beside the page. */
import type { MeshReport, TriangleMesh } from 'clearance/geometry';
import { element, field, fillSelect, section } from '../dom.js';
import { formatLength } from '../format.js';

export interface MeshReportPanel {
  readonly root: HTMLDetailsElement;
  /** By file name. */
  setMeshes(meshes: ReadonlyMap<string, TriangleMesh>): void;
}

export function createMeshReportPanel(look: (mesh: TriangleMesh) => Promise<MeshReport>): MeshReportPanel {
  const choice = element('select', { id: 'report-mesh' });
  const start = element('button', { type: 'button', id: 'report' }, 'Report');
  const facts = element('dl', { className: 'facts', id: 'mesh-facts', hidden: true });
  const message = element('p', { className: 'message', role: 'status', id: 'report-message' });
  const root = section(
    'Meshes',
    true,
    field('Mesh', choice),
    element('div', { className: 'buttons' }, start),
    message,
    facts,
  );
  let meshes: readonly TriangleMesh[] = [];
  /** What is looked at; answers to what was before do not count. */
  let wanted: TriangleMesh | null = null;
  const clear = (): void => {
    wanted = null;
    facts.hidden = true;
    message.textContent = '';
  };
  choice.addEventListener('change', clear);
  start.addEventListener('click', () => {
    const mesh = meshes[choice.selectedIndex];
    if (!mesh) return;
    wanted = mesh;
    message.textContent = 'Looking at it';
    look(mesh).then(
      (report) => {
        if (wanted !== mesh) return;
        message.textContent = '';
        facts.hidden = false;
        facts.replaceChildren(
          ...describeMesh(report).flatMap(([name, value]) => [
            element('dt', {}, name),
            element('dd', { className: 'number' }, value),
          ]),
        );
      },
      (error: Error) => {
        if (wanted === mesh) message.textContent = error.message;
      },
    );
  });
  return {
    root,
    setMeshes(given) {
      clear();
      meshes = [...given.values()];
      fillSelect(choice, [...given.keys()], 0);
      root.hidden = meshes.length === 0;
    },
  };
}

export function describeMesh(report: MeshReport): (readonly [string, string])[] {
  const { bounds, volume } = report;
  const size = bounds && [0, 1, 2].map((k) => formatLength(bounds[k + 3] - bounds[k])).join(' × ');
  return [
    ['Triangles', String(report.triangles)],
    ['Vertices', String(report.distinctVertices)],
    ['Closed', report.watertight ? 'yes' : `no, ${report.boundaryEdges} open edges`],
    ['Turned one way', report.consistentlyOriented ? 'yes' : 'no'],
    ['Pieces', String(report.components)],
    ['Without area', String(report.degenerate)],
    ['Twice there', String(report.duplicate)],
    ['Non-manifold edges', String(report.nonManifoldEdges)],
    ['Area', `${report.area.toPrecision(6)} m²`],
    ['Volume', volume === null ? 'not closed' : `${volume.toPrecision(6)} m³`],
    ['Size', size ?? ''],
  ];
}

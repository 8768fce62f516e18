/** A report of a mesh, made beside the page. */
import type { MeshReport, TriangleMesh } from 'clearance/geometry';
import type { FromPreparation, ToPreparation } from './compute-worker.js';
import { startComputing } from './computing.js';

/** Of a worker of its own. */
export function askReport(mesh: TriangleMesh): Promise<MeshReport> {
  return new Promise((resolve, reject) => {
    const worker = startComputing();
    worker.onmessage = ({ data }: MessageEvent<FromPreparation>) => {
      worker.terminate();
      if (data.type === 'report') resolve(data.report);
      else reject(new Error(data.type === 'failed' ? data.message : 'no report came'));
    };
    worker.onerror = ({ message }) => reject(new Error(message || 'the worker could not start'));
    // Those in the kernel's memory cannot be sent as they are.
    worker.postMessage({
      type: 'report',
      mesh: { vertices: mesh.vertices.slice(), triangles: mesh.triangles.slice() },
    } satisfies ToPreparation);
  });
}

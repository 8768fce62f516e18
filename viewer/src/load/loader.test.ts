import { reportMesh, type TriangleMesh } from 'clearance/geometry';
import { describe, expect, it } from 'vitest';
import type { FromPreparation, ToPreparation } from '../compute-worker.js';
import { createWorkspace, disposeWorkspace } from '../workspace.js';
import { type Content, createEmptyContent } from './content.js';
import type { GivenContent } from './given-files.js';
import type { FromLoader } from './load-worker.js';
import { createLoader, type ShownProgress } from './loader.js';
import { disposeTrees, keepTrees, prepareMesh } from './prepare.js';

/** A closed torus of 2 n^2 triangles. */
function torus(n: number): TriangleMesh {
  const vertices = new Float64Array(3 * n * n);
  const triangles: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const [u, v] = [i, j].map((k) => (2 * Math.PI * k) / n);
      vertices.set([(2 + Math.cos(v)) * Math.cos(u), (2 + Math.cos(v)) * Math.sin(u), Math.sin(v)], 3 * (i * n + j));
      const [a, b, c, d] = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ].map(([p, q]) => (p % n) * n + (q % n));
      triangles.push(a, b, c, a, c, d);
    }
  return { vertices, triangles: Uint32Array.from(triangles) };
}

class FakeWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onerror = null;
  isEnded = false;
  readonly heard: unknown[] = [];
  constructor(private readonly answer: (message: never) => unknown) {}
  postMessage(message: unknown): void {
    this.heard.push(message);
    const data = this.answer(message as never);
    if (data !== undefined) setTimeout(() => this.isEnded || this.onmessage?.({ data }));
  }
  terminate(): void {
    this.isEnded = true;
  }
}

const place = (file: string): Content['objects'][number] => ({
  name: file,
  shape: { type: 'mesh', file },
  pose: [0, 0, 0, 0, 0, 0, 1],
});
const holding = (meshes: Readonly<Record<string, TriangleMesh>>): GivenContent => ({
  ...createEmptyContent('parts'),
  objects: Object.keys(meshes).map(place),
  meshes: new Map(Object.entries(meshes)),
  holds: { robot: false, scene: false, meshes: true, path: false },
  xacroArguments: [],
  meshFiles: [],
  protein: null,
  work: null,
  robotFiles: [],
});

/** A loader whose reader finds `given`; `prepare` answers in the place of the other worker. */
function loaderOf(given: GivenContent, prepare: (message: ToPreparation) => FromPreparation | undefined) {
  const workers: FakeWorker[] = [];
  const start = (answer: (message: never) => unknown) => (): Worker => {
    workers.push(new FakeWorker(answer));
    return workers.at(-1) as unknown as Worker;
  };
  const loader = createLoader(
    start((): FromLoader => ({ type: 'files', given })),
    start(prepare),
  );
  return { loader, workers };
}

const prepareInPlace = (message: ToPreparation): FromPreparation | undefined =>
  message.type === 'mesh' ? { type: 'mesh', tree: prepareMesh(message.mesh) } : undefined;

describe('the loader', () => {
  it('has the trees of all meshes made by the worker, which the page takes as they are', async () => {
    const given = holding({ 'a.stl': torus(60), 'b.stl': torus(50) });
    const { loader, workers } = loaderOf(given, prepareInPlace);
    const told: ShownProgress[] = [];
    const { content } = (await loader.load({ kind: 'files', files: [] }, (progress) => told.push(progress)))!;
    expect(workers.map(({ heard, isEnded }) => [heard.length, isEnded])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(told.map(({ stage, file, done, total }) => `${stage} ${done}/${total} ${file}`)).toEqual([
      'Preparing for queries 1/2 a.stl',
      'Preparing for queries 2/2 b.stl',
    ]);
    const workspace = createWorkspace(content);
    for (const { scene } of workspace.objects) {
      const { collider } = scene.body.parts[0];
      const mesh = content.meshes.get(scene.name)!;
      // Built on the page, it would be another one.
      expect(collider.bvh).toBe(content.prepared.get(mesh)!.bvh);
      expect([collider.isSolid, collider.isOriented]).toEqual([true, true]);
      expect(mesh).toEqual(given.meshes.get(scene.name));
      expect(content.prepared.get(mesh)!.surface).toMatchObject({ watertight: reportMesh(mesh).watertight });
    }
    disposeWorkspace(workspace);
    const next = keepTrees({ ...content, meshes: new Map([...content.meshes].slice(1)) }, content);
    expect(next.prepared.size).toBe(1);
    disposeTrees(content, next);
    expect([...content.prepared.values()].map(({ bvh }) => bvh!.isDisposed)).toEqual([true, false]);
    disposeTrees(next, createEmptyContent(''));
  });

  it('starts no worker for what is small, and shows what the worker cannot prepare', async () => {
    const small = loaderOf(holding({ 'a.stl': torus(5) }), prepareInPlace);
    expect((await small.loader.load({ kind: 'files', files: [] }, () => {}))!.content.prepared.size).toBe(0);
    expect(small.workers).toHaveLength(1);
    const failing = loaderOf(holding({ 'a.stl': torus(80) }), () => ({ type: 'failed', message: 'out of memory' }));
    const { content } = (await failing.loader.load({ kind: 'files', files: [] }, () => {}))!;
    expect([content.prepared.size, content.meshes.size]).toEqual([0, 1]);
  });

  it('ends while a tree is being made', async () => {
    const { loader, workers } = loaderOf(holding({ 'a.stl': torus(80) }), () => undefined);
    const loaded = loader.load({ kind: 'files', files: [] }, ({ stage }) => {
      if (stage) setTimeout(() => loader.cancel());
    });
    expect(await loaded).toBeNull();
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  });
});

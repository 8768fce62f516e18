/** A red outline along the edges of what touches: where it ends is told by more than colour and stripes. */
import { type BufferGeometry, EdgesGeometry, Mesh, MeshStandardMaterial, type Object3D } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { CONTACT } from './materials.js';

/** Degrees between the faces at an edge. */
const SHARP = 35;
/** Finding the edges of more takes too long under a hand; those show by the darker rim. Numbers of positions. */
const MOST = 3 * 3 * 1200;

const material = new LineMaterial({ color: CONTACT, linewidth: 2 });
const kept = new WeakMap<BufferGeometry, LineSegmentsGeometry | null>();

/** On all meshes below `object`. */
export function outlineContact(object: Object3D, isTouching: boolean): void {
  object.traverse((child) => {
    if (!(child instanceof Mesh) || !(child.material instanceof MeshStandardMaterial)) return;
    const drawn = child.userData.outline as LineSegments2 | undefined;
    if (!isTouching) {
      if (drawn) drawn.visible = false;
      return;
    }
    const edges = findEdges(child.geometry);
    if (!edges) return;
    if (drawn?.geometry === edges) {
      drawn.visible = true;
      return;
    }
    drawn?.removeFromParent();
    const lines = new LineSegments2(edges, material);
    lines.raycast = () => {};
    lines.name = 'contact-outline';
    child.userData.outline = lines;
    // Not in the midst of the walk over the children.
    pending.push([child, lines]);
  });
  for (const [parent, lines] of pending.splice(0)) parent.add(lines);
}

const pending: [Object3D, LineSegments2][] = [];

/** Finds the edges of all meshes below `object`, one at a step, which their first contact would else find under the user's hand. */
export function* prepareOutlines(object: Object3D): Generator<void> {
  const meshes: Mesh[] = [];
  object.traverse((child) => {
    if (child instanceof Mesh && child.material instanceof MeshStandardMaterial) meshes.push(child);
  });
  for (const { geometry } of meshes) {
    yield;
    findEdges(geometry);
  }
}

function findEdges(geometry: BufferGeometry): LineSegmentsGeometry | null {
  const before = kept.get(geometry);
  if (before !== undefined) return before;
  const count = geometry.index ? 3 * geometry.index.count : geometry.getAttribute('position').array.length;
  const edges = count <= MOST ? new EdgesGeometry(geometry, SHARP) : null;
  const found =
    edges && edges.getAttribute('position').count > 0 ? new LineSegmentsGeometry().fromEdgesGeometry(edges) : null;
  edges?.dispose();
  kept.set(geometry, found);
  if (found)
    geometry.addEventListener('dispose', () => {
      found.dispose();
      kept.delete(geometry);
    });
  return found;
}

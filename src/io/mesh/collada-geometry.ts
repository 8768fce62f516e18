/**
 * One COLLADA geometry: its positions and the triangles of all its primitives.
 *
 * Read: triangles, polylist, polygons (holes are closed, with a warning), trifans, tristrips, in <mesh> and
 * <convex_mesh>; lines and line strips hold no area and are left out. Only positions count, so normals, texture
 * coordinates and materials may be as broken as they like. What the text holds is believed, what count attributes say
 * is not: a wrong count is a warning. A primitive with fewer indices than it announces, or an index that points
 * nowhere, refuses the file.
 */

import type { FileIssues } from '../file-issues.js';
import { childElements, firstChild, type XmlElement } from '../xml/xml.js';
import { type ColladaLibrary, readIndexList, readNumberList, resolveReference } from './collada-library.js';
import { Int32Buffer } from './mesh-buffers.js';
import { type CutBudget, PolygonCutter, reportCuts } from './mesh-polygon.js';
import { forEachFanTriangle, forEachStripTriangle } from './mesh-strip.js';

export interface GeometryMesh {
  readonly name: string;
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
}

const PRIMITIVES = ['triangles', 'polylist', 'polygons', 'trifans', 'tristrips'];

/** Polygons of one geometry as runs of corners into its positions. */
class PolygonList {
  readonly corners = new Int32Buffer();
  readonly starts = new Int32Buffer();

  /** A polygon of the corners p[start], p[start + stride], ..., shifted by base. */
  add(p: Int32Array, start: number, stride: number, count: number, base: number): void {
    this.starts.push(this.corners.length);
    for (let k = 0; k < count; k++) this.corners.push(base + p[start + k * stride]);
  }

  addTriangle(a: number, b: number, c: number): void {
    this.starts.push(this.corners.length);
    this.corners.push(a);
    this.corners.push(b);
    this.corners.push(c);
  }
}

/** Null when the geometry was refused. */
export function readGeometry(
  geometry: XmlElement,
  library: ColladaLibrary,
  budget: CutBudget,
  issues: FileIssues,
): GeometryMesh | null {
  const name = geometry.attributes.get('name') ?? geometry.attributes.get('id') ?? '';
  const element = `geometry "${name}"`;
  const mesh = firstChild(geometry, 'mesh') ?? firstChild(geometry, 'convex_mesh');
  if (!mesh) {
    if (firstChild(geometry, 'spline')) {
      issues.warn('collada-geometry', 'holds a spline and no mesh: left out', { line: geometry.line, element });
    } else {
      issues.error('collada-geometry', 'holds no mesh that can be read (a boundary representation, say): left out', {
        line: geometry.line,
        element,
        assumes: 'dropped',
      });
    }
    return { name, vertices: new Float64Array(0), triangles: new Uint32Array(0) };
  }
  /** First vertex of each position source among the geometry's vertices. */
  const bases = new Map<XmlElement, { base: number; count: number }>();
  const sources: Float64Array[] = [];
  let vertexCount = 0;
  const polygons = new PolygonList();
  for (const primitive of childElements(mesh)) {
    if (!PRIMITIVES.includes(primitive.name)) continue;
    const layout = readLayout(primitive, library, issues);
    if (layout === 'refused') return null;
    if (!layout) continue;
    let range = bases.get(layout.source);
    if (!range) {
      const positions = readPositions(layout.source, library, issues);
      if (!positions) return null;
      range = { base: vertexCount, count: positions.length / 3 };
      bases.set(layout.source, range);
      sources.push(positions);
      vertexCount += range.count;
    }
    if (!readPrimitive(primitive, layout, range, polygons, issues)) return null;
  }
  const vertices = new Float64Array(3 * vertexCount);
  let at = 0;
  for (const positions of sources) {
    vertices.set(positions, at);
    at += positions.length;
  }
  const { corners, starts } = polygons;
  const triangles = new Uint32Array(3 * (corners.length - 2 * starts.length));
  const cutter = new PolygonCutter(vertices, budget);
  for (let polygon = 0, out = 0; polygon < starts.length; polygon++) {
    const end = polygon + 1 < starts.length ? starts.data[polygon + 1] : corners.length;
    out = cutter.cut(triangles, out, corners.data, starts.data[polygon], end - starts.data[polygon]);
  }
  reportCuts(cutter, issues);
  return { name, vertices, triangles };
}

/** How a primitive's indices are interleaved. */
interface IndexLayout {
  /** Indices per corner. */
  readonly stride: number;
  /** Which of them is the vertex. */
  readonly offset: number;
  /** The <source> of the positions. */
  readonly source: XmlElement;
}

/** Null when the primitive is empty and need not be understood. */
function readLayout(
  primitive: XmlElement,
  library: ColladaLibrary,
  issues: FileIssues,
): IndexLayout | null | 'refused' {
  if (!childElements(primitive).some((child) => child.name === 'p' || child.name === 'ph')) {
    const count = Number(primitive.attributes.get('count') ?? 0);
    if (count > 0) return refuseShort(primitive, 0, count, issues);
    return null;
  }
  let stride = 1;
  let vertexInput: XmlElement | undefined;
  let offset = 0;
  for (const input of childElements(primitive, 'input')) {
    const at = Number(input.attributes.get('offset') ?? 0);
    if (!(Number.isInteger(at) && at >= 0 && at < 1024)) {
      issues.refuse('collada-input', `offset "${input.attributes.get('offset')}" is no small whole number`, input);
      return 'refused';
    }
    stride = Math.max(stride, at + 1);
    if (input.attributes.get('semantic') === 'VERTEX') {
      vertexInput = input;
      offset = at;
    }
  }
  const vertices = resolveReference(library, 'vertices', vertexInput?.attributes.get('source'));
  const position =
    vertices && childElements(vertices, 'input').find((i) => i.attributes.get('semantic') === 'POSITION');
  const source = resolveReference(library, 'source', position?.attributes.get('source'));
  if (!source) {
    issues.refuse('collada-input', `<${primitive.name}> leads to no positions (VERTEX, then POSITION)`, {
      line: primitive.line,
    });
    return 'refused';
  }
  return { stride, offset, source };
}

/** Three numbers per vertex through the source's accessor; null when refused. */
function readPositions(source: XmlElement, library: ColladaLibrary, issues: FileIssues): Float64Array | null {
  const technique = firstChild(source, 'technique_common');
  const accessor = technique && firstChild(technique, 'accessor');
  const array =
    resolveReference(library, 'float_array', accessor?.attributes.get('source')) ?? firstChild(source, 'float_array');
  if (!array) {
    issues.refuse('collada-source', 'positions without <float_array>', { line: source.line });
    return null;
  }
  const numbers = readNumberList(array, issues);
  if (!numbers) return null;
  if (Number(array.attributes.get('count') ?? -1) !== numbers.length) {
    issues.warn(
      'collada-count',
      `<float_array> says count="${array.attributes.get('count') ?? ''}" and holds ${numbers.length} numbers`,
      { line: array.line },
    );
  }
  const parameters = accessor ? childElements(accessor, 'param') : [];
  const stride = wholeAttribute(accessor, 'stride') ?? Math.max(3, parameters.length);
  const start = wholeAttribute(accessor, 'offset') ?? 0;
  if (stride < 3) {
    issues.refuse('collada-source', `positions with stride ${stride}: three numbers each are needed`, {
      line: source.line,
    });
    return null;
  }
  // a parameter without name is stepped over; without any named parameter the first three numbers are x y z
  const named = parameters.map((p, i) => (p.attributes.has('name') ? i : -1)).filter((i) => i >= 0);
  const slots = named.length >= 3 ? named.slice(0, 3) : [0, 1, 2];
  const last = start + Math.max(...slots);
  const available = numbers.length > last ? Math.floor((numbers.length - 1 - last) / stride) + 1 : 0;
  const announced = wholeAttribute(accessor, 'count') ?? available;
  if (announced > available) {
    issues.warn('collada-count', `the accessor says count="${announced}", there are ${available} positions`, {
      line: accessor?.line,
    });
  }
  const count = Math.min(announced, available);
  const positions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) positions[3 * i + k] = numbers[start + i * stride + slots[k]];
  }
  return positions;
}

function wholeAttribute(element: XmlElement | undefined, name: string): number | null {
  const text = element?.attributes.get(name);
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null;
}

/** Adds the polygons of one primitive; false when refused. */
function readPrimitive(
  primitive: XmlElement,
  layout: IndexLayout,
  range: { base: number; count: number },
  polygons: PolygonList,
  issues: FileIssues,
): boolean {
  const lists: XmlElement[] = [];
  for (const child of childElements(primitive)) {
    if (child.name === 'p') lists.push(child);
    else if (child.name === 'ph') {
      const outline = firstChild(child, 'p');
      if (outline) lists.push(outline);
      issues.warn('polygon-hole', 'holes of polygons are closed: triangulate the mesh before export', {
        line: child.line,
        assumes: 'altered',
      });
    }
  }
  const { stride, offset } = layout;
  const before = polygons.starts.length;
  for (const list of lists) {
    const p = readIndexList(list, issues);
    if (!p) return false;
    const corners = Math.floor((p.length - offset - 1) / stride) + 1;
    for (let i = 0; i < corners; i++) {
      const index = p[offset + i * stride];
      if (index >= range.count) {
        issues.refuse('bad-vertex-index', `<p> names vertex ${index}, its source has ${range.count} (from 0 on)`, {
          line: list.line,
        });
        return false;
      }
    }
    if (!addPolygons(primitive, p, layout, corners, range.base, polygons, issues)) return false;
  }
  const announced = wholeAttribute(primitive, 'count');
  if (primitive.name === 'triangles' && announced !== null) {
    const found = polygons.starts.length - before;
    if (found < announced) {
      refuseShort(primitive, found, announced, issues);
      return false;
    }
    if (found > announced) {
      issues.warn('collada-count', `<triangles> says count="${announced}" and holds ${found}`, {
        line: primitive.line,
        assumes: 'guessed',
      });
    }
  }
  return true;
}

function addPolygons(
  primitive: XmlElement,
  p: Int32Array,
  layout: IndexLayout,
  corners: number,
  base: number,
  polygons: PolygonList,
  issues: FileIssues,
): boolean {
  const { stride, offset } = layout;
  switch (primitive.name) {
    case 'triangles':
      for (let i = 0; i + 3 <= corners; i += 3) polygons.add(p, offset + i * stride, stride, 3, base);
      if (corners % 3 !== 0) {
        issues.error('collada-count', `<triangles> has ${corners % 3} corners beyond its last triangle: left out`, {
          line: primitive.line,
          assumes: 'dropped',
        });
      }
      return true;
    case 'polygons':
      if (corners < 3)
        issues.warn('short-face', `a polygon of ${corners} vertices was left out`, {
          line: primitive.line,
          assumes: 'guessed',
        });
      else polygons.add(p, offset, stride, corners, base);
      return true;
    case 'trifans':
    case 'tristrips': {
      const list = Int32Array.from({ length: corners }, (_, i) => base + p[offset + i * stride]);
      const forEach = primitive.name === 'trifans' ? forEachFanTriangle : forEachStripTriangle;
      forEach(list, (a, b, c) => polygons.addTriangle(a, b, c));
      return true;
    }
  }
  const counts = firstChild(primitive, 'vcount');
  const sizes = counts && readIndexList(counts, issues);
  if (!sizes) {
    if (!counts) issues.refuse('collada-vcount', '<polylist> without <vcount>', primitive);
    return false;
  }
  let at = 0;
  for (const size of sizes) {
    if (size > corners - at) {
      refuseShort(
        primitive,
        corners,
        sizes.reduce((sum, n) => sum + n, 0),
        issues,
      );
      return false;
    }
    if (size < 3)
      issues.warn('short-face', `a polygon of ${size} vertices was left out`, {
        line: primitive.line,
        assumes: 'guessed',
      });
    else polygons.add(p, offset + at * stride, stride, size, base);
    at += size;
  }
  if (at < corners) {
    issues.error('collada-count', `<p> holds ${corners - at} corners beyond <vcount>, which are left out`, {
      line: primitive.line,
      assumes: 'dropped',
    });
  }
  return true;
}

function refuseShort(primitive: XmlElement, found: number, announced: number, issues: FileIssues): 'refused' {
  const unit = primitive.name === 'polylist' ? 'corners' : 'triangles';
  issues.refuse(
    'collada-short-primitive',
    `<${primitive.name}> announces ${announced} ${unit} and holds ${found}: the file is damaged, export it again`,
    { line: primitive.line },
  );
  return 'refused';
}

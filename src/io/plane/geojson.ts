/**
 * Polygons of GeoJSON (RFC 7946): `Polygon` and `MultiPolygon`, alone, in features, and in collections of either.
 *
 * Rings lose the last point, which repeats the first; heights are left out. Other geometries, and polygons that are not valid, are dropped
 * and said so. Coordinates are taken as they are: degrees stay degrees. Tested by geojson.test.ts.
 */
import { requireText } from '../../math/arguments.js';
import { isRecord } from '../../math/known-keys.js';
import { isPlaneCoordinate, type PlanePoint, type Polygon, validatePolygon } from '../../plane/polygon.js';
import type { Issue, Parsed } from '../issue.js';

/** Collections within collections beyond this are refused. */
const DEEPEST = 16;

export function parseGeoJson(text: string): Parsed<readonly Polygon[]> {
  requireText('parseGeoJson', 'text', text);
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return {
      value: null,
      issues: [{ severity: 'error', code: 'not-json', message: `not JSON: ${(error as Error).message}` }],
    };
  }
  const polygons: Polygon[] = [];
  const issues: Issue[] = [];
  visit(data, 'the file', 0, polygons, issues);
  const hasFailed = polygons.length === 0 && issues.some((issue) => issue.severity === 'error');
  return { value: hasFailed ? null : polygons, issues };
}

function visit(node: unknown, element: string, depth: number, polygons: Polygon[], issues: Issue[]): void {
  const fail = (code: string, message: string) => issues.push({ severity: 'error', code, element, message });
  if (depth > DEEPEST) {
    fail('too-deep', `collections are nested more than ${DEEPEST} deep`);
    return;
  }
  if (!isRecord(node)) {
    fail('no-geometry', 'got no object with a type, expected a GeoJSON geometry, feature or collection');
    return;
  }
  const each = (list: unknown, name: string) => {
    if (!Array.isArray(list)) fail('no-list', `${name} is missing or no list`);
    else for (const [i, child] of list.entries()) visit(child, `${name}[${i}]`, depth + 1, polygons, issues);
  };
  switch (node.type) {
    case 'FeatureCollection':
      each(node.features, 'features');
      return;
    case 'GeometryCollection':
      each(node.geometries, 'geometries');
      return;
    case 'Feature':
      if (node.geometry !== null) visit(node.geometry, element, depth + 1, polygons, issues);
      return;
    case 'Polygon':
      readPolygon(node.coordinates, element, polygons, issues);
      return;
    case 'MultiPolygon':
      if (!Array.isArray(node.coordinates)) fail('no-list', 'coordinates are missing or no list');
      else
        for (const [i, part] of node.coordinates.entries())
          readPolygon(part, `${element}, polygon ${i}`, polygons, issues);
      return;
    default:
      issues.push({
        severity: 'warning',
        code: 'no-area',
        element,
        message: `a ${typeof node.type === 'string' ? node.type : 'geometry without a type'} is no polygon and was left out`,
        assumes: 'dropped',
      });
  }
}

function readPolygon(coordinates: unknown, element: string, polygons: Polygon[], issues: Issue[]): void {
  const rings = Array.isArray(coordinates) ? coordinates.map(readRing) : [];
  const drop = (code: string, message: string) =>
    issues.push({
      severity: 'error',
      code,
      element,
      message: `${message}: the polygon was left out`,
      assumes: 'dropped',
    });
  if (rings.length === 0 || rings.some((ring) => ring === null)) {
    drop('bad-coordinates', 'a ring is no list of three positions or more, each [x, y] within +-1e15');
    return;
  }
  const [outer, ...holes] = rings as PlanePoint[][];
  const polygon: Polygon = holes.length > 0 ? { outer, holes } : { outer };
  const [fault] = validatePolygon(polygon);
  if (fault === undefined) polygons.push(polygon);
  else drop(fault.fault, fault.message);
}

function readRing(ring: unknown): PlanePoint[] | null {
  if (!Array.isArray(ring)) return null;
  const points: PlanePoint[] = [];
  for (const position of ring) {
    if (!Array.isArray(position) || !isPlaneCoordinate(position[0]) || !isPlaneCoordinate(position[1])) return null;
    points.push([position[0], position[1]]);
  }
  const last = points[points.length - 1];
  if (points.length > 1 && last[0] === points[0][0] && last[1] === points[0][1]) points.pop();
  return points.length < 3 ? null : points;
}

/**
 * Loads what a session description names: `api/session.json` of the command line's server, or a bundled example.
 * Every URL is relative to the page. See README.md for the format.
 */
import type { Issue } from 'clearance/io';
import { createUrlAccess, fetchBytes } from '../files/file-access.js';
import { type Content, createEmptyContent, type PlacedRobot, type StoredConfiguration } from './content.js';
import { meshObjects, withObjects } from './mesh-objects.js';
import { loadRobot } from './robot.js';
import { loadScene } from './scene.js';

export interface Session {
  readonly title: string;
  readonly robot?: {
    readonly urdf: string;
    readonly srdf?: string;
    /** URL by file name as the URDF writes it. */
    readonly meshes?: Readonly<Record<string, string>>;
  };
  readonly scene?: {
    readonly file: string;
    /** URL by file name as the scene writes it, robots and what they name included. */
    readonly meshes?: Readonly<Record<string, string>>;
  };
  /** Shown as objects. */
  readonly meshes?: readonly { readonly name: string; readonly url: string }[];
  /** Where the robot stands first: joint values or the name of an SRDF state. */
  readonly q?: PlacedRobot['q'];
  readonly configurations?: readonly StoredConfiguration[];
  readonly path?: readonly (readonly number[])[];
  /** Direction from the scene to the camera. */
  readonly view?: Content['view'];
}

/** Null when the server has no session: the page then shows a bundled example. */
export async function fetchSession(): Promise<Session | null> {
  const bytes = await fetchBytes(new URL('api/session.json', document.baseURI).href).catch(() => null);
  if (!bytes) return null;
  try {
    const session: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof session === 'object' && session !== null ? (session as Session) : null;
  } catch {
    // Static servers that answer every path with the page itself have no session either.
    return null;
  }
}

export async function loadSession(session: Session): Promise<Content> {
  const issues: Issue[] = [];
  let content = createEmptyContent(session.title);
  if (session.robot) {
    const robot = await loadSessionRobot(session.robot, issues);
    if (robot) content = { ...content, robots: [session.q === undefined ? robot : { ...robot, q: session.q }] };
  }
  if (session.scene) {
    const url = new URL(session.scene.file, document.baseURI).href;
    const text = await fetchText(url, issues);
    const scene = text === null ? null : await loadScene(text, url, createUrlAccess(session.scene.meshes), issues);
    if (scene) content = { ...content, ...scene, title: content.title, robots: [...content.robots, ...scene.robots] };
  }
  if (session.meshes && session.meshes.length > 0) {
    const urls = Object.fromEntries(session.meshes.map(({ name, url }) => [name, url]));
    const added = await meshObjects(Object.keys(urls), createUrlAccess(urls), document.baseURI, issues);
    content = withObjects(content, added);
  }
  return {
    ...content,
    configurations: session.configurations ?? [],
    path: session.path ?? [],
    view: session.view,
    issues,
  };
}

async function loadSessionRobot(robot: NonNullable<Session['robot']>, issues: Issue[]): Promise<PlacedRobot | null> {
  const path = new URL(robot.urdf, document.baseURI).href;
  const urdf = await fetchText(path, issues);
  if (urdf === null) return null;
  const srdf = robot.srdf === undefined ? null : await fetchText(new URL(robot.srdf, document.baseURI).href, issues);
  return loadRobot({ urdf, path, ...(srdf === null ? {} : { srdf }) }, createUrlAccess(robot.meshes), issues);
}

async function fetchText(url: string, issues: Issue[]): Promise<string | null> {
  const bytes = await fetchBytes(url);
  if (bytes) return new TextDecoder().decode(bytes);
  issues.push({ severity: 'error', code: 'file-not-found', file: url, message: 'the server does not have this file' });
  return null;
}

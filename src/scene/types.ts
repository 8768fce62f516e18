/**
 * A scene as its users and its queries see it. One scene is one context of a world (world.ts): the world says which robots,
 * objects, allowed pairs and margins there are, the context where everything stands.
 *
 * Data flows one way: joint values -> frames -> body placements -> boxes -> candidate pairs -> allowed-collision
 * matrix -> narrow phase. `updateScene` brings everything up to the boxes and touches only what moved; every query
 * calls it first, so no query ever sees a stale box.
 */
import type { BroadPhase } from '../broadphase/broad-phase.js';
import type { Shape } from '../geometry/shapes.js';
import type { Transform } from '../math/transform.js';
import type { Data, Model } from '../model/model.js';
import type { SemanticDescription } from '../semantics/description.js';
import type { AllowedCollisions } from './allowed-collisions.js';
import type { Body } from './bodies.js';
import type { Assumption, GeometryDescription, RobotDescription } from './description.js';
import type { ObjectDefinition, RobotDefinition, World } from './world.js';

export interface SceneBody extends Body {
  readonly robot: SceneRobot | null;
  readonly object: SceneObject | null;
}

export interface Attachment {
  readonly robot: SceneRobot;
  /** Frame index of the link. */
  readonly frame: number;
  readonly link: string;
  /** X_LO: object in the link's frame. */
  readonly placement: Transform;
  readonly touchLinks: ReadonlySet<string>;
  /** Kilograms, where it was given. */
  readonly mass?: number;
}

export interface SceneObject {
  readonly name: string;
  readonly shape: Shape;
  readonly body: SceneBody;
  /** Null while the object is free. */
  readonly attachment: Attachment | null;
  /** What was left out, changed or guessed of it; see `sceneAssumptions`. */
  readonly assumed: readonly Assumption[];
  /** @internal */
  readonly definition: ObjectDefinition;
  /** @internal Id in the scene's object tree, -1 while attached. */
  readonly proxy: number;
}

export interface RobotLink {
  readonly name: string;
  readonly frame: number;
  readonly body: SceneBody;
}

export interface SceneRobot {
  readonly name: string;
  readonly model: Model;
  readonly data: Data;
  readonly description: RobotDescription;
  readonly semantic: SemanticDescription | null;
  /** Links with geometry, in the description's order. */
  readonly links: readonly RobotLink[];
  readonly allowed: AllowedCollisions;
  readonly attached: ReadonlySet<SceneObject>;
  /** X_WR */
  readonly placement: Transform;
  /** Current joint values; write through `setConfiguration`. */
  readonly q: Float64Array;
  /** Geometry whose mesh was not loaded, by link. */
  readonly missing: readonly GeometryDescription[];
  /** What was left out, changed or guessed of it; see `sceneAssumptions`. */
  readonly assumed: readonly Assumption[];
  readonly selfCheck: 'auto' | 'chain' | 'pairs';
  /** @internal */
  readonly definition: RobotDefinition;
  /** @internal Start and count of what must have length 1 in q. */
  readonly unitCoordinates: Int32Array;
  /** @internal Placements and boxes are older than q and the placement. */
  stale: boolean;
  /** @internal The block of all its numbers, and where those of its links' bodies begin in it; see place-links.ts. */
  readonly block: Float64Array;
  readonly firstPlace: number;
  /** @internal What goes when the robot or its scene does. */
  readonly owned: { dispose(): void }[];
}

export interface Scene {
  /** Added to every pair: closer than this counts as a contact. Metres; see `setSceneMargin`. */
  readonly margin: number;
  readonly robots: readonly SceneRobot[];
  readonly objects: ReadonlyMap<string, SceneObject>;
  /**
   * Pairs that are never checked, besides each robot's own. Names are taken as `bodyName` gives them or as `robot/link`, and
   * kept in the second form, so that they mean the same bodies after more robots come.
   */
  readonly allowed: AllowedCollisions;
  readonly disposed: boolean;
  /** @internal */
  readonly world: World;
  /** @internal Changes whenever bodies, attachments, allowed pairs or margins do; candidate tables compare it. */
  readonly revision: number;
  /** @internal Changes where `assumed` of an object does without that. */
  readonly notes: number;
  /** @internal Counts the moves of free objects. */
  readonly objectMoves: number;
  /** @internal Free objects. */
  readonly objectTree: BroadPhase;
  /** @internal */
  readonly bodyOfProxy: readonly (SceneBody | undefined)[];
}

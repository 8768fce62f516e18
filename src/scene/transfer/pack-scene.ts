/**
 * A scene as plain data that a worker can be sent: `packScene` here, `unpackScene` there.
 *
 * Mesh hierarchies travel as they are (`serializeBvh`), so that the copy answers with the bits of the original. Bodies keep
 * their ids, and with them the order of results. What joints do is told by name: functions do not travel.
 * Objects enter the copy's tree in the order of the scene: verdicts and sorted results are the original's; only which
 * contact a check that stops at the first one names may differ after objects were moved or removed.
 * Tested by pack-scene.test.ts.
 */

import type { MeshBvh } from '../../bvh/mesh-bvh.js';
import { loadBvh, serializeBvh } from '../../bvh/serialize-bvh.js';
import { operationsOf } from '../../geometry/shapes/index.js';
import type { MeshMode, Shape } from '../../geometry/shapes.js';
import { MisuseError } from '../../math/misuse.js';
import { type PackedModel, packModel, unpackModel } from '../../model/pack-model.js';
import { createCollider } from '../../narrowphase/collider.js';
import { type AllowedPair, createAllowedCollisions } from '../allowed-collisions.js';
import { type BodyPart, createPartShape } from '../bodies.js';
import { requireContext } from '../context.js';
import type { Assumption, RobotDescription } from '../description.js';
import { listUnitCoordinates, setConfiguration } from '../robot.js';
import { createScene } from '../scene.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';
import { acquireCollider, type BodyDefinition, type RobotDefinition, type World } from '../world.js';

type PackedShape =
  | { readonly mesh: ArrayBuffer | SharedArrayBuffer; readonly mode: MeshMode | undefined }
  | { readonly shape: Shape };

interface PackedBody {
  readonly id: number;
  readonly name: string;
  readonly margin: number;
  readonly parts: readonly { readonly shape: number; readonly placement: Float64Array }[];
}

interface PackedRobot extends PackedModel {
  readonly name: string;
  readonly description: Pick<RobotDescription, 'name' | 'model'>;
  readonly links: readonly { readonly name: string; readonly frame: number; readonly body: PackedBody }[];
  readonly allowed: readonly AllowedPair[];
  readonly selfCheck: SceneRobot['selfCheck'];
  readonly assumed: readonly Assumption[];
  readonly placement: Float64Array;
  readonly q: Float64Array;
}

interface PackedObject {
  readonly name: string;
  readonly shape: number;
  readonly body: PackedBody;
  readonly placement: Float64Array;
  readonly assumed: readonly Assumption[];
  readonly attachment: {
    readonly robot: number;
    readonly frame: number;
    readonly link: string;
    readonly placement: Float64Array;
    readonly touchLinks: readonly string[];
    readonly mass?: number;
  } | null;
}

/** Structured clone takes it. Nothing in it may be put into a transfer list where it is shared memory. */
export interface PackedScene {
  readonly version: 1;
  readonly margin: number;
  readonly shapes: readonly PackedShape[];
  readonly robots: readonly PackedRobot[];
  readonly objects: readonly PackedObject[];
  readonly allowed: readonly AllowedPair[];
  readonly pairMargins: readonly (readonly [string, number])[];
  readonly nextBodyId: number;
  /** The world's id and how often it was edited: states of its contexts are the copy's too. */
  readonly world: number;
  readonly revision: number;
}

function share(buffer: ArrayBuffer): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(buffer.byteLength);
  new Uint8Array(shared).set(new Uint8Array(buffer));
  return shared;
}

/** `shared`: meshes in shared memory, so that many receivers get one copy in the message; needs SharedArrayBuffer. */
export function packScene(scene: Scene, shared = false): PackedScene {
  requireOpen(scene, 'packScene');
  updateScene(scene);
  const shapes: PackedShape[] = [];
  const indexOf = new Map<Shape, number>();
  const packShape = (part: BodyPart): number => {
    const { shape, bvh } = part.collider;
    let index = indexOf.get(shape);
    if (index === undefined) {
      if (!operationsOf(shape).isData(shape))
        throw new MisuseError(
          `packScene: shape, got a ${shape.type} with a support function, expected data: functions cannot be sent`,
        );
      index = shapes.length;
      indexOf.set(shape, index);
      if (shape.type === 'mesh') {
        const buffer = serializeBvh(bvh!);
        shapes.push({ mesh: shared ? share(buffer) : buffer, mode: shape.mode });
      } else shapes.push({ shape });
    }
    return index;
  };
  const packBody = ({ id, name, margin, parts }: SceneBody): PackedBody => ({
    id,
    name,
    margin,
    parts: parts.map((part) => ({ shape: packShape(part), placement: Float64Array.from(part.placement) })),
  });
  const packRobot = (robot: SceneRobot): PackedRobot => {
    const { name, model: tree } = robot.description;
    return {
      name: robot.name,
      ...packModel(robot.model),
      description: { name, model: tree },
      links: robot.links.map(({ name: link, frame, body }) => ({ name: link, frame, body: packBody(body) })),
      allowed: robot.allowed.list(),
      selfCheck: robot.selfCheck,
      assumed: robot.assumed,
      placement: Float64Array.from(robot.placement),
      q: Float64Array.from(robot.q),
    };
  };
  return {
    version: 1,
    margin: scene.margin,
    robots: scene.robots.map(packRobot),
    objects: [...scene.objects.values()].map(({ name, body, attachment, assumed }) => ({
      name,
      assumed,
      shape: packShape(body.parts[0]),
      body: packBody(body),
      placement: Float64Array.from(body.worldPlacement),
      attachment: attachment && {
        robot: scene.robots.indexOf(attachment.robot),
        frame: attachment.frame,
        link: attachment.link,
        placement: Float64Array.from(attachment.placement),
        touchLinks: [...attachment.touchLinks],
        ...(attachment.mass === undefined ? {} : { mass: attachment.mass }),
      },
    })),
    shapes,
    allowed: scene.allowed.list(),
    pairMargins: [...scene.world.pairMargins],
    nextBodyId: scene.world.nextBodyId,
    world: scene.world.id,
    revision: scene.world.revision,
  };
}

/** A scene of its own: dispose it like any other. */
export function unpackScene(packed: PackedScene): Scene {
  if (packed.version !== 1)
    throw new MisuseError(`unpackScene: version, got ${packed.version}, expected 1: both sides run the same release`);
  const scene = createScene({ margin: packed.margin });
  const { world } = scene;
  const shapes = packed.shapes.map((entry): Shape => {
    if ('shape' in entry) return entry.shape;
    const bvh = loadBvh(entry.mesh as ArrayBuffer);
    const shape: Shape = { type: 'mesh', mesh: bvh.mesh, mode: entry.mode };
    adoptCollider(world, shape, bvh);
    return shape;
  });
  const unpackBody = ({ name, margin, parts }: PackedBody): BodyDefinition => ({
    name,
    margin,
    parts: parts.map(({ shape: index, placement }) =>
      createPartShape(shapes[index], acquireCollider(world, shapes[index]), placement),
    ),
  });
  for (const entry of packed.robots) {
    world.robots.push(unpackRobot(world, entry, unpackBody));
    world.robotNames.add(entry.name);
    world.slashed ||= entry.name.includes('/');
  }
  for (const { name, shape, body, assumed, placement } of packed.objects)
    world.objects.push({ name, shape: shapes[shape], body: unpackBody(body), bodyId: body.id, assumed, placement });
  for (const pair of packed.allowed) world.allowed.allow(pair);
  for (const [key, margin] of packed.pairMargins) world.pairMargins.set(key, margin);
  world.nextBodyId = packed.nextBodyId;
  world.id = packed.world;
  world.revision = packed.revision;
  const context = requireContext(scene, 'unpackScene');
  packed.robots.forEach(({ q }, i) => {
    setConfiguration(scene.robots[i], q);
  });
  for (const { name, attachment } of packed.objects) {
    if (!attachment) continue;
    const { robot, touchLinks, ...rest } = attachment;
    context.group(scene.objects.get(name)!, {
      ...rest,
      robot: scene.robots[robot],
      touchLinks: new Set(touchLinks),
    });
  }
  updateScene(scene);
  return scene;
}

function unpackRobot(
  world: World,
  entry: PackedRobot,
  unpackBody: (body: PackedBody) => BodyDefinition,
): RobotDefinition {
  const model = unpackModel('unpackScene', entry.name, entry);
  return {
    name: entry.name,
    model,
    description: { ...entry.description, collisions: [], visuals: [] },
    semantic: null,
    links: entry.links.map(({ name, frame, body }) => ({ name, frame, body: unpackBody(body) })),
    firstBodyId: entry.links[0]?.body.id ?? 0,
    allowed: createAllowedCollisions(entry.allowed, { onChange: world.onChange }),
    unitCoordinates: listUnitCoordinates(model),
    missing: [],
    assumed: entry.assumed,
    selfCheck: entry.selfCheck,
    placement: entry.placement,
  };
}

/** A collider on a loaded hierarchy, which goes with it. */
function adoptCollider(world: World, shape: Shape, bvh: MeshBvh): void {
  const collider = createCollider(shape, { bvh });
  const disposeCollider = collider.dispose.bind(collider);
  collider.dispose = () => {
    disposeCollider();
    if (!bvh.isDisposed) bvh.dispose();
  };
  world.colliders.set(shape, { collider, uses: 0 });
}

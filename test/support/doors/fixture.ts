/**
 * Valid arguments for every public function: small models, scenes, meshes, molecules and chains, made when first asked for.
 * What never changes is made once and shared; what a call may change belongs to one fixture.
 */
import * as broadphase from '../../../src/broadphase.js';
import * as bvh from '../../../src/bvh.js';
import * as chain from '../../../src/chain.js';
import * as compile from '../../../src/compile.js';
import * as dynamics from '../../../src/dynamics.js';
import { createSupportCore } from '../../../src/geometry/support-shape.js';
import * as ik from '../../../src/ik.js';
import * as io from '../../../src/io.js';
import * as kinematics from '../../../src/kinematics.js';
import * as math from '../../../src/math.js';
import * as model from '../../../src/model.js';
import * as molecule from '../../../src/molecule.js';
import * as narrowphase from '../../../src/narrowphase.js';
import * as node from '../../../src/node.js';
import * as planning from '../../../src/planning.js';
import * as scene from '../../../src/scene.js';
import * as trajectory from '../../../src/trajectory.js';
import { planarArm } from '../../scene-fixtures.js';
import { compileWholeKernel } from '../kernel-module.js';

const encoder = new TextEncoder();
const urdf = planarArm('arm', 5, 0.5);
const srdf = `<robot name="arm"><group name="all"><chain base_link="link0" tip_link="link4"/></group>
<group_state name="home" group="all"><joint name="joint1" value="0"/></group_state>
<disable_collisions link1="link0" link2="link2" reason="Never"/></robot>`;

const obj = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';

/** A tetrahedron. */
const mesh = {
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
};

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const description = once(() => io.requireValue(io.parseUrdf(urdf)));
const semantic = once(() => io.requireValue(io.parseSrdf(srdf)));
const builtModel = once(() => model.buildModel(description().model).model);
const structure = once(() => molecule.buildPeptide('AGSFA'));
const builtMolecule = once(() => molecule.buildMolecule(structure()));
const protein = once(() => molecule.createProteinChain(builtMolecule()));
const field = once(() => molecule.createForceField(builtMolecule()));
const compiled = once(() => compile.compileModelBytes(builtModel()));
const compiledPair = once(() => compile.compileModelBytes(builtModel(), {}, 2));
const kernelModule = once(compileWholeKernel);
const identity = (): Float64Array => math.createTransform() as Float64Array;

function lazy<T>(holder: object, key: string, make: () => T): T {
  const value = make();
  Object.defineProperty(holder, key, { value });
  return value;
}

export class Fixture {
  readonly urdf = urdf;
  readonly srdf = srdf;
  readonly obj = obj;
  readonly bytes = encoder.encode(obj);
  readonly mesh = mesh;
  /** Joints of `model`: as many coordinates as velocities. */
  readonly q = Float64Array.of(0.1, 0.2, 0.3, 0.4);
  readonly v = Float64Array.of(0.1, 0.1, 0.1, 0.1);
  readonly q2 = Float64Array.of(0.5, 0.4, 0.3, 0.2);
  readonly point = Float64Array.of(0.1, 0.2, 0.3);
  readonly direction = Float64Array.of(0, 0, 1);
  readonly outQ = new Float64Array(4);
  readonly out3 = new Float64Array(3);
  readonly out6 = new Float64Array(6);
  readonly X = identity();
  readonly X2 = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0);
  readonly pose = [0, 0, 0, 0, 0, 0, 1];
  readonly box = { type: 'box', size: [1, 1, 1] } as const;
  readonly times = Float64Array.of(0, 1, 2);

  get waypoints() {
    return [Float64Array.of(0, 0, 0, 0), Float64Array.of(0.1, 0.2, 0.1, 0.1), Float64Array.of(0.3, 0.1, 0.2, 0.3)];
  }
  get description() {
    return description();
  }
  get semantic() {
    return semantic();
  }
  get model() {
    return builtModel();
  }
  get structure() {
    return structure();
  }
  get molecule() {
    return builtMolecule();
  }
  get protein() {
    return protein();
  }
  get field() {
    return field();
  }
  get compiled() {
    return compiled();
  }
  get compiledPair() {
    return compiledPair();
  }
  get kernelModule() {
    return kernelModule();
  }
  get data() {
    const data = model.createData(this.model);
    kinematics.forwardKinematics(this.model, data, this.q);
    return lazy(this, 'data', () => data);
  }
  get motion() {
    return lazy(this, 'motion', () =>
      kinematics.computeMotion(this.model, kinematics.createMotionData(this.model), this.q, this.v, this.v),
    );
  }
  get dynamics() {
    return lazy(this, 'dynamics', () => dynamics.createDynamicsData(this.model));
  }
  get constraints() {
    return lazy(this, 'constraints', () => dynamics.createConstraints(this.model, [{ kind: 'point', frame: 2 }]));
  }
  get bvh() {
    return lazy(this, 'bvh', () => bvh.buildMeshBvh(mesh));
  }
  get bvh2() {
    return lazy(this, 'bvh2', () => bvh.buildMeshBvh(mesh));
  }
  get collider() {
    return lazy(this, 'collider', () => narrowphase.createCollider(this.box));
  }
  get collider2() {
    return lazy(this, 'collider2', () => narrowphase.createCollider({ type: 'sphere', radius: 0.5 }));
  }
  get core() {
    return lazy(this, 'core', () => createSupportCore(this.box));
  }
  get scene() {
    return lazy(this, 'scene', () => scene.createScene());
  }
  get robot() {
    return lazy(this, 'robot', () =>
      scene.addRobot(this.scene, { model: this.model, description: this.description, semantic: this.semantic }),
    );
  }
  get object() {
    return lazy(this, 'object', () =>
      scene.addObject(this.scene, {
        name: 'ball',
        shape: { type: 'sphere', radius: 0.1 },
        placement: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 5),
      }),
    );
  }
  /** `object` on the robot's last link. */
  get attached() {
    return lazy(this, 'attached', () => {
      scene.attachObject(this.scene, this.object, { robot: this.robot, link: 'link4' });
      return this.object;
    });
  }
  get chainDescription() {
    const links = Array.from(
      { length: 6 },
      () => ({ shape: { type: 'sphere', radius: 0.2 }, pose: [0, 0, 0, 0, 0, 0, 1] }) as const,
    );
    const joints = Array.from(
      { length: 5 },
      () => ({ type: 'revolute', origin: [1, 0, 0, 0, 0, 0, 1], axis: [0, 0, 1] }) as const,
    );
    return { links, joints, exclusion: 1 };
  }
  get chain() {
    return lazy(this, 'chain', () => chain.createChain(this.chainDescription as unknown as chain.ChainDescription));
  }
  get chainTree() {
    return lazy(this, 'chainTree', () => chain.createChainTree(this.chain));
  }
  get chainTree2() {
    return lazy(this, 'chainTree2', () => chain.createChainTree(this.chain));
  }
  get linkPairs() {
    return lazy(this, 'linkPairs', () => chain.createLinkPairs());
  }
  get solver() {
    return lazy(this, 'solver', () => ik.createIkSolver(this.model, 4));
  }
  get tracker() {
    return lazy(this, 'tracker', () => ik.createTracker(this.model, { levels: [[this.task]] }));
  }
  get task() {
    return lazy(this, 'task', () => ({ kind: 'pose', frame: 4, target: Array.from(this.X) }) as const);
  }
  get space() {
    return lazy(this, 'space', () => planning.createConfigurationSpace(this.model));
  }
  readonly checker = { isValid: (): boolean => true };
  get path() {
    return lazy(this, 'path', () => this.waypoints);
  }
  get curve() {
    return lazy(this, 'curve', () => trajectory.createCubicTrajectory(this.model, this.waypoints, this.times));
  }
  get spline() {
    return lazy(this, 'spline', () => trajectory.createSplinePath(this.model, this.waypoints));
  }
  get limits() {
    return lazy(this, 'limits', () => trajectory.createLimits(this.model, { acceleration: 2, jerk: 20 }));
  }
  get trajectoryPoint() {
    return lazy(this, 'trajectoryPoint', () => trajectory.createTrajectoryPoint(this.model));
  }
  get timed() {
    return lazy(this, 'timed', () => {
      const { trajectory: found } = trajectory.parameterizeTimeOptimal(this.spline, { limits: this.limits });
      if (!found) throw new Error('fixture: no timing');
      return found;
    });
  }
  get samples() {
    return lazy(this, 'samples', () => trajectory.sampleTrajectory(this.curve, 0.5));
  }
  get table() {
    return lazy(this, 'table', () => trajectory.toTrajectoryTable(this.model, this.samples));
  }
  get conformation() {
    return lazy(this, 'conformation', () => {
      const p = molecule.createProteinChain(this.molecule);
      return molecule.createProteinState(p, chain.createChainTree(p.chain));
    });
  }
  get energy() {
    return lazy(this, 'energy', () => molecule.createEnergyTree(this.conformation, this.field));
  }
  get simulation() {
    return lazy(this, 'simulation', () => molecule.createSimulation(this.setup));
  }
  get setup() {
    return lazy(this, 'setup', () => ({ molecule: this.molecule, temperature: 300, seed: 1 }));
  }
  get simulation2() {
    return lazy(this, 'simulation2', () => molecule.createSimulation(this.setup));
  }
  /** Of the chain of `protein`. */
  get proteinTree() {
    return lazy(this, 'proteinTree', () => chain.createChainTree(this.protein.chain));
  }
  get serialized() {
    return lazy(this, 'serialized', () => bvh.serializeBvh(this.bvh));
  }
  get octree() {
    return { type: 'octree', resolution: 0.5, cells: Int32Array.of(0, 0, 0, 1) } as const;
  }
  get ladder() {
    return lazy(this, 'ladder', () => molecule.createTemperatureLadder([300, 350], 1));
  }
  get tree() {
    return lazy(this, 'tree', () => broadphase.createDynamicTree());
  }
  get monitor() {
    return lazy(this, 'monitor', () => {
      this.robot;
      return scene.createMonitor(this.scene, { distance: 0.1 });
    });
  }
  get context() {
    return lazy(this, 'context', () => node.createUriContext('examples/none.urdf'));
  }
}

/** Values that stand for no argument, or for another one; each is tried in the place of every argument. */
export function wrongValues(x: Fixture): readonly (readonly [string, unknown])[] {
  return [
    ['undefined', undefined],
    ['null', null],
    ['NaN', Number.NaN],
    ['-1', -1],
    ['0', 0],
    ['1.5', 1.5],
    ['1e300', 1e300],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ["''", ''],
    ["'x'", 'x'],
    ["'constructor'", 'constructor'],
    ['{}', {}],
    ['an object without prototype', Object.create(null)],
    ['{ length: 3 }', { length: 3 }],
    ['[]', []],
    ['[NaN]', [Number.NaN]],
    ['[undefined]', [undefined]],
    ['[{}]', [{}]],
    ['[null, null]', [null, null]],
    ["['x']", ['x']],
    ['three texts', ['a', 'b', 'c']],
    ['four numbers one of them NaN', [0, 0, 0, Number.NaN]],
    ['twelve NaN', new Float64Array(12).fill(Number.NaN)],
    ['true', true],
    ['a function', () => 0],
    ['a symbol', Symbol('s')],
    ['a bigint', 3n],
    ['an empty Float64Array', new Float64Array(0)],
    ['a Float64Array of 5', new Float64Array(5)],
    ['a Uint8Array of 2', new Uint8Array(2)],
    ['a DataView', new DataView(new ArrayBuffer(8))],
    ['a Map', new Map<unknown, unknown>([['a', 1]])],
    ['a Set', new Set<unknown>([1])],
    ['a Date', new Date(0)],
    ['a promise', Promise.resolve(1)],
    ['a model', x.model],
    ['a scene', x.scene],
    ['a mesh', mesh],
    ['a collider', x.collider],
  ];
}

/** Handles after their end. */
export function disposedHandles(): readonly (readonly [string, unknown])[] {
  const x = new Fixture();
  const { scene: closed, bvh: tree, collider, chain: links, chainTree } = x;
  const { robot } = x;
  scene.disposeScene(closed);
  tree.dispose();
  collider.dispose();
  chainTree.dispose();
  chain.disposeChain(links);
  return [
    ['a disposed scene', closed],
    ['a robot of a disposed scene', robot],
    ['a disposed hierarchy', tree],
    ['a disposed collider', collider],
    ['a disposed chain', links],
    ['a disposed chain tree', chainTree],
  ];
}

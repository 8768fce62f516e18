/** The drawing: renderer, camera, lights, floor grid. Draws only when something changed. */
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  Mesh,
  type Object3D,
  PerspectiveCamera,
  type Plane,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
  Sphere,
  Spherical,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Covered, fitView } from './fit-view.js';

export interface Stage {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  readonly grid: GridHelper;
  /** Edge of its cells. Metres. */
  gridCell(): number;
  /** Draws in the next animation frame, once however often it is asked. Shadows stay as they are. */
  requestRender(): void;
  /** After new things were added: draws no more until their programs are made, which the browser does beside the page's thread if it can. */
  prepare(): void;
  /** When nothing is being prepared any more. */
  whenReady(): Promise<void>;
  /** As `requestRender`, after something other than the camera moved. */
  requestShadows(): void;
  /** Called after the camera is set and before each drawing, for what is placed over the canvas. */
  onRender(listener: () => void): void;
  /** Moves the camera so that the object fills the view, seen from `direction` (from the object to the camera). */
  frame(object: Object3D, direction?: readonly [number, number, number]): void;
  /** Camera's position and target, six numbers, and back to them. */
  view(): readonly number[];
  look(view: readonly number[]): void;
  /** Turns to a place, from where the camera is, near enough for a thing of that size. */
  flyTo(point: readonly number[], size: number): void;
  /** What is drawn, as a PNG. */
  takePicture(): Promise<Blob>;
  /** Nothing is drawn on the plane's negative side; null: all is. */
  cut(plane: Plane | null): void;
  /** A round length that something new in this picture may have. Metres. */
  chooseSize(): number;
  /** Moves the camera along with something that moves. */
  follow(step: Vector3): void;
}

interface Palette {
  readonly background: number;
  readonly gridLine: number;
  readonly gridAxis: number;
  readonly ambient: number;
}
/** Of the grid, along each side. */
const CELLS = 20;
/** From the front right, where a robot that faces +x shows most. */
const VIEW = [0.62, -0.66, 0.42] as const;
const LIGHT: Palette = { background: 0xf3f4f5, gridLine: 0xd9dcdf, gridAxis: 0xb4b9be, ambient: 0.75 };
const DARK: Palette = { background: 0x16181b, gridLine: 0x2b2f34, gridAxis: 0x474d54, ambient: 0.55 };

/** `drawn`: a canvas whose context has been made already. */
export function createStage(container: HTMLElement, drawn?: HTMLCanvasElement): Stage {
  const renderer = new WebGLRenderer({ antialias: true, canvas: drawn });
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
  renderer.shadowMap.enabled = true;
  const canvas = renderer.domElement;
  container.prepend(canvas);

  const scene = new Scene();
  const camera = new PerspectiveCamera(38, 1, 0.01, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(1.9, -1.9, 1.4);
  const controls = new OrbitControls(camera, canvas);
  controls.target.set(0, 0, 0.4);
  controls.zoomToCursor = true;

  const { ambient, sun } = addLights(scene);
  let grid = createGrid(LIGHT);
  scene.add(grid);
  const ground = createGround();
  scene.add(ground);

  const listeners: (() => void)[] = [];
  let waiting = false;
  let preparations = 0;
  let ready: Promise<void> = Promise.resolve();
  const stage: Stage = {
    scene,
    camera,
    controls,
    canvas,
    get grid() {
      return grid;
    },
    gridCell: () => grid.scale.x / CELLS,
    requestRender() {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        camera.updateMatrixWorld();
        for (const listener of listeners) listener();
        ground.visible = grid.visible;
        if (preparations === 0) renderer.render(scene, camera);
      });
    },
    prepare() {
      preparations++;
      const made = renderer.compileAsync(scene, camera);
      ready = Promise.allSettled([ready, made]).then(() => {
        preparations--;
        stage.requestRender();
      });
    },
    whenReady: () => ready,
    requestShadows() {
      sun.shadow.needsUpdate = true;
      stage.requestRender();
    },
    onRender: (listener) => listeners.push(listener),
    frame(object, direction = VIEW) {
      const corners = cornersOf(object);
      if (corners.length === 0) return;
      const bounds = new Box3().setFromPoints(corners);
      const sphere = bounds.getBoundingSphere(new Sphere());
      const radius = Math.max(sphere.radius, 1e-6);
      const toCamera = new Vector3(...direction).normalize();
      const { target, distance } = fitView(corners, toCamera, camera, measureCovered(container));
      controls.target.copy(target);
      camera.position.copy(target).addScaledVector(toCamera, Math.max(distance, radius / 20));
      camera.near = radius / 200;
      camera.far = 60 * radius;
      camera.updateProjectionMatrix();
      controls.update();
      fitLight(sun, sphere);
      const cell = 10 ** Math.round(Math.log10(radius / 5));
      grid.scale.setScalar(10 * cell);
      grid.position.z = bounds.min.z < -1e-3 * radius ? bounds.min.z : 0;
      ground.scale.setScalar(8 * radius);
      ground.position.set(sphere.center.x, sphere.center.y, grid.position.z - 1e-4 * radius);
      stage.requestShadows();
    },
    view: () => [...camera.position.toArray(), ...controls.target.toArray()],
    look(view) {
      if (view.length !== 6 || !view.every(Number.isFinite)) return;
      camera.position.fromArray(view);
      controls.target.fromArray(view, 3);
      controls.update();
      stage.requestRender();
    },
    flyTo(point, size) {
      const target = new Vector3().fromArray(point);
      const toCamera = camera.position.clone().sub(controls.target).normalize();
      controls.target.copy(target);
      camera.position.copy(target).addScaledVector(toCamera, Math.max(size, 4 * camera.near));
      controls.update();
      stage.requestRender();
    },
    takePicture() {
      for (const listener of listeners) listener();
      // Drawn anew, as what was drawn before is gone once it was shown.
      renderer.render(scene, camera);
      return new Promise((resolve, reject) => {
        canvas.toBlob(
          (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))),
          'image/png',
        );
      });
    },
    cut(plane) {
      renderer.clippingPlanes = plane ? [plane] : [];
      stage.requestShadows();
    },
    chooseSize() {
      const distance = camera.position.distanceTo(controls.target);
      const size = distance / 12;
      const unit = 10 ** Math.floor(Math.log10(size));
      return unit * (size / unit < 2 ? 1 : size / unit < 5 ? 2 : 5);
    },
    follow(step) {
      controls.target.add(step);
      camera.position.add(step);
      stage.requestRender();
    },
  };

  controls.addEventListener('change', () => stage.requestRender());
  addKeys(stage);

  followTheme((palette) => {
    scene.background = new Color(palette.background);
    ambient.intensity = palette.ambient;
    const next = createGrid(palette);
    next.scale.copy(grid.scale);
    next.position.copy(grid.position);
    next.visible = grid.visible;
    grid.dispose();
    scene.remove(grid);
    grid = next;
    scene.add(grid);
    stage.requestRender();
  });
  followSize(container, (width, height) => {
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    stage.requestRender();
  });
  return stage;
}

/** By the verdict above and what lies along the bottom; never more than half of the view. */
function measureCovered(container: HTMLElement): Covered {
  const height = Math.max(container.clientHeight, 1);
  const foot = container.querySelector<HTMLElement>('.stage-foot');
  const tops = Array.from(container.querySelectorAll<HTMLElement>('.chip, .stage-tools'), (over) =>
    over.offsetHeight === 0 ? 0 : over.offsetTop + over.querySelector('summary, button, .verdict')!.clientHeight,
  );
  const [top, bottom] = [Math.max(0, ...tops), foot?.offsetHeight ?? 0];
  const scale = Math.min(1, (0.5 * height) / Math.max(top + bottom, 1)) / height;
  return { top: top * scale, bottom: bottom * scale };
}

function addLights(scene: Scene): { readonly ambient: AmbientLight; readonly sun: DirectionalLight } {
  const ambient = new AmbientLight(0xffffff, LIGHT.ambient);
  const sky = new HemisphereLight(0xffffff, 0x8d9399, 1.1);
  sky.position.set(0, 0, 1);
  const sun = new DirectionalLight(0xffffff, 1.9);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.autoUpdate = false;
  sun.shadow.normalBias = 0.01;
  scene.add(ambient, sky, sun, sun.target);
  return { ambient, sun };
}

/** Now, and whenever the system turns light or dark. */
function followTheme(apply: (palette: Palette) => void): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const tell = (): void => apply(dark.matches ? DARK : LIGHT);
  dark.addEventListener('change', tell);
  tell();
}

/** Now, and whenever the container has another size; not while it has none. */
function followSize(container: HTMLElement, apply: (width: number, height: number) => void): void {
  const tell = (): void => {
    const { clientWidth: width, clientHeight: height } = container;
    if (width > 0 && height > 0) apply(width, height);
  };
  new ResizeObserver(tell).observe(container);
  tell();
}

/** Takes the shadows of what stands on or over the grid, and shows nothing else. */
function createGround(): Mesh {
  const material = new ShadowMaterial({ opacity: 0.2, depthWrite: false });
  // Behind furniture that lies in its plane.
  Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  const ground = new Mesh(new PlaneGeometry(1, 1), material);
  ground.name = 'ground';
  ground.receiveShadow = true;
  return ground;
}

function createGrid(palette: Palette): GridHelper {
  const grid = new GridHelper(1, CELLS, palette.gridAxis, palette.gridLine);
  grid.rotation.x = Math.PI / 2;
  return grid;
}

/**
 * Corners of the boxes of what has a finite size: the squares that stand for half-spaces do not count, nor lines unless
 * they say so. Of instances, which lie elsewhere than their one geometry, the box that is said of them.
 */
function cornersOf(object: Object3D): Vector3[] {
  const corners: Vector3[] = [];
  const box = new Box3();
  object.updateWorldMatrix(true, true);
  object.traverseVisible((child) => {
    const told = child.userData.bounds as Box3 | undefined;
    if (!told && !(child.userData.bounded || ('isMesh' in child && !child.userData.unbounded))) return;
    const { geometry } = child as Mesh;
    if (!told && !geometry) return;
    if (!told && !geometry.boundingBox) geometry.computeBoundingBox();
    const bounds = told ?? geometry.boundingBox;
    if (!bounds || bounds.isEmpty()) return;
    box.copy(bounds);
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(
        k & 1 ? box.max.x : box.min.x,
        k & 2 ? box.max.y : box.min.y,
        k & 4 ? box.max.z : box.min.z,
      );
      corners.push(corner.applyMatrix4(child.matrixWorld));
    }
  });
  return corners;
}

function fitLight(sun: DirectionalLight, sphere: Sphere): void {
  const { center, radius } = sphere;
  sun.target.position.copy(center);
  sun.position.copy(center).addScaledVector(new Vector3(0.35, -0.5, 1).normalize(), 4 * radius);
  const shadow = sun.shadow.camera;
  shadow.left = shadow.bottom = -1.6 * radius;
  shadow.right = shadow.top = 1.6 * radius;
  shadow.near = 0.5 * radius;
  shadow.far = 8 * radius;
  shadow.updateProjectionMatrix();
  sun.shadow.normalBias = 0.004 * radius;
}

const TURN = Math.PI / 24;

/** Arrow keys turn, plus and minus zoom. */
function addKeys({ canvas, camera, controls, requestRender }: Stage): void {
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', '3D view: arrow keys turn it, plus and minus zoom');
  canvas.addEventListener('keydown', (event) => {
    const offset = camera.position.clone().sub(controls.target);
    // Spherical counts from +y; turn z up into it and back.
    const spherical = new Spherical().setFromVector3(new Vector3(offset.x, offset.z, -offset.y));
    if (event.key === 'ArrowLeft') spherical.theta -= TURN;
    else if (event.key === 'ArrowRight') spherical.theta += TURN;
    else if (event.key === 'ArrowUp') spherical.phi -= TURN;
    else if (event.key === 'ArrowDown') spherical.phi += TURN;
    else if (event.key === '+' || event.key === '=') spherical.radius /= 1.15;
    else if (event.key === '-') spherical.radius *= 1.15;
    else return;
    event.preventDefault();
    spherical.makeSafe();
    const turned = new Vector3().setFromSpherical(spherical);
    camera.position.set(turned.x, -turned.z, turned.y).add(controls.target);
    controls.update();
    requestRender();
  });
}

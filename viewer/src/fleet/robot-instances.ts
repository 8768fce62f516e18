/**
 * Meshes of which there is one per robot, placed and coloured by the shader from the numbers of a frame (messages.ts: x, y, speed, state), which go to
 * the graphics card as they came from the worker: no loop over robots in the page, and 16 bytes per robot and frame instead of 140.
 */
import {
  type BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshLambertMaterial,
} from 'three';
import { CARRIES, FRAME_STRIDE, STOPPED, TOUCHES, WAITS } from './messages.js';

export type Colouring = 'speed' | 'task' | 'contact';
const COLOURINGS: readonly Colouring[] = ['speed', 'task', 'contact'];

export interface RobotInstances {
  /** `load`: drawn where the robot carries something. */
  add(shape: BufferGeometry, kind: 'body' | 'load'): Mesh;
  setFrame(data: Float32Array, colouring: Colouring): void;
  dispose(): void;
}

const vector = (hex: number): string => {
  const { r, g, b } = new Color(hex);
  return `vec3(${r.toFixed(5)}, ${g.toFixed(5)}, ${b.toFixed(5)})`;
};
const has = (bit: number): string => `mod(floor(robot.w / ${bit.toFixed(1)}), 2.0) > 0.5`;

const TINT = `
  vec3 rest = ${vector(0x8b949e)};
  if (colouring == 0) tint = mix(rest, ${vector(0x1463c8)}, clamp(robot.z / maxSpeed, 0.0, 1.0));
  else if (colouring == 1) tint = ${has(CARRIES)} ? ${vector(0xd07a00)} : ${vector(0x1d7a4c)};
  else tint = ${has(TOUCHES)} ? ${vector(0xc0281a)} : ${has(STOPPED)} || ${has(WAITS)} ? ${vector(0x8f5a00)} : rest;
`;

export function createRobotInstances(robots: number, maxSpeed: number): RobotInstances {
  const frame = new InstancedBufferAttribute(new Float32Array(FRAME_STRIDE * Math.max(1, robots)), FRAME_STRIDE);
  frame.setUsage(DynamicDrawUsage);
  const uniforms = { colouring: { value: 0 }, maxSpeed: { value: maxSpeed } };
  const meshes: Mesh[] = [];
  return {
    add(shape, kind) {
      const geometry = new InstancedBufferGeometry();
      geometry.setIndex(shape.index);
      for (const name of ['position', 'normal']) geometry.setAttribute(name, shape.getAttribute(name));
      geometry.setAttribute('robot', frame);
      geometry.instanceCount = robots;
      const material = new MeshLambertMaterial({ color: kind === 'load' ? 0xe9c46a : 0xffffff });
      material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader =
          `attribute vec4 robot;\nuniform int colouring;\nuniform float maxSpeed;\nvarying vec3 tint;\n${shader.vertexShader}`.replace(
            '#include <begin_vertex>',
            `#include <begin_vertex>
          ${kind === 'load' ? `if (!(${has(CARRIES)})) transformed = vec3(0.0);\n  tint = vec3(1.0);` : TINT}
          transformed += vec3(robot.x, -robot.y, 0.0);`,
          );
        shader.fragmentShader = `varying vec3 tint;\n${shader.fragmentShader}`.replace(
          '#include <color_fragment>',
          '#include <color_fragment>\n  diffuseColor.rgb *= tint;',
        );
      };
      material.customProgramCacheKey = () => `robots ${kind}`;
      const mesh = new Mesh(geometry, material);
      // Instances are all over the floor: bounds of one say nothing.
      mesh.frustumCulled = false;
      meshes.push(mesh);
      return mesh;
    },
    setFrame(data, colouring) {
      frame.array = data;
      frame.needsUpdate = true;
      uniforms.colouring.value = COLOURINGS.indexOf(colouring);
    },
    dispose() {
      for (const mesh of meshes) {
        mesh.geometry.dispose();
        (mesh.material as MeshLambertMaterial).dispose();
      }
    },
  };
}

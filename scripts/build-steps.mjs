/** The parts of the build, in order: kernel (WebAssembly), library (ESM, CommonJS, types), viewer (web page). */
import { fileURLToPath } from 'node:url';
import { compressPage } from './compress-page.mjs';
import { run, runNpm } from './toolchain.mjs';

const kernelInputs = [
  'assembly',
  'scripts/build-kernel.mjs',
  'scripts/pack-module.mjs',
  'src/kernel/layout.ts',
  'src/kernel/contact-layout.ts',
  'src/planning/kernel/layout.ts',
  'src/math/sine-polynomials.ts',
  'package-lock.json',
];
const libraryInputs = [
  ...kernelInputs,
  'src',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'scripts/build-library.mjs',
  'scripts/bundle-dependencies.mjs',
];

export const kernelStep = {
  name: 'kernel',
  inputs: kernelInputs,
  outputs: [
    'src/kernel/generated/convex-part.ts',
    'src/kernel/generated/kernel.wasm',
    'src/kernel/generated/kernel-first.wasm',
    'src/kernel/generated/planner-module.ts',
    'src/kernel/generated/spheres-module.ts',
  ],
  build: () => run(process.execPath, ['scripts/build-kernel.mjs']),
};

export const libraryStep = {
  name: 'library',
  inputs: libraryInputs,
  outputs: ['dist/esm/index.js', 'dist/esm/index.d.ts', 'dist/cjs/index.js', 'dist/cjs/index.d.ts', 'dist/kernel.wasm'],
  build: () => run(process.execPath, ['scripts/build-library.mjs']),
};

export const viewerStep = {
  name: 'viewer',
  inputs: [...libraryInputs, 'viewer', 'examples', 'scripts/compress-page.mjs'],
  outputs: ['viewer/dist/index.html'],
  build: () => {
    const status = runNpm(['run', 'build', '--workspace', 'viewer']);
    if (status === 0) compressPage(fileURLToPath(new URL('../viewer/dist', import.meta.url)));
    return status;
  },
};

export const steps = [kernelStep, libraryStep, viewerStep];

// All parts in one module: the package's kernel.wasm, and the module with assertions.
export * from './parts/mesh-build';
export * from './parts/mesh-pairs';
export * from './parts/mesh-rays';
export * from './parts/mesh-points';
export * from './parts/convex';
export * from './parts/chain';
export * from './parts/energy';
export * from './parts/box-pairs';
export * from './parts/box-rays';
export * from './parts/dynamics';
export * from './parts/contacts';
export * from './parts/robot-contacts';

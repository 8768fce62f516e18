// What a page needs before it can be used, in one module: the later parts place what they keep behind it.
export * from './parts/mesh-build';
export * from './parts/mesh-pairs';
export * from './parts/mesh-rays';
export * from './parts/convex';
export * from './parts/box-rays';
export * from './parts/box-pairs';

// The generic kernel of sphere checks: a robot, its spheres, pairs and obstacles are data (src/compile/sphere-checks/table-layout.ts) in the
// memory of an instance. Needs no compilation, and has the verdicts of the compiled module, bit for bit: the same operations on the same
// numbers. Tested by test/contract/sphere-tiers.test.ts.
export { certify, four, motion, samples, state } from './motion';
export { open } from './robot';

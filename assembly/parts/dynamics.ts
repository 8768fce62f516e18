// Pairs and products of the derivatives of dynamics.
export { addDerivativePairs, multiplyByInverse } from '../dynamics/derivatives';
export { staticEnd } from '../static-end';

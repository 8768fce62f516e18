// Recursions of dynamics; pairs and products of their derivatives.
export { runAba } from '../dynamics/aba';
export { runCrba } from '../dynamics/crba';
export { runAbaDerivatives, runRneaDerivatives } from '../dynamics/derivative-runs';
export { addDerivativePairs, multiplyByInverse } from '../dynamics/derivatives';
export { runRnea } from '../dynamics/rnea';
export { staticEnd } from '../static-end';

// Trees over chains of links.
export { resumeChain, searchChain } from '../chain/chain';
export { fitChain, keepJoint, revertChain, updateChain } from '../chain/chain-update';
export { staticEnd } from '../static-end';

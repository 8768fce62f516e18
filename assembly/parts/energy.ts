// Energies of proteins: by partial sums, and by a grid.
export { undoEnergy, updateEnergy } from '../energy/energy';
export { addToGrid, askGrid, sortGrid } from '../energy/energy-grid';
export { staticEnd } from '../static-end';

// Contacts of one robot in its velocities.
export { prepareRobot, solveRobot } from '../contacts/robot-sweeps';
export { staticEnd } from '../static-end';

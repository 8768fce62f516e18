// Robots that are stepped: their mass matrices, and contacts in their velocities.
export { factorizeRobot } from '../contacts/robot-factors';
export { writeRobotRows } from '../contacts/robot-rows';
export { solveRobot } from '../contacts/robot-sweeps';
export { staticEnd } from '../static-end';

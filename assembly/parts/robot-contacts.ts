// Contacts of one robot in its velocities.
export { writeRobotRows } from '../contacts/robot-rows';
export { solveRobot } from '../contacts/robot-sweeps';
export { staticEnd } from '../static-end';

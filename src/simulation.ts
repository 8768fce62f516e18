export type { PrincipalInertia } from './simulation/body-inertia.js';
export type { ContactProblem } from './simulation/contact-problem.js';
export { contactResidual } from './simulation/contact-problem.js';
export type { ContactSet } from './simulation/contact-set.js';
export type {
  BodyInertia,
  BodyOptions,
  ContactModel,
  ContactSolver,
  HoldOptions,
  JoinFrames,
  JoinOptions,
  LinkShape,
  Material,
  PairOptions,
  PlacedShape,
  RelaxedOptions,
  RobotOptions,
  ServoOptions,
  SpringOptions,
  StaticOptions,
  StepOptions,
  WorldOptions,
} from './simulation/definition.js';
export type { StateDescription } from './simulation/describe-state.js';
export { describeState, listFrames } from './simulation/describe-state.js';
export type { EnergyReport } from './simulation/energy.js';
export { computeEnergy, computeMomentum } from './simulation/energy.js';
export type { WorldFromDescription, WorldParts, WorldRobotFiles } from './simulation/from-description.js';
export { toWorldOptions } from './simulation/from-description.js';
export type { InverseContactProblem, InverseContactResult } from './simulation/inverse-contacts.js';
export { computeContactForces } from './simulation/inverse-contacts.js';
export type { JointControlOptions, JointTarget } from './simulation/joint-controllers.js';
export { createJointController } from './simulation/joint-controllers.js';
export { readJointWrench } from './simulation/joint-wrench.js';
export { readLinkAccelerometer } from './simulation/link-accelerometer.js';
export type { PairMaterial } from './simulation/material.js';
export type { RobotState } from './simulation/robot-state.js';
export type { PairForce } from './simulation/sensors.js';
export { castRayFan, listContactForces, readAccelerometer, readContactWrench } from './simulation/sensors.js';
export type { Controller, Simulation } from './simulation/simulation.js';
export {
  bodyPose,
  carrierPlacement,
  createSimulation,
  findBody,
  findRobot,
  refreshPlacements,
  setBodyPose,
  setBodyVelocity,
} from './simulation/simulation.js';
export { forkSimulation, restoreSnapshot, takeSnapshot } from './simulation/snapshot.js';
export type { ProximalOptions } from './simulation/solve-contacts.js';
export { solveContacts } from './simulation/solve-contacts.js';
export type { ProximalResult } from './simulation/solve-proximal.js';
export { stepSimulation } from './simulation/step.js';
export type { ResolvedStep } from './simulation/step-options.js';
export type { StepReport } from './simulation/step-report.js';
export type { TaskControlOptions } from './simulation/task-controllers.js';
export { createTaskController } from './simulation/task-controllers.js';
export type { Carrier, Geometry, World, WorldBody, WorldRobot } from './simulation/world.js';
export { createWorld } from './simulation/world.js';

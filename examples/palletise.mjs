// Parts from a feeder to a pallet: point-to-point moves and lines, blended, at the speeds of the tool, proven free of the table.
import { addObject, addRobot, buildModel, createScene, requireValue } from 'clearance';
import { planMotion } from 'clearance/control';
import { loadRobot } from 'clearance/node';
import { createLimits, validateTrajectory } from 'clearance/trajectory';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, { name: 'table', shape: { type: 'box', size: [0.6, 1.2, 0.1] }, pose: [0.5, 0, 0.05, 0, 0, 0, 1] });

// A pallet of two by two places, above which the tool points down.
const places = [0, 1, 2, 3].map((k) => ({
  at: 'place',
  in: 'pallet',
  shift: [0.1 * (k % 2), 0.1 * Math.floor(k / 2), 0],
}));
const above = (target) => ({ ...target, toolShift: [0, 0, -0.12] });
const bring = (target, k) => [
  { move: 'ptp', name: `part ${k}`, to: above({ at: 'feeder' }) },
  { move: 'lin', to: 'feeder', speed: 0.2, radius: 0 },
  { move: 'wait', seconds: 0.2 },
  { move: 'lin', to: above({ at: 'feeder' }) },
  { move: 'ptp', to: above(target) },
  { move: 'lin', name: `place ${k}`, to: target, speed: 0.2, radius: 0 },
  { move: 'wait', seconds: 0.2 },
  { move: 'lin', to: above(target) },
];
const program = {
  format: 'clearance.motion/1',
  tool: { frame: 'tool' },
  frames: { pallet: [0.42, 0.22, 0.16, 0, 0, 0, 1] },
  points: { feeder: [0.45, -0.3, 0.2, 0, 1, 0, 0], place: { pose: [0, 0, 0, 0, 1, 0, 0], in: 'pallet' } },
  start: { joint_4: -1.8, joint_6: 1.341593, finger_left_slide: 0.02 },
  defaults: { speed: 0.6, acceleration: 3, radius: 0.05 },
  moves: places.flatMap(bring),
};

const limits = createLimits(model, { acceleration: 6 });
const { status, checked, duration, clearance, moves, trajectory } = planMotion(model, program, {
  limits,
  around: { scene, robot },
});
console.log(`${status}, ${checked}: ${duration.toFixed(2)} s, never nearer than ${(1000 * clearance).toFixed(1)} mm`);
for (const { name, end, fastest } of moves)
  if (name.startsWith('place'))
    console.log(`${name} reached after ${end.toFixed(2)} s, at ${fastest.toFixed(2)} m/s at most`);
const blended = moves.filter((move) => move.blended > 0).length;
const { usage } = validateTrajectory(trajectory, { limits });
console.log(
  `${blended} of ${moves.length} moves go over into the next; accelerations up to ${(100 * usage.acceleration).toFixed(1)} %`,
);

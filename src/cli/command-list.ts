/**
 * What the help of the whole program says of each command, so that it need not load them all. The commands say it themselves, too;
 * test/cli/start.test.ts compares the two.
 */
export interface CommandLine {
  readonly name: string;
  /** What follows the name. */
  readonly words: string;
  readonly about: string;
}

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'acm',
    words: '[options] <robot>',
    about: 'allowed pairs by sampling: adjacent, default, always (95 % of samples or more), never',
  },
  {
    name: 'bench',
    words: '[options] [suite]',
    about: 'run the bench suites against installable peers (needs a source checkout)',
  },
  {
    name: 'cast',
    words: '[options] [A] [B]',
    about:
      'continuous collision: first contact of two shapes that move (straight translation, slerp), or of a robot that goes straight in joint space, with the scene and itself; t in [0, 1]',
  },
  { name: 'chain', words: '', about: 'long chains and proteins: what a file holds, clashes, close pairs' },
  {
    name: 'check',
    words: '[options] <file>',
    about: 'what touches: a robot at given joint states, alone or in a scene; or an assembly (SCENE.json)',
  },
  {
    name: 'coordinate',
    words: '[options] <scene>',
    about: 'who waits where: robots on given paths, none touching another at any time',
  },
  {
    name: 'decompose',
    words: '[options] <mesh>',
    about: 'a watertight mesh as few convex parts that hold it, none more concave than a length',
  },
  { name: 'demo', words: '[options]', about: 'check, measure, plan and draw the bundled arm' },
  {
    name: 'disassemble',
    words: '[options]',
    about: 'how a part comes out of others, proven free at every time of its path, and the volume that it sweeps',
  },
  {
    name: 'distance',
    words: '[options] <file>',
    about: 'the nearest pair of links, or of a link and an object, with witness points; or of an assembly (SCENE.json)',
  },
  {
    name: 'dynamics',
    words: '[options] <robot>',
    about: 'torques, inertia, accelerations, energies, momenta and Jacobians',
  },
  {
    name: 'fk',
    words: '[options] <robot>',
    about: 'forward kinematics: pose [x, y, z, qx, qy, qz, qw] of frames in the world',
  },
  {
    name: 'fleet',
    words: '[options] <map>',
    about: 'paths of many robots on a map, none colliding; or a world of robots, run and proven apart',
  },
  {
    name: 'ik',
    words: '[options] <robot>',
    about: 'inverse kinematics: joint values within the limits that bring a frame to a pose',
  },
  {
    name: 'info',
    words: '[options] <file>',
    about: 'what a file holds: a robot, a mesh, a scene or a protein; issues with file, line and remedy',
  },
  {
    name: 'monitor',
    words: '[options] <robot> [states]',
    about: 'every pair closer than a distance, with closing speed, time to contact and contact events, line by line',
  },
  {
    name: 'motion',
    words: '[options] <robot> <program>',
    about: 'a program of moves (PTP, LIN, CIRC, splines, seams), blended, timed and told of before it starts',
  },
  {
    name: 'optimise',
    words: '[options] <robot> <problem>',
    about: 'a short path from a state to a state by TrajOpt or CHOMP, proven free at every time, or not and where',
  },
  {
    name: 'pair',
    words: '[options] [A] [B]',
    about: 'collision, signed distance, tolerance and contacts of two shapes',
  },
  { name: 'plan', words: '[options] <robot>', about: 'a collision-free path from start to goal' },
  {
    name: 'plan-2d',
    words: '[options] <problem>',
    about: 'a path of a body that moves in the plane, turning or not, or the proof that there is none',
  },
  {
    name: 'plan-rigid',
    words: '[options] <problem>',
    about: 'a rigid body from start to goal among obstacles, proven free at every time of its path',
  },
  {
    name: 'ray',
    words: '[options] <file>',
    about: 'what rays hit: a robot at a joint state, alone or in a scene; or a scene (SCENE.json)',
  },
  {
    name: 'sequence',
    words: '[options] <assembly>',
    about: 'in which order, and how, an assembly comes apart: every step proven free; the reverse puts it together',
  },
  {
    name: 'simulate',
    words: '[options] <world>',
    about: 'a world of bodies and robots in motion: contacts, friction, drives; reports, recordings, checkpoints',
  },
  {
    name: 'spheres',
    words: '[options] <robot>',
    about: "spheres that contain the collision shapes of each of a robot's links, with a proof",
  },
  {
    name: 'task',
    words: '[options] <task>',
    about: 'takes an object and puts it down, as a file says: every leg free at every time and timed',
  },
  {
    name: 'trajectory',
    words: '[options] <robot>',
    about: 'the fastest motion along a path under limits; or a check of a trajectory against them',
  },
  {
    name: 'verify-path',
    words: '[options] <robot>',
    about: 'is a robot free at every time while it goes straight from waypoint to waypoint',
  },
  {
    name: 'view',
    words: '[options] [file...]',
    about: 'serve the viewer on loopback and print its URL; stop with Ctrl-C',
  },
];

/**
 * Writes humanoid/humanoid.urdf: a person of 1.75 m and 75 kg, of capsules, spheres and boxes.
 *
 * Lengths of the segments are the published fractions of the body's height, masses those of its weight: R. Drillis, R. Contini,
 * "Body Segment Parameters", New York University, 1966, as D. A. Winter prints them in "Biomechanics and Motor Control of Human
 * Movement", 4th ed. 2009, figure 4.1 and table 4.1. Thicknesses and joint limits are our own.
 *
 *   node examples/make-humanoid.mjs
 */
import { writeFileSync } from 'node:fs';

const height = 1.75;
const weight = 75;
const of = (fraction) => Number((fraction * height).toFixed(4));
const ankle = of(0.039);
const [shank, thigh] = [of(0.285 - 0.039), of(0.53 - 0.285)];
const trunk = of(0.818 - 0.53);
const [upperArm, forearm, hand] = [of(0.186), of(0.146), of(0.108)];
const thighRadius = 0.075;
// The breadth over the hips is that of the thighs; their joints are in the middle of these.
const [shoulder, hip] = [of(0.129), Number((of(0.191 / 2) - thighRadius).toFixed(4))];
const head = of(1 - 0.87);
const [foot, footWidth] = [of(0.152), of(0.055)];

const capsule = (radius, length, z) => ({
  shape: `<capsule radius="${radius}" length="${(length - 2 * radius).toFixed(4)}"/>`,
  at: [0, 0, z],
});
const box = (size, at) => ({ shape: `<box size="${size.map((x) => x.toFixed(4)).join(' ')}"/>`, at });
const sphere = (radius, at) => ({ shape: `<sphere radius="${radius.toFixed(4)}"/>`, at });

const lines = [
  '<?xml version="1.0"?>',
  '<!-- A person of 1.75 m: segments by Drillis and Contini 1966. Written by ../make-humanoid.mjs. -->',
  '<robot name="humanoid">',
  '  <material name="light"><color rgba="0.80 0.82 0.84 1"/></material>',
  '  <material name="dark"><color rgba="0.27 0.32 0.37 1"/></material>',
  '  <material name="accent"><color rgba="0.16 0.50 0.56 1"/></material>',
];
function link(name, material, share = 0, ...parts) {
  lines.push(`  <link name="${name}">`);
  if (share > 0) {
    const mass = Number((share * weight).toFixed(3));
    const about = (0.4 * mass * 0.01).toFixed(5);
    lines.push(
      `    <inertial><origin xyz="${parts[0].at.join(' ')}"/><mass value="${mass}"/>`,
      `      <inertia ixx="${about}" ixy="0" ixz="0" iyy="${about}" iyz="0" izz="${about}"/></inertial>`,
    );
  }
  for (const { shape, at } of parts)
    for (const kind of ['visual', 'collision'])
      lines.push(
        `    <${kind}><origin xyz="${at.join(' ')}"/><geometry>${shape}</geometry>${kind === 'visual' ? `<material name="${material}"/>` : ''}</${kind}>`,
      );
  lines.push('  </link>');
}
function joint(name, parent, child, at, axis, lower, upper) {
  const radians = (degrees) => ((degrees * Math.PI) / 180).toFixed(4);
  lines.push(
    `  <joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/>`,
    `    <origin xyz="${at.join(' ')}"/><axis xyz="${axis}"/>`,
    `    <limit lower="${radians(lower)}" upper="${radians(upper)}" velocity="4" effort="150"/></joint>`,
  );
}
const [X, Y, Z] = ['1 0 0', '0 1 0', '0 0 1'];
const here = [0, 0, 0];

link('pelvis', 'dark', 0.142, box([0.18, 2 * hip + 0.06, 0.14], [0, 0, 0.04]));
link('waist', 'dark');
link('waist_side', 'dark');
link('torso', 'light', 0.355, box([0.2, 0.3, trunk - 0.17], [0, 0, trunk / 2 - 0.01]));
joint('waist_yaw', 'pelvis', 'waist', [0, 0, 0.14], Z, -45, 45);
joint('waist_roll', 'waist', 'waist_side', here, X, -25, 25);
joint('waist_pitch', 'waist_side', 'torso', here, Y, -25, 75);
link('neck', 'dark', 0.01, capsule(0.05, 0.16, 0.03));
link('head', 'accent', 0.071, sphere(head / 2, [0.02, 0, head / 2 + 0.02]));
joint('neck_yaw', 'torso', 'neck', [0, 0, trunk - 0.04], Z, -70, 70);
joint('neck_pitch', 'neck', 'head', here, Y, -40, 45);
for (const [side, sign] of [
  ['left', 1],
  ['right', -1],
]) {
  const mirror = (lower, upper) => (sign > 0 ? [lower, upper] : [-upper, -lower]);
  link(`${side}_shoulder`, 'dark');
  link(`${side}_shoulder_side`, 'dark');
  link(`${side}_upper_arm`, 'light', 0.028, capsule(0.046, upperArm, -upperArm / 2));
  link(`${side}_forearm`, 'dark', 0.016, capsule(0.038, forearm, -forearm / 2));
  link(`${side}_wrist`, 'dark');
  link(`${side}_hand`, 'accent', 0.006, box([0.09, 0.035, hand - 0.05], [0, 0, -hand / 2 - 0.02]));
  joint(`${side}_shoulder_pitch`, 'torso', `${side}_shoulder`, [0, sign * shoulder, trunk - 0.14], Y, -170, 50);
  joint(`${side}_shoulder_roll`, `${side}_shoulder`, `${side}_shoulder_side`, here, X, ...mirror(-10, 160));
  joint(`${side}_shoulder_yaw`, `${side}_shoulder_side`, `${side}_upper_arm`, here, Z, -80, 80);
  joint(`${side}_elbow`, `${side}_upper_arm`, `${side}_forearm`, [0, 0, -upperArm], Y, -145, 0);
  joint(`${side}_wrist_yaw`, `${side}_forearm`, `${side}_wrist`, [0, 0, -forearm], Z, -85, 85);
  joint(`${side}_wrist_roll`, `${side}_wrist`, `${side}_hand`, here, X, -60, 60);
  link(`${side}_hip`, 'dark');
  link(`${side}_hip_side`, 'dark');
  link(`${side}_thigh`, 'light', 0.1, capsule(thighRadius, thigh, -thigh / 2));
  link(`${side}_shank`, 'dark', 0.0465, capsule(0.055, shank, -shank / 2));
  link(`${side}_ankle`, 'dark');
  link(`${side}_foot`, 'accent', 0.0145, box([foot, footWidth, 0.04], [foot / 2 - 0.06, 0, 0.02 - ankle]));
  joint(`${side}_hip_yaw`, 'pelvis', `${side}_hip`, [0, sign * hip, 0], Z, ...mirror(-40, 45));
  joint(`${side}_hip_roll`, `${side}_hip`, `${side}_hip_side`, here, X, ...mirror(-20, 45));
  joint(`${side}_hip_pitch`, `${side}_hip_side`, `${side}_thigh`, here, Y, -120, 30);
  joint(`${side}_knee`, `${side}_thigh`, `${side}_shank`, [0, 0, -thigh], Y, 0, 140);
  joint(`${side}_ankle_pitch`, `${side}_shank`, `${side}_ankle`, [0, 0, -shank], Y, -45, 25);
  joint(`${side}_ankle_roll`, `${side}_ankle`, `${side}_foot`, here, X, -20, 20);
}
lines.push('</robot>', '');
const file = new URL('humanoid/humanoid.urdf', import.meta.url);
writeFileSync(file, lines.join('\n'));
console.log(`humanoid/humanoid.urdf: ${lines.filter((line) => line.includes('<joint ')).length} joints`);

/**
 * Writes snake/snake-30.urdf: thirty capsule links, joints alternating between yaw (z) and pitch (y).
 *
 *   node examples/make-snake.mjs
 */
import { writeFileSync } from 'node:fs';

const links = 30;
const pitch = 0.08;
const radius = 0.022;
const cylinder = 0.044;
const mass = 0.2;
// A solid cylinder of the capsule's full length is close enough for an example.
const length = cylinder + 2 * radius;
const along = (mass * radius * radius) / 2;
const across = (mass * (3 * radius * radius + length * length)) / 12;

const capsule = `<capsule radius="${radius}" length="${cylinder}"/>`;
const origin = `<origin xyz="${pitch / 2} 0 0" rpy="0 1.5707963267948966 0"/>`;
const lines = [
  '<?xml version="1.0"?>',
  '<!-- Thirty links of 80 mm, joints alternating yaw and pitch. Written by ../make-snake.mjs. -->',
  '<robot name="snake30">',
  '  <material name="even"><color rgba="0.25 0.45 0.50 1"/></material>',
  '  <material name="odd"><color rgba="0.80 0.76 0.66 1"/></material>',
];
for (let i = 0; i < links; i++) {
  lines.push(
    `  <link name="link_${i}">`,
    '    <inertial>',
    `      ${origin}`,
    `      <mass value="${mass}"/>`,
    `      <inertia ixx="${across.toExponential(6)}" ixy="0" ixz="0" iyy="${across.toExponential(6)}" iyz="0" izz="${along.toExponential(6)}"/>`,
    '    </inertial>',
    '    <visual>',
    `      ${origin}`,
    `      <geometry>${capsule}</geometry>`,
    `      <material name="${i % 2 ? 'odd' : 'even'}"/>`,
    '    </visual>',
    '    <collision>',
    `      ${origin}`,
    `      <geometry>${capsule}</geometry>`,
    '    </collision>',
    '  </link>',
  );
}
for (let i = 1; i < links; i++) {
  lines.push(
    `  <joint name="joint_${i}" type="revolute">`,
    `    <parent link="link_${i - 1}"/>`,
    `    <child link="link_${i}"/>`,
    `    <origin xyz="${pitch} 0 0" rpy="0 0 0"/>`,
    `    <axis xyz="${i % 2 ? '0 0 1' : '0 1 0'}"/>`,
    '    <limit lower="-1.570796" upper="1.570796" velocity="3" effort="5"/>',
    '  </joint>',
  );
}
lines.push('</robot>', '');
const file = new URL('snake/snake-30.urdf', import.meta.url);
writeFileSync(file, lines.join('\n'));
console.log(`snake/snake-30.urdf: ${links} links, ${links - 1} joints`);

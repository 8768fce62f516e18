/** Robots of published runs from rows of numbers, as URDF. */

/** Name, mass, centre of mass, inertia xx xy xz yy yz zz about it. */
export type LinkRow = readonly [string, number, string, string];
/** Type, place, roll pitch yaw, axis; joints hang child to parent as the links follow each other unless a parent is named. */
export type JointRow = readonly [
  name: string,
  type: string,
  parent: string,
  child: string,
  xyz: string,
  rpy: string,
  axis: string,
];

/** The text of a URDF with these links and joints. */
export function describeRobot(links: readonly LinkRow[], joints: readonly JointRow[]): string {
  const parts = [
    ...links.map(([name, mass, xyz, inertia]) => {
      if (mass === 0) return `<link name="${name}"/>`;
      const [xx, xy, xz, yy, yz, zz] = inertia.split(' ');
      return `<link name="${name}"><inertial><origin xyz="${xyz}"/><mass value="${mass}"/><inertia ixx="${xx}" ixy="${xy}" ixz="${xz}" iyy="${yy}" iyz="${yz}" izz="${zz}"/></inertial></link>`;
    }),
    ...joints.map(
      ([name, type, parent, child, xyz, rpy, axis]) =>
        `<joint name="${name}" type="${type}"><origin xyz="${xyz}" rpy="${rpy}"/><parent link="${parent}"/><child link="${child}"/><axis xyz="${axis}"/><limit lower="-7" upper="7" effort="1" velocity="1"/></joint>`,
    ),
  ];
  return `<robot name="r">${parts.join('')}</robot>`;
}

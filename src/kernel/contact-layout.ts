/**
 * As layout.ts, of the blocks in which contacts lie while they are solved: AssemblyScript and TypeScript read the same integers.
 */

/** Block of contacts of free bodies, see src/simulation/body-contacts.ts: its bytes, and addresses of its arrays (u32). */
export const CONTACTS_BYTES = 0;
export const CONTACTS_DATA = 4;
export const CONTACTS_MOVERS = 8;
export const CONTACTS_ORDER = 12;
export const CONTACTS_WANTED = 16;
export const CONTACTS_PUSHED = 20;
export const CONTACTS_VELOCITIES = 24;
export const CONTACTS_MASSES = 28;
export const CONTACTS_SHIFTS = 32;
export const CONTACTS_HEADER_BYTES = 64;

/** Block of the contacts of a robot, see src/simulation/robot-kernel.ts: its bytes, and addresses of its arrays (u32). */
export const ISLAND_BYTES = 0;
export const ISLAND_TABLE = 4;
export const ISLAND_RUNS = 8;
export const ISLAND_SUPPORTS = 12;
export const ISLAND_JACOBIANS = 16;
export const ISLAND_FRICTIONS = 20;
export const ISLAND_DIAGONALS = 24;
export const ISLAND_LOWER = 28;
export const ISLAND_UPPER = 32;
export const ISLAND_BIASES = 36;
export const ISLAND_IMPULSES = 40;
export const ISLAND_VELOCITIES = 44;
export const ISLAND_MATRIX = 48;
export const ISLAND_ROW_WORK = 52;
export const ISLAND_REGIMES = 56;
/** Of writeRobotRows: per block the normal, point and impulse (world axes) of a contact, then its basis. */
export const ISLAND_CONTACTS = 100;
/** The block of the robot (u32), 0 where no rows are to be written. */
export const ISLAND_ROBOT = 104;
/** Numbers there is room for in each of the arrays of ISLAND_ROW_WORK, and of ISLAND_VELOCITIES (u32). */
export const ISLAND_ROW_ROOM = 60;
export const ISLAND_VELOCITY_ROOM = 64;
/** Numbers of the solve at hand (u32). */
export const ISLAND_COUNT = 68;
export const ISLAND_ROW_COUNT = 72;
export const ISLAND_N = 76;
export const ISLAND_PYRAMIDAL = 80;
/** Of solveRobot (f64, u32). */
export const ISLAND_RESIDUAL = 88;
export const ISLAND_ITERATIONS = 96;
export const ISLAND_HEADER_BYTES = 128;
/** Row of a block in ISLAND_TABLE: kind, first row (bytes), its numbers in ISLAND_JACOBIANS (address), velocities (count), runs of these (address, end), and of contacts whose rows are to be written 1 where the robot is their second side, 2 where it is their first. */
export const BLOCK_KIND = 0;
export const BLOCK_ROW = 4;
export const BLOCK_JACOBIAN = 8;
export const BLOCK_VELOCITIES = 12;
export const BLOCK_RUNS = 16;
export const BLOCK_RUNS_END = 20;
export const BLOCK_SIDE = 24;
export const BLOCK_BYTES = 32;

/** Block of a robot that is stepped, see src/simulation/robot-factors.ts: its bytes, velocities (u32); addresses of its arrays (u32). */
export const STEPPED_BYTES = 0;
export const STEPPED_N = 4;
export const STEPPED_SUPPORTS = 8;
export const STEPPED_FACTORS = 12;
export const STEPPED_COLUMNS = 16;
/** Roots of the diagonal of the factors, their inverses, that of M, and the right side: each of as many numbers as there are velocities. */
export const STEPPED_ROOTS = 20;
export const STEPPED_HEADER_BYTES = 32;

/**
 * Tables of a robot that the generic kernel (assembly/spheres/, which imports this file too; literal integers only) checks as data.
 * Everything lies in the robot's memory, addresses in bytes, words of 32 bits. The head is one block of words:
 *
 *   instruction, 16 bytes   operation + (address of a third operand) | result | left | right: cells of four f32
 *   angle, 32 bytes         cells of its sine, its cosine | coordinate | 0, or 1 + coordinate of the sine | factor, offset (f64)
 *                           0: the angle is factor q + offset, else the coordinates are along its cosine and sine
 *   slide, 8 bytes          coordinate | cell
 *   unit, 32 bytes          number of coordinates that form a unit vector | these, 4 at most | 3 unused
 *   link, 48 bytes          row of its obstacles | ball | its radius | spheres | their radii | their number, 0 beside a single one | growth |
 *                           first instruction, end of the instructions that place the spheres | stamp, 3 unused
 *   pair, 64 bytes          form | balls of both | links of both | growth | first row, number of rows | square, size of the balls (f32) |
 *                           margin (f32) | 5 unused. Form 0: the balls are all; 1: rows; 2: all spheres of both
 *   row, 16 bytes           sphere | number of others | square, size of the sphere with the other's ball (f32)
 *   other, 16 bytes         sphere | square, size (f32) | unused
 *
 * Squares are compared with squared distances; sizes are what growths are added to. Obstacles: obstacle-records.ts.
 */
export const H_COORDINATES = 0;
export const H_LIMITS = 4;
export const H_WRAPS = 8;
export const H_START = 12;
export const H_DELTA = 16;
export const H_WEIGHTS = 20;
export const H_HALVES = 24;
export const H_SLIDES = 28;
export const H_SLIDE_COUNT = 32;
export const H_ANGLES = 36;
export const H_ANGLE_COUNT = 40;
export const H_PROGRAM = 44;
export const H_PROGRAM_END = 48;
export const H_LINKS = 52;
export const H_LINK_COUNT = 56;
export const H_PAIRS = 60;
export const H_PAIR_COUNT = 64;
export const H_NOTHING = 68;
export const H_SCRATCH = 72;
export const H_LEVERS = 76;
export const H_LEVER_ROWS = 80;
export const H_SPEEDS = 84;
export const H_GROWTH = 88;
export const H_STACK = 92;
export const H_FAILED = 96;
export const H_CERTIFICATE = 100;
export const H_INTERVALS = 104;
export const H_STRAIGHT = 108;
export const H_UNITS = 112;
export const H_UNIT_COUNT = 116;
export const HEAD_BYTES = 120;

export const INSTRUCTION_BYTES = 16;
/** Operations beside those of expression graphs, whose numbers they continue. */
export const OP_ADD = 2;
export const OP_SUBTRACT = 3;
export const OP_MULTIPLY = 4;
export const OP_DIVIDE = 5;
export const OP_NEGATE = 6;
export const OP_SQUARE_ROOT = 7;
export const OP_MINIMUM = 8;
export const OP_SELECT = 9;
export const OP_COPY = 10;

export const ANGLE_BYTES = 32;
export const SLIDE_BYTES = 8;
export const UNIT_BYTES = 32;

export const LINK_BYTES = 48;
export const L_ROW = 0;
export const L_BALL = 4;
export const L_BALL_RADIUS = 8;
export const L_SPHERES = 12;
export const L_RADII = 16;
export const L_COUNT = 20;
export const L_GROWTH = 24;
export const L_PROGRAM = 28;
export const L_PROGRAM_END = 32;
export const L_STAMP = 36;

export const PAIR_BYTES = 64;
export const P_FORM = 0;
export const P_BALL_A = 4;
export const P_BALL_B = 8;
export const P_LINK_A = 12;
export const P_LINK_B = 16;
export const P_GROWTH = 20;
export const P_ROWS = 24;
export const P_ROW_COUNT = 28;
export const P_SQUARE = 32;
export const P_SIZE = 36;
export const P_MARGIN = 40;
export const FORM_BALLS = 0;
export const FORM_ROWS = 1;
export const FORM_ALL = 2;

export const PAIR_ROW_BYTES = 16;

/** Of certificates: entries of the stack, blocks looked at at most, intervals that are kept. */
export const STACK_ENTRIES = 128;
export const MOST_BLOCKS = 20000;
export const MOST_INTERVALS = 4096;

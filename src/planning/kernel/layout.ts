/**
 * Memory of a search in the planner's kernel (AssemblyScript imports this file too; literal integers only).
 *
 * All of it lies above a base that whoever owns the memory gives (a robot's compiled checks lie below it): first the heads of the
 * lists of free blocks, one u32 per power of two, then blocks. A search is one block of SEARCH_BYTES with these numbers, and blocks
 * for its arrays, its trees' nodes, boxes and leaves:
 *
 *    0 dimension D | 4 form of the metric | 8 flags | 12 iterations | 16 most iterations | 20 1: the start's tree grew last
 *   24 status | 28 node of the start's tree where the trees met | 32 node of the goal's | 36 motions asked | 40 1: stopped, i32
 *   44 capacity of the stack | 48 stack of a nearest-neighbour search | 52 numbers, see below | 56 vertices of the path
 *   60 capacity of the path, i32
 *   64 range | 72 step of motions while growing | 80 step of the last check | 88 radius of a failed node, 96 the least, 104 its rate
 *  112 what rounding may do to a distance of single precision | 120 squared distance, or distance, of the nearest node, f64
 *  128 state of the random numbers, 4 u32 | 144 path, states of D f64 | 148 vertices, four i32 each: number, 1 between its neighbours,
 *      numbers of the vertices to which its motion passed samples, and is proven
 *  152 pairs that failed, bits | 156 next number of a vertex | 160 rounds of simplification done
 *  164 states drawn by the host, GIVEN_STATES of D f64 | 168 which is next | 172 how many there are
 *  176 points of Halton drawn, i32 | 192 tree of the start | 256 tree of the goals, each:
 *        0 nodes | 4 how many | 8 room for | 12 boxes | 16 how many | 20 room for | 24 depth, i32
 *
 * Numbers: arrays of f64, NUMBER_ARRAYS x D of them: lower, upper, scale, period | base, numerator, denominator, shift of Halton's
 * points (and the denominator over the base, last of the arrays) | sample, near, reached, previous: states under way | query times scale; then 4 D f32: query, each four times; then
 * 4 ceil(D / 4) f32: query; then D i32: kind of each coordinate; then LEAF_POINTS f32: distances; then 3 D f64: states of the simplification.
 *
 *   node, 8 D + 24 bytes: state, D f64 | radius f64 | parent, leaf, place in the leaf, 1 when removed, i32
 *   box, 32 ceil(D / 4) + 16 bytes: least f32, greatest f32 | inner: left, right child; leaf: -1, address | inner: axis (-1: by number);
 *        leaf: how many | depth, i32; inner boxes keep the value of the split in the place of the depth, f32
 *   leaf, LEAF_POINTS (4 D + 8) bytes: points by fours (four f32 per coordinate), then numbers of the nodes, i32, then their radii, f32
 */
export const SEARCH_BYTES = 512;
export const S_DIMENSION = 0;
export const S_FORM = 4;
export const S_FLAGS = 8;
export const S_ITERATIONS = 12;
export const S_MOST_ITERATIONS = 16;
export const S_GROWS_START = 20;
export const S_STATUS = 24;
export const S_JOIN_START = 28;
export const S_JOIN_GOAL = 32;
export const S_MOTIONS = 36;
export const S_STOPPED = 40;
export const S_STACK_ROOM = 44;
export const S_STACK = 48;
export const S_NUMBERS = 52;
export const S_PATH_COUNT = 56;
export const S_PATH_ROOM = 60;
export const S_RANGE = 64;
export const S_STEP = 72;
export const S_LAST_STEP = 80;
export const S_RADIUS = 88;
export const S_LEAST_RADIUS = 96;
export const S_RATE = 104;
export const S_SLACK = 112;
export const S_NEAREST = 120;
export const S_RANDOM = 128;
export const S_PATH = 144;
export const S_VERTICES = 148;
export const S_FAILED = 152;
export const S_NEXT_VERTEX = 156;
export const S_ROUND = 160;
export const S_GIVEN = 164;
export const S_GIVEN_NEXT = 168;
export const S_GIVEN_COUNT = 172;
export const S_DRAWN = 176;
export const S_START_TREE = 192;
export const S_GOAL_TREE = 256;

export const T_NODES = 0;
export const T_COUNT = 4;
export const T_ROOM = 8;
export const T_BOXES = 12;
export const T_BOX_COUNT = 16;
export const T_BOX_ROOM = 20;
export const T_DEPTH = 24;

/** Flags of a search. */
export const FLAG_BALANCE = 1;
export const FLAG_DOMAIN = 2;
export const FLAG_HALTON = 4;
export const FLAG_LAST_CHECK = 8;
export const FLAG_WRAPS = 16;
/** The host draws states ahead, into the list at S_GIVEN; infinity says that nothing came of a draw. */
export const FLAG_GIVEN = 32;
/** Some coordinates are locked. */
export const FLAG_LOCKED = 64;

/** Forms of the metric: square of weight x difference; squared weight x squared difference. */
export const FORM_WEIGHTED = 0;
export const FORM_SQUARED = 1;

/** Kinds of coordinates; a locked one takes no draw. */
export const COORDINATE_LINE = 0;
export const COORDINATE_PERIODIC = 1;
export const COORDINATE_ANGLE = 2;
export const COORDINATE_LOCKED = 16;

/** Statuses. */
export const STATUS_RUNNING = 0;
export const STATUS_JOINED = 1;
export const STATUS_LIMIT = 2;
export const STATUS_STOPPED = 3;

/** Arrays of the numbers. */
export const A_LOWER = 0;
export const A_UPPER = 1;
export const A_SCALE = 2;
export const A_PERIOD = 3;
export const A_BASE = 4;
export const A_NUMERATOR = 5;
export const A_DENOMINATOR = 6;
export const A_SHIFT = 7;
export const A_SAMPLE = 8;
export const A_NEAR = 9;
export const A_REACHED = 10;
export const A_PREVIOUS = 11;
export const A_QUERY = 12;
export const A_STEP = 13;
export const NUMBER_ARRAYS = 14;
export const LAST_ARRAYS = 3;

export const LEAF_POINTS = 64;
/** States that the host draws ahead. */
export const GIVEN_STATES = 64;
/** Vertices of a path that are told apart when failed motions are remembered: a table of so many times so many bits. */
export const MEMO_VERTICES = 512;
/** How many vertices ahead shortcuts go after the first round. */
export const LATER_REACH = 3;
/** Heads of the lists of free blocks: one per power of two. */
export const FREE_LIST_BYTES = 128;

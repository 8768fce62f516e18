/**
 * Memory layout shared by the kernels (AssemblyScript imports this file too) and by the TypeScript that fills and
 * reads kernel memory. Only literal integer constants live here, because both compilers must agree on them.
 *
 * Fixed area (addresses in bytes):
 *
 *      0 ..     63  never used, so that a null pointer is a fault in the checked build
 *     64 ..    159  X_AB, 12 f64: pose of mesh B in mesh A
 *    160 ..    215  result: squared distance, point A (3), point B (3), f64, in the frame of A
 *    216 ..    231  result: triangle A, triangle B, node tests, primitive tests, u32
 *    256 ..    303  X_AB between the tree origins as three f32 rows (R row, p)
 *    304 ..    351  X_BA likewise
 *    384 ..    527  two triangles to try first (18 f64, each in its own mesh's frame)
 *    528 ..    599  triangle of B in the frame of A
 *    600 ..    743  two triangles relative to the first corner of A
 *    768 ..    823  of a hull that meets a mesh: middle and half sizes of its box, radius of a ball about the middle, f64
 *    832 ..    919  what became of it, see assembly/mesh/shape.ts: 10 f64; triangle, status, u32
 *   1024 ..         triangle pairs found (u32 pairs); or queries of rays and points under way, their input, their results:
 *   1024 ..   3071    state of the queries taken in turn
 *   3072 ..  19455    up to 256 rays, 64 bytes each: origin (3), direction (3), least t, largest t, f64; or as many
 *                     points, 32 bytes each: point (3), upper bound of the distance, f64
 *  19456 ..           per ray 16 bytes: t f64, triangle u32 (all ones: none), 1 u32 when hit from the front; counting: unused
 *                     f64, directed crossings i32, crossings u32; all hits of a ray: the same record per hit
 *                     per point 40 bytes: squared distance, closest point (3) f64, triangle u32
 *   1024 ..         while a tree is built: axes (9), moments (3), split position (3), centre and half extents (6), f64; bins
 *   3072 ..         up to 128 poses of a pair of meshes, 13 f64 each; their results from 19456 on, 72 bytes each
 *  33792 ..         traversal stack
 *  90112 ..         queue of pairs of boxes (512 of 16 bytes)
 *  98304 ..         constants the compiler places, and the scratch memory of convex queries
 * 258048 ..         queries of convex cores: what they are given and what they answer, see CONVEX_POSE
 * 262144 ..         heap: one block per tree
 *
 * Tree block: header, nodes, triangles (9 f64 each, in leaf order, the corner between the shorter edges first), ids (u32, position in leaf order -> index in the
 * mesh). Child references are relative to the block, so a block can be copied anywhere.
 *
 *   header   0 magic u32 | 4 version u32 | 8 node kind u32 | 12 node count u32 | 16 triangle count u32
 *           20 block bytes u32 | 24 byte offset of triangles u32 | 28 byte offset of ids u32 | 32 origin 3 f64
 *           56 bounds 6 f64 | 104 radius f64 (largest distance of a vertex from the origin) | 112 depth u32
 *           116 fitter u32 (bvh/fitters.ts)
 *
 *   OBB node, 256 bytes, four children side by side (lane l at + 4 l):
 *           0 cx | 16 cy | 32 cz | 48 h0 | 64 h1 | 80 h2 | 96 R00 R01 R02 R10 .. R22 (axes are the columns) | 240 child
 *   AABB node, 112 bytes:
 *           0 cx | 16 cy | 32 cz | 48 hx | 64 hy | 80 hz | 96 child
 *   RSS and OBB-RSS node, 352 bytes: an OBB node, then a rectangle swept by a sphere along the same axes:
 *           256 cx | 272 cy | 288 cz | 304 h0 | 320 h1 (half sides along the first two axes) | 336 radius
 *
 * A box is the set { x : |axis_i . (x - origin - c)| <= h_i }, all in f32, extents rounded outward; an OBB's longest axis is
 * its first. An empty lane has
 * h = -1e30 and child 0. A child is the byte offset of a node, or LEAF_BIT | (count - 1) << 28 | first triangle.
 * Node 0 is the root's frame: lane 0 holds the box of the whole mesh.
 */
export const INPUT_TRANSFORM = 64;
export const RESULT_NUMBERS = 160;
export const RESULT_TRIANGLES = 216;
export const RESULT_COUNTS = 224;
export const TRANSFORM_AB = 256;
export const TRANSFORM_BA = 304;
export const HINT_TRIANGLES = 384;
export const MOVED_TRIANGLE = 528;
export const LOCAL_A = 600;
export const LOCAL_B = 672;
export const SHAPE_BOX = 768;
export const SHAPE_RESULT = 832;
export const SHAPE_TRIANGLE = 912;
export const PAIR_BUFFER = 1024;
export const PAIR_CAPACITY = 4096;
export const QUERY_SLOTS = 1024;
export const QUERY_INPUTS = 3072;
export const QUERY_RESULTS = 19456;
export const QUERY_CAPACITY = 256;
export const RAY_INPUT_BYTES = 64;
export const RAY_RESULT_BYTES = 16;
export const RAY_HIT_CAPACITY = 896;
export const POINT_INPUT_BYTES = 32;
export const POINT_RESULT_BYTES = 40;
/** What rays look for: which sides of triangles count; any hit, all hits, or the number of crossings. */
export const RAY_FRONT = 1;
export const RAY_BACK = 2;
export const RAY_ANY = 4;
export const RAY_ALL = 8;
export const RAY_COUNT = 16;
/**
 * Boxes that a ray meets, see assembly/mesh/ray-boxes.ts: a block per tree.
 *
 *    0 1 / u (3), near offset (3), far offset (3), f64 | 72 byte of the near bound of each axis, 0 (lower) or 48 (upper), u32 (3)
 *   84 top of the stack, byte | 88 start of the stack, byte | 92 block bytes, u32 | 96 nodes, 112 bytes each | stack, 16 bytes an entry
 *   node   0 lower x of both children | 16 y | 32 z | 48 upper x | 64 y | 80 z, f64 | 96 both children, u32
 *
 * A child is the byte offset of a node from the first one, or 1 + 2 x item. An entry: where the ray enters, f64; child, u32.
 */
export const RAY_BOXES_INVERSE = 0;
export const RAY_BOXES_NEAR = 24;
export const RAY_BOXES_FAR = 48;
export const RAY_BOXES_SIDE = 72;
export const RAY_BOXES_TOP = 84;
export const RAY_BOXES_STACK = 88;
export const RAY_BOXES_BYTES = 92;
export const RAY_BOXES_NODES = 96;
export const RAY_PAIR_CHILD = 96;
export const RAY_PAIR_BYTES = 112;
export const RAY_ENTRY_BYTES = 16;

/*
 * Pairs of boxes of one tree that overlap (assembly/broadphase/box-pairs.ts), in a block:
 *   top of the stack, bytes into the block, u32 | tests made, u32 | 1: the stack is full, u32 | bytes of the block, u32
 *   pairs found, u32 each, the first with BOX_PAIRS_DOUBT where it need not be one | stack of pairs of children, addresses, u32 each, which ends
 *   where the records of inner nodes begin
 * A record: lower x, y, z and upper x, y, z of both children's boxes, 2 f32 each; what the children are, 2 i32: a record, or ~proxy of a
 * leaf. Record 0 has the root as its first child.
 */
export const BOX_PAIRS_TOP = 0;
export const BOX_PAIRS_TESTS = 4;
export const BOX_PAIRS_FULL = 8;
export const BOX_PAIRS_BYTES = 12;
export const BOX_PAIRS_FOUND = 64;
/** Pairs that are handed over at once. */
export const BOX_PAIRS_LIMIT = 4096;
export const BOX_PAIRS_STACK = 32832;
export const BOX_PAIRS_RECORDS = 65600;
export const BOX_PAIRS_RECORD_BYTES = 64;
export const BOX_PAIRS_CHILD = 48;
export const BOX_PAIRS_DOUBT = 2147483648;
/*
 * Which boxes go together in a tree (assembly/broadphase/box-tree.ts), in a block:
 *   items, u32 | depth from which ranges are halved, u32 | bins | count x area above each bin, f64 | ranges that wait, 4 u32 each
 *   items: lower x, y, upper x, y, lower and upper z, centre, 9 f64; proxy, u32 | children of all nodes, 2 i32 each | their parents, i32
 */
export const BOX_TREE_COUNT = 0;
export const BOX_TREE_FAIR_DEPTH = 4;
export const BOX_TREE_BINS = 64;
export const BOX_TREE_ABOVE = 3136;
export const BOX_TREE_STACK = 3264;
export const BOX_TREE_ITEMS = 5824;
export const BOX_TREE_ITEM_BYTES = 80;
/** Poses of one pair of meshes, see assembly/mesh/batches.ts. */
export const POSE_INPUTS = 3072;
export const POSE_RESULTS = 19456;
export const POSE_CAPACITY = 128;
export const POSE_INPUT_BYTES = 104;
export const POSE_RESULT_BYTES = 72;
export const STACK_BASE = 33792;
export const QUEUE_BASE = 90112;
export const QUEUE_ENTRIES = 512;
/** Squared gap and both points of each listed pair, in the place of the queue, see assembly/mesh/collide.ts. */
export const GAP_RESULTS = 90112;
export const GAP_RESULT_BYTES = 56;
export const GAP_CAPACITY = 146;
export const STACK_LIMIT = 98304;
export const STATIC_BASE = 98304;
export const CONVEX_BASE = 258048;
export const HEAP_BASE = 262144;

export const TREE_MAGIC = 0x48564243;
export const TREE_VERSION = 2;
export const TREE_HEADER_BYTES = 128;
export const TREE_NODE_KIND = 8;
export const TREE_NODE_COUNT = 12;
export const TREE_TRIANGLE_COUNT = 16;
export const TREE_BLOCK_BYTES = 20;
export const TREE_TRIANGLES_OFFSET = 24;
export const TREE_IDS_OFFSET = 28;
export const TREE_ORIGIN = 32;
export const TREE_BOUNDS = 56;
export const TREE_RADIUS = 104;
export const TREE_DEPTH = 112;
export const TREE_FITTER = 116;

export const KIND_OBB = 0;
export const KIND_AABB = 1;
export const KIND_RSS = 2;
export const KIND_OBB_RSS = 3;
export const OBB_NODE_BYTES = 256;
export const AABB_NODE_BYTES = 112;
export const RSS_NODE_BYTES = 352;
export const BOX_CENTRE = 0;
export const BOX_HALF = 48;
export const BOX_ROTATION = 96;
export const OBB_CHILD = 240;
export const AABB_CHILD = 96;
export const SPHERE_CENTRE = 256;
export const SPHERE_HALF = 304;
export const LEAF_COUNT_SHIFT = 28;
export const LEAF_FIRST_MASK = 0x0fffffff;
export const TRIANGLE_BYTES = 72;
export const MAX_LEAF_TRIANGLES = 4;

/**
 * Binary node of a tree being built, in the work area: centre 3, half extents 3, axes 9 (row-major, columns are the axes),
 * all f32; then u32: number of its left child, the right one follows (0: one triangle), its first triangle in the order,
 * and their number.
 */
export const BINARY_NODE_BYTES = 96;
export const BINARY_LEFT = 60;
export const BINARY_FIRST = 64;
export const BINARY_COUNT = 68;

/** Codes of the fitters as trees store them. */
export const FIT_RAPID2 = 0;
export const FIT_PQP = 1;
export const FIT_INERTIA = 2;
export const FIT_RAPID2_HULL = 3;
export const SPLIT_LONGEST = 0;
export const SPLIT_AREA = 1;
export const SPLIT_BINNED = 2;
export const SPLIT_BINNED_LONGEST = 3;

/** While a tree is built, where the pair buffer is otherwise. */
export const FIT_AXES = 1024;
export const FIT_MOMENTS = 1096;
export const FIT_POSITION = 1120;
export const FIT_BOX = 1144;
export const FIT_RECORD = 1200;
export const SAVED_AXES = 1296;
export const SAVED_POSITION = 1368;
export const BINS = 1408;

/**
 * Block of a ChainTree for the search of contacts, see assembly/chain/chain.ts:
 *
 *   header   0 links u32 | 4 height u32 | 8 exclusion u32 | 12 block bytes u32 | 16 byte offset of changed joints u32
 *           20 byte offset of the stack u32 | 24 not 0: boxes of two boxes are fitted in the kernel u32
 *           32 number of the first node of each level u32 (27) | 144 nodes of each level u32 (27)
 *          256 byte offsets u32 of: shortcuts, frames, boxes (f64, src/chain/tree-layout.ts) | 268 touched nodes (u32 each)
 *          272 byte offset of the tight boxes u32, 0: none; CHAIN_TIGHT_BYTES per node, see assembly/chain/chain-tight.ts
 *   pairs    CHAIN_PAIR_BYTES for each node above the links, and one for the root as a child; f32, in the order of
 *           src/chain/tree-layout.ts's boxes: number k of the left child at 8 k, of the right one at 8 k + 4; half
 *           extents and radius rounded outward
 *   stack    CHAIN_STACK_BYTES per level and two more
 *   changed  ascending joint numbers u32
 */
export const CHAIN_LINK_COUNT = 0;
export const CHAIN_HEIGHT = 4;
export const CHAIN_EXCLUSION = 8;
export const CHAIN_BYTES = 12;
export const CHAIN_CHANGED_OFFSET = 16;
export const CHAIN_STACK_OFFSET = 20;
export const CHAIN_STARTS = 32;
export const CHAIN_COUNTS = 144;
export const CHAIN_FITS_PAIRS = 24;
export const CHAIN_SHORTCUTS_OFFSET = 256;
export const CHAIN_FRAMES_OFFSET = 260;
export const CHAIN_BOXES_OFFSET = 264;
export const CHAIN_TOUCHED_OFFSET = 268;
export const CHAIN_TIGHT_OFFSET = 272;
export const CHAIN_TIGHT_BYTES = 64;
export const CHAIN_PAIRS = 320;
export const CHAIN_BOX_BYTES = 128;
/** The log of an update: number of entries u32, then the entries, see assembly/chain/chain-update.ts. */
export const CHAIN_LOG_HEADER_BYTES = 16;
export const CHAIN_LOG_BYTES = 496;
export const CHAIN_PAIR_BYTES = 128;
export const CHAIN_STACK_BYTES = 240;

/**
 * Queries of convex cores, see assembly/convex/convex.ts: X_AB (12); the two cores, 48 bytes each: kind, points without a map, address of
 * the points, address of the map, u32, then x, y, z, radius; minus the first direction, later the closest point of C = A - B (3); the
 * simplex: vertices in C, points of A, points of B, weights; GJK's lower bound; vertices and rounds, u32; the answer:
 * distance, normal, points of A and B; room for the points of cores without a map. f64 where nothing is said.
 */
export const CONVEX_POSE = 258048;
export const CONVEX_CORE_A = 258144;
export const CONVEX_CORE_B = 258192;
export const CONVEX_V = 258240;
export const CONVEX_SIMPLEX_W = 258272;
export const CONVEX_SIMPLEX_A = 258368;
export const CONVEX_SIMPLEX_B = 258464;
export const CONVEX_WEIGHT = 258560;
export const CONVEX_LOWER_BOUND = 258592;
export const CONVEX_COUNTS = 258608;
export const CONVEX_RESULT = 258624;
export const CONVEX_POINTS_A = 258816;
export const CONVEX_POINTS_B = 260352;
export const CONVEX_MAX_POINTS = 64;

/**
 * Block of an energy tree, see assembly/energy/energy.ts. Nodes are numbered as src/chain/tree-layout.ts says, leaves first.
 *
 *   header   0 block bytes | 4 height | 8 leaves | 12 epoch | 16 address of the pool | 20 bytes of the pool
 *           24 groups in the pool | 28 free groups | 32 records logged | 36 nodes logged | 40 groups given up, u32
 *           byte offsets u32: 44 first slot of each leaf (and one more) | 48 slots of each leaf in use | 52 own positions
 *           56 bytes of all x | 60 shortcuts | 64 spheres | 68 poses | 72 stamps | 76 centres | 80 boxes of leaves
 *           84 first special pair of each leaf (and one more) | 88 special pairs | 92 changed leaves | 96 changed shortcuts
 *          100 nodes touched | 104 log of nodes | 108 near | 112 records | 116 floats | 120 list | 124 own floats
 *          128 cutoff^2, switchOn^2, cutoff^2 - 3 switchOn^2, limit of squares in f32, f64 | 160 Lennard-Jones, electrostatic energy, f64
 *          176 pairs of leaves, pairs of atoms looked at, pairs of atoms computed, u32
 *          192 number of the first node of each level u32 (27) | 304 nodes of each level u32 (27) | 416 the identity, 12 f64
 *          byte offsets u32: 512 frames | 516 poses behind | 520 stamps of leaves placed in f64
 *   A leaf starts at a slot whose number is a multiple of four. Slots that fill it up have no strength and lie far away in f32;
 *   two more slots without strength end the arrays.
 *   own      3 f64 per slot: position in the leaf's frame; own floats: again in f32, as floats
 *   near     3 f64 per slot: half minimum, depth root, charge for pairs of atoms three bonds apart
 *   records  6 f64 per slot: working position; half minimum, depth root, charge
 *   floats   working positions, f32: all x, all y, all z, ENERGY_FLOAT_BYTES each
 *   list     where pairs are listed, see assembly/energy/energy-pairs.ts
 *   shortcuts 12 f64 per node: pose of the next node's first link in this node's first link
 *   spheres   4 f64 per node: centre in the first link's frame, radius
 *   Where the stamp (u32) is the epoch: frames, byte offset u32 per node of the pose of its first link; poses behind, of the
 *   link behind it; poses, 12 f64 per node; centres, 4 f32 per node: centre and radius; boxes of leaves, 8 f32: low corner
 *   and 0, high corner and 0
 *   special  4 u32 each: other leaf, byte offset of its lists, pairs of slots at most three bonds apart, pairs of such pairs
 *           three bonds apart. Lists: u32 as pairs are listed, ascending, up to a multiple of 16 bytes; then slots, 4 u32 each
 *   log of nodes   ENERGY_NODE_LOG_BYTES each: node u32, at 16 shortcut, sphere
 *   pool     groups of records, ENERGY_GROUP_BYTES each: Lennard-Jones and electrostatic sum f64 (4 times), then the group
 *           below u32 (4 times, 0: none), then which records have ever been set, a bit each. Behind the groups: free groups
 *           u32, groups given up u32, log of records, ENERGY_LOG_BYTES each: record u32, group below u32, sums
 */
export const ENERGY_BYTES = 0;
export const ENERGY_HEIGHT = 4;
export const ENERGY_LEAVES = 8;
export const ENERGY_EPOCH = 12;
export const ENERGY_POOL = 16;
export const ENERGY_POOL_BYTES = 20;
export const ENERGY_GROUPS = 24;
export const ENERGY_FREE = 28;
export const ENERGY_LOGGED = 32;
export const ENERGY_NODES_LOGGED = 36;
export const ENERGY_GIVEN_UP = 40;
export const ENERGY_SLOT_STARTS = 44;
export const ENERGY_SLOT_COUNTS = 48;
export const ENERGY_OWN = 52;
export const ENERGY_FLOAT_BYTES = 56;
export const ENERGY_SHORTCUTS = 60;
export const ENERGY_SPHERES = 64;
export const ENERGY_POSES = 68;
export const ENERGY_STAMPS = 72;
export const ENERGY_CENTRES = 76;
export const ENERGY_BOXES = 80;
export const ENERGY_SPECIAL_STARTS = 84;
export const ENERGY_SPECIALS = 88;
export const ENERGY_CHANGED_LEAVES = 92;
export const ENERGY_CHANGED_SHORTCUTS = 96;
export const ENERGY_TOUCHED = 100;
export const ENERGY_NODE_LOG = 104;
export const ENERGY_NEAR = 108;
export const ENERGY_RECORDS = 112;
export const ENERGY_FLOATS = 116;
export const ENERGY_LIST = 120;
export const ENERGY_OWN_FLOATS = 124;
export const ENERGY_CONSTANTS = 128;
export const ENERGY_RESULT = 160;
export const ENERGY_COUNTS = 176;
export const ENERGY_LEVEL_STARTS = 192;
export const ENERGY_LEVEL_COUNTS = 304;
export const ENERGY_IDENTITY = 416;
export const ENERGY_FRAMES = 512;
export const ENERGY_BEHIND = 516;
export const ENERGY_EXACT_STAMPS = 520;
export const ENERGY_HEADER_BYTES = 528;
export const ENERGY_NODE_LOG_BYTES = 144;
export const ENERGY_GROUP_BYTES = 96;
export const ENERGY_GROUP_RECORDS = 4;
export const ENERGY_LOG_BYTES = 24;
/**
 * A pair's entry in a list is (i << ENERGY_PAIR_SHIFT) | j, slots counted from their leaves' first ones. Most atoms of a leaf,
 * and the bytes kept before a list: 8 stretches of 8 more than that, u32, and a bit for each pair of two leaves.
 */
export const ENERGY_PAIR_SHIFT = 20;
export const ENERGY_MOST_LEAF_ATOMS = 64;
export const ENERGY_CHOICE_BYTES = 2816;

/**
 * Block of an energy grid, see assembly/energy/energy-grid.ts. Header, GRID_HEADER_BYTES:
 *
 *    0 bytes of the block | 4 atoms | 8 atoms added, u32
 *   byte offsets u32: 12 positions, 3 f64 per atom | 16 half minimum, depth root, charge, f64 | 20 the same for atoms three
 *           bonds apart | 24 first special of each atom (and one more), u32 | 28 specials: 2 x other atom, + 1 when three
 *           bonds away, u32 | 32 lowest and highest special of each atom, u32 | 36 atoms added, u32 | 40 their cells, u32
 *           44 place of each atom, u32 | 48 atom of each place, u32 | 52 records by place, 6 f64 (position; strengths)
 *           56 positions by place, f32: all x, all y, all z | 60 bytes of all x | 64 first place of each cell, u32
 *           68 most cells | 72 list of pairs | 76 list of pairs three bonds apart
 *           Behind the last atom, positions and strengths end with one without strength, records with that and one more.
 *   80 cells per cutoff, f64 | 96 constants as at ENERGY_CONSTANTS, 4 f64 | 128 Lennard-Jones, electrostatic sum, f64
 *  144 pairs of atoms looked at, computed, u32 | 160 origin 3 f64, cells per angstrom f64 | 192 cells along x, y, z, u32
 *  208 extent 3 f64
 */
export const GRID_BYTES = 0;
export const GRID_ATOM_COUNT = 4;
export const GRID_ADDED_COUNT = 8;
export const GRID_POSITIONS = 12;
export const GRID_PLAIN = 16;
export const GRID_NEAR = 20;
export const GRID_SPECIAL_STARTS = 24;
export const GRID_SPECIALS = 28;
export const GRID_SPANS = 32;
export const GRID_ADDED = 36;
export const GRID_CELLS = 40;
export const GRID_PLACES = 44;
export const GRID_ATOMS = 48;
export const GRID_RECORDS = 52;
export const GRID_FLOATS = 56;
export const GRID_FLOAT_BYTES = 60;
export const GRID_STARTS = 64;
export const GRID_MOST_CELLS = 68;
export const GRID_LIST = 72;
export const GRID_NEAR_LIST = 76;
export const GRID_FINENESS = 80;
export const GRID_CONSTANTS = 96;
export const GRID_SUMS = 128;
export const GRID_COUNTS = 144;
export const GRID_ORIGIN = 160;
export const GRID_SHAPE = 192;
export const GRID_EXTENT = 208;
export const GRID_HEADER_BYTES = 240;

/** Block of the derivatives of dynamics, see assembly/dynamics/derivatives.ts: its bytes, nv, and addresses of its arrays (u32). */
export const DYNAMICS_BYTES = 0;
export const DYNAMICS_NV = 4;
export const DYNAMICS_COLUMNS = 8;
export const DYNAMICS_RATES = 12;
export const DYNAMICS_MOTIONS = 16;
export const DYNAMICS_DTAU_DQ = 20;
export const DYNAMICS_DTAU_DV = 24;
export const DYNAMICS_DDQ_DQ = 28;
export const DYNAMICS_DDQ_DV = 32;
export const DYNAMICS_INVERSE = 36;
export const DYNAMICS_CHAIN_STARTS = 40;
export const DYNAMICS_CHAINS = 44;
export const DYNAMICS_RUN_STARTS = 48;
export const DYNAMICS_RUNS = 52;
export const DYNAMICS_SHARED = 56;
export const DYNAMICS_FACTORS = 60;
export const DYNAMICS_PIVOTS = 64;
export const DYNAMICS_SUBSPACES = 68;
export const DYNAMICS_HEADER_BYTES = 128;

/** Block of the recursions of dynamics, see assembly/dynamics/joint-table.ts: its bytes, joints, nv, and addresses of its arrays (u32). */
export const RECURSION_BYTES = 0;
export const RECURSION_JOINTS = 4;
export const RECURSION_NV = 8;
export const RECURSION_TABLE = 12;
export const RECURSION_BASES = 16;
export const RECURSION_AXES = 20;
export const RECURSION_RELATIVE = 24;
export const RECURSION_MOTIONS = 28;
export const RECURSION_MOMENTS = 32;
export const RECURSION_FORCES = 36;
export const RECURSION_SUBSPACES = 40;
export const RECURSION_Q = 44;
export const RECURSION_V = 48;
export const RECURSION_A = 52;
export const RECURSION_TAU = 56;
export const RECURSION_ARMATURE = 60;
export const RECURSION_ZERO_PLACEMENTS = 64;
export const RECURSION_ZERO_BASES = 68;
export const RECURSION_ZERO_SHIFTS = 72;
export const RECURSION_ZERO_INERTIAS = 76;
export const RECURSION_COMPOSITES = 80;
export const RECURSION_ZERO_SUBSPACES = 84;
export const RECURSION_COLUMN_FORCES = 88;
export const RECURSION_M = 92;
export const RECURSION_COLUMN_TABLE = 96;
export const RECURSION_COLUMN_SIGNS = 100;
export const RECURSION_TURN_SIGNS = 104;
export const RECURSION_INERTIAS = 108;
export const RECURSION_WORLD = 112;
export const RECURSION_ALIGNED_SUBSPACES = 116;
export const RECURSION_ALIGNED_VELOCITIES = 120;
export const RECURSION_ALIGNED_INERTIAS = 124;
export const RECURSION_ARTICULATED = 128;
export const RECURSION_STATES = 132;
export const RECURSION_BIAS_FORCES = 136;
export const RECURSION_BIAS_ACCELERATIONS = 140;
export const RECURSION_INVERSES = 144;
export const RECURSION_TORQUES = 148;
export const RECURSION_ACCELERATIONS = 152;
export const RECURSION_DDQ = 156;
export const RECURSION_GRAVITY = 160;
export const RECURSION_LOCALS = 164;
export const RECURSION_MOMENTA = 168;
export const RECURSION_CORIOLIS = 172;
export const RECURSION_HEADER_BYTES = 192;
/** Row of a joint in RECURSION_TABLE: parent, shortcut, place of its number in q, unit, columns, the axes that its turn mixes and its own (bytes), axis of its turn in the zero frames, end of its subtree's columns (u32). */
export const JOINT_PARENT = 0;
export const JOINT_SHORTCUT = 4;
export const JOINT_Q = 8;
export const JOINT_UNIT = 12;
export const JOINT_FIRST = 16;
export const JOINT_END = 20;
export const JOINT_NEXT_AXIS = 24;
export const JOINT_LAST_AXIS = 28;
export const JOINT_OWN_AXIS = 32;
export const JOINT_ZERO_AXIS = 36;
export const JOINT_SUBTREE_END = 40;
export const JOINT_BYTES = 48;

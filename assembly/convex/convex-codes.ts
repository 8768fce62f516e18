// How a run of GJK ends: convex-gjk.ts, refine-gap.ts.

export const GJK_SEPARATED = 0;
export const GJK_OVERLAP = 1;
export const GJK_BEYOND = 2;
export const GJK_LIMIT = 3;

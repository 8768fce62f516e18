import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createTransform, poseToTransform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { randomPose } from '../support/ray-cases.js';

/** 3.9e-9 apart: the first rounds of GJK took a quotient of rounding for the distance of an edge, and found contact from one side. */
const small = Float64Array.of(
  0.0007127998754368928,
  0.0009022594963195979,
  -0.00002692050401130257,
  -0.004221634043432669,
  -0.0013733781875588853,
  -0.003973295930701032,
  0.000722549412064854,
  -0.003618068208588147,
  -0.0011135185364373982,
  -0.0018562974040806013,
  0.0018949571981973581,
  -0.003327651175663026,
  -0.0017441837622249096,
  0.0008815545511106235,
  0.002807613412807449,
  -0.003795475483450011,
  0.0033677779276292045,
  0.0007989665053523422,
  0.0027071695835720147,
  -0.0012258793790971365,
  0.000766747632623876,
  0.0016123229833247305,
  -0.0020186883772759863,
  0.0033961628521958984,
  0.0030797747605391694,
  0.0016250460227451254,
  -0.0003920154088865002,
  -0.002875840039126253,
  0.0037068906595288434,
  0.0003775741609258578,
  0.0027876228478561616,
  -0.0015363715486420458,
  0.0020053812916393794,
  0.0018090991098529577,
  0.0014890411783973917,
  0.0004981404083637232,
  -0.0034685286158505062,
  0.004025370111006749,
  -0.003401634202036462,
  -0.003665505156318117,
  0.0007380285773936868,
  -0.004200455736841305,
  0.003705569165448576,
  -0.002465116200667354,
  0.0021342942242490123,
  0.0035093042399981763,
  -0.0030967236227980367,
  -0.0008168895711441215,
  -0.0004022288391338818,
  -0.0012907515508247924,
  -0.002000475305296852,
  0.003116660745869962,
  0.0028118760162716577,
  -0.003682408274242932,
  -0.0027841891728439734,
  -0.0014409118048232502,
  0.002761365743260549,
  0.004058794191629166,
  -0.0032108848786581495,
  -0.0037446940258000273,
  0.0017998234440171883,
  0.004083180548869311,
  -0.0013886988325371797,
  0.0009899855708319554,
  0.002586201153778664,
  -0.003665233687206268,
  -0.0032477276193532247,
  -0.002981431231040182,
  -0.004214698490960501,
  0.0006943546383228336,
  0.003666338962656732,
  -0.0029692464736866485,
  0.0018093610345295658,
  0.0036161986800469334,
  -0.003702950160703958,
  -0.0010025239372430195,
  0.0008806115935538534,
  -0.0037128357498630977,
);
const smallPlacement = Float64Array.of(
  1,
  0,
  0,
  0,
  2.220446049250313e-16,
  -0.9999999999999998,
  0,
  0.9999999999999998,
  2.220446049250313e-16,
  0,
  0,
  0,
);
const large = Float64Array.of(
  0.34388507056294754,
  -0.6345614051190824,
  -0.528798683909414,
  0.5882529346014808,
  0.7129588808388077,
  0.5941076618546968,
  0.04023408074928227,
  0.0034225527691971775,
  0.26132641230551895,
  -0.6475455998145339,
  -0.5610120330576299,
  0.22622111074487145,
);
const largePlacement = Float64Array.of(
  -0.04064206924973113,
  0.41260431226832783,
  0.9100032437879989,
  0.7357486081575294,
  0.6285693873437627,
  -0.2521398637434086,
  -0.6760341765039382,
  0.6592861342329798,
  -0.3291194090399032,
  0.1581395989976504,
  0.7113951809479141,
  0.0994073481546287,
);

/** Without what counts as touching by default. */
const SHARP = { tolerance: 0 };
const convex = (points: Float64Array): Collider => createCollider({ type: 'convex', points });

describe('verdicts of convex shapes that nearly touch', () => {
  it('are those of the distance from both sides', () => {
    const [a, b] = [convex(small), convex(large)];
    expect(collide(a, smallPlacement, b, largePlacement)).toBe(false);
    expect(collide(b, largePlacement, a, smallPlacement)).toBe(false);
    const measured = distance(createDistanceResult(), a, smallPlacement, b, largePlacement);
    expect(measured.distance).toBeCloseTo(3.8835e-9, 13);
  });

  it('of random sizes and gaps are those of the distance, for bounds below and above it', () => {
    const random = createRandom(11);
    const points = (count: number, size: number): Float64Array =>
      Float64Array.from({ length: 3 * count }, () => size * random.uniform(-1, 1));
    const result = createDistanceResult();
    let near = 0;
    for (let n = 0; n < 1500; n++) {
      const a = convex(points(4 + random.integer(20), 10 ** random.uniform(-3, 0)));
      const b = convex(points(4, 1));
      const X = poseToTransform(createTransform(), randomPose(random, 1));
      const Y = poseToTransform(createTransform(), randomPose(random, 1));
      distance(result, a, X, b, Y);
      if (!(result.distance > 0)) continue;
      const gap = 10 ** random.uniform(-9, -6);
      for (let k = 0; k < 3; k++) Y[9 + k] -= (result.distance - gap) * result.normal[k];
      const d = distance(result, a, X, b, Y).distance;
      if (!(d > 5e-10)) continue;
      near++;
      for (const factor of [0.2, 0.5, 0.9, 1.1, 2]) {
        expect(isWithin(a, X, b, Y, factor * d, SHARP), `${n}: ${d} within ${factor * d}`).toBe(factor > 1);
        expect(isWithin(b, Y, a, X, factor * d, SHARP), `${n}: ${d} within ${factor * d}, other way round`).toBe(
          factor > 1,
        );
      }
    }
    expect(near).toBeGreaterThan(500);
  });
});

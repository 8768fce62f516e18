// Exact Minkowski sums by CGAL for the suite `plane`, in the same run as ours: reads commands from standard input, answers a line each.
//
//   sum P Q      P and Q: a count of rings, then each ring's count of points and its points, the outer ring first, counter-clockwise,
//                holes clockwise. Answers the area of P + (-Q), the area of its outer boundary without holes, the number of holes, and
//                nanoseconds. Pieces of holes without area do not count.
//
// Sums are by the reduced convolution: that of vertical decompositions is wrong for some polygons with holes in CGAL 5.5.
// Numbers are doubles, taken exactly; arithmetic is CGAL's exact one, and areas are rounded last.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/minkowski_sum_2.h>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Point = Kernel::Point_2;
using Ring = CGAL::Polygon_2<Kernel>;
using Area = CGAL::Polygon_with_holes_2<Kernel>;

static Ring readRing(bool mirrored) {
  size_t count;
  std::cin >> count;
  Ring ring;
  for (size_t i = 0; i < count; i++) {
    double x, y;
    std::cin >> x >> y;
    ring.push_back(mirrored ? Point(-x, -y) : Point(x, y));
  }
  return ring;
}

static Area readPolygon(bool mirrored = false) {
  size_t rings;
  std::cin >> rings;
  const Ring outer = readRing(mirrored);
  std::vector<Ring> holes;
  for (size_t i = 1; i < rings; i++) holes.push_back(readRing(mirrored));
  return Area(outer, holes.begin(), holes.end());
}

static Kernel::FT areaOf(const Area &polygon, int &holes) {
  Kernel::FT area = polygon.outer_boundary().area();
  for (auto hole = polygon.holes_begin(); hole != polygon.holes_end(); ++hole) {
    const Kernel::FT own = hole->area();
    if (own == 0) continue;
    holes++;
    area += own;
  }
  return area;
}

int main() {
  std::ios::sync_with_stdio(false);
  std::cout.precision(17);
  std::string command;
  while (std::cin >> command) {
    if (command == "sum") {
      const Area a = readPolygon();
      const Area b = readPolygon(true);
      std::clock_t begin = std::clock();
      const Area sum = CGAL::minkowski_sum_by_reduced_convolution_2(a, b);
      int holes = 0;
      const double area = CGAL::to_double(areaOf(sum, holes));
      const long long time = static_cast<long long>(1e9 * (std::clock() - begin) / CLOCKS_PER_SEC);
      std::cout << area << ' ' << CGAL::to_double(sum.outer_boundary().area()) << ' ' << holes << ' ' << time << std::endl;
    }
  }
}

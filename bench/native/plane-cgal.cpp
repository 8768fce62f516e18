// Exact Minkowski sums by CGAL for the suite `plane`, in the same run as ours: reads commands from standard input, answers a line each.
//
//   sum P Q      P and Q: a count of rings, then each ring's count of points and its points, the outer ring first, counter-clockwise,
//                holes clockwise. Answers the area of P + (-Q), the area of its outer boundary without holes, the number of holes, and
//                nanoseconds. Pieces of holes without area do not count.
//   union N P... areas and holes of the union: the number of polygons, their area, all holes, nanoseconds.
//
// Numbers are doubles, taken exactly; arithmetic is CGAL's exact one, and areas are rounded last.
#include <CGAL/Boolean_set_operations_2.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_set_2.h>
#include <CGAL/Polygon_vertical_decomposition_2.h>
#include <CGAL/minkowski_sum_2.h>
#include <chrono>
#include <iostream>
#include <list>
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
      const auto begin = std::chrono::steady_clock::now();
      const CGAL::Polygon_vertical_decomposition_2<Kernel> decomposition;
      const Area sum = CGAL::minkowski_sum_2(a, b, decomposition);
      int holes = 0;
      const double area = CGAL::to_double(areaOf(sum, holes));
      const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin);
      std::cout << area << ' ' << CGAL::to_double(sum.outer_boundary().area()) << ' ' << holes << ' ' << time.count() << std::endl;
    } else if (command == "union") {
      size_t count;
      std::cin >> count;
      std::vector<Area> parts;
      for (size_t i = 0; i < count; i++) parts.push_back(readPolygon());
      const auto begin = std::chrono::steady_clock::now();
      std::list<Area> united;
      CGAL::join(parts.begin(), parts.end(), std::back_inserter(united));
      int holes = 0;
      Kernel::FT area = 0;
      for (const Area &part : united) area += areaOf(part, holes);
      const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin);
      std::cout << united.size() << ' ' << CGAL::to_double(area) << ' ' << holes << ' ' << time.count() << std::endl;
    }
  }
}

// Exact Minkowski sums by CGAL for the suite `plane`, in the same run as ours: reads commands from standard input, answers a line each.
//
//   sum N P1 ... PN Q   polygons: a count of rings, then each ring's count of points and its points, the outer ring first,
//                       counter-clockwise, holes clockwise. Answers the area of the union of all P + (-Q), nanoseconds, and the union's
//                       rings in the same way: their count, then each ring's count of points and its points.
//
// Sums are by the reduced convolution: that of vertical decompositions is wrong for some polygons with holes in CGAL 5.5.
// Numbers are doubles, taken exactly; arithmetic is CGAL's exact one, and areas are rounded last.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_set_2.h>
#include <CGAL/minkowski_sum_2.h>
#include <ctime>
#include <iostream>
#include <sstream>
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

static Kernel::FT writeRing(const Ring &ring, std::ostream &out) {
  out << ' ' << ring.size();
  for (auto point = ring.vertices_begin(); point != ring.vertices_end(); ++point)
    out << ' ' << CGAL::to_double(CGAL::exact(point->x())) << ' ' << CGAL::to_double(CGAL::exact(point->y()));
  return ring.area();
}

int main() {
  std::ios::sync_with_stdio(false);
  std::cout.precision(17);
  std::string command;
  while (std::cin >> command) {
    if (command == "sum") {
      size_t count;
      std::cin >> count;
      std::vector<Area> obstacles;
      for (size_t i = 0; i < count; i++) obstacles.push_back(readPolygon());
      const Area body = readPolygon(true);
      const std::clock_t begin = std::clock();
      std::vector<Area> all;
      for (const Area &obstacle : obstacles) all.push_back(CGAL::minkowski_sum_by_reduced_convolution_2(obstacle, body));
      if (count > 1) {
        CGAL::Polygon_set_2<Kernel> set;
        for (const Area &sum : all) set.join(sum);
        all.clear();
        set.polygons_with_holes(std::back_inserter(all));
      }
      const long long time = static_cast<long long>(1e9 * (std::clock() - begin) / CLOCKS_PER_SEC);
      Kernel::FT area = 0;
      size_t rings = 0;
      std::ostringstream out;
      out.precision(17);
      for (const Area &polygon : all) {
        rings += 1 + polygon.number_of_holes();
        area += writeRing(polygon.outer_boundary(), out);
        for (auto hole = polygon.holes_begin(); hole != polygon.holes_end(); ++hole) area += writeRing(*hole, out);
      }
      std::cout << CGAL::to_double(area) << ' ' << time << ' ' << rings << out.str() << std::endl;
    }
  }
}

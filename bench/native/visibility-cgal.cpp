// Visibility among polygons by CGAL for the suite `plane`, in the same run as ours: every vertex's view by triangular expansion.
//
//   scene: x0 y0 x1 y1, then a count of polygons, each a count of points and its points, counter-clockwise; they neither touch each
//   other nor the rectangle. Answers the number of pairs (vertex, corner of its view that is a vertex of a polygon), the nanoseconds of CPU time of the
//   preparation and of all views. Predicates are exact, constructions are not.
#include <CGAL/Arr_segment_traits_2.h>
#include <CGAL/Arrangement_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangular_expansion_visibility_2.h>
#include <ctime>
#include <iostream>
#include <set>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_2;
using Segment = Kernel::Segment_2;
using Traits = CGAL::Arr_segment_traits_2<Kernel>;
using Scene = CGAL::Arrangement_2<Traits>;
using Views = CGAL::Triangular_expansion_visibility_2<Scene>;

static long long since(std::clock_t begin) { return static_cast<long long>(1e9 * (std::clock() - begin) / CLOCKS_PER_SEC); }

int main() {
  double x0, y0, x1, y1;
  size_t polygons;
  while (std::cin >> x0 >> y0 >> x1 >> y1 >> polygons) {
    std::vector<Segment> segments;
    std::set<Point> corners;
    const Point frame[] = {Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1)};
    for (int k = 0; k < 4; k++) segments.emplace_back(frame[k], frame[(k + 1) % 4]);
    for (size_t i = 0; i < polygons; i++) {
      size_t count;
      std::cin >> count;
      std::vector<Point> ring;
      for (size_t k = 0; k < count; k++) {
        double x, y;
        std::cin >> x >> y;
        ring.emplace_back(x, y);
        corners.insert(ring.back());
      }
      for (size_t k = 0; k < count; k++) segments.emplace_back(ring[k], ring[(k + 1) % count]);
    }
    std::clock_t begin = std::clock();
    Scene scene;
    CGAL::insert_non_intersecting_curves(scene, segments.begin(), segments.end());
    const Views views(scene);
    // The face between the rectangle and the polygons has holes and is bounded.
    Scene::Face_const_handle free;
    for (auto face = scene.faces_begin(); face != scene.faces_end(); ++face)
      if (!face->is_unbounded() && face->holes_begin() != face->holes_end()) free = face;
    const long long preparation = since(begin);
    begin = std::clock();
    long long pairs = 0;
    for (auto hole = free->holes_begin(); hole != free->holes_end(); ++hole) {
      auto edge = *hole;
      do {
        Scene::Halfedge_const_handle half = edge;
        Scene view;
        views.compute_visibility(half->target()->point(), half, view);
        for (auto v = view.vertices_begin(); v != view.vertices_end(); ++v)
          if (corners.count(v->point()) != 0) pairs++;
        ++edge;
      } while (edge != *hole);
    }
    std::cout << pairs << ' ' << preparation << ' ' << since(begin) << std::endl;
  }
}

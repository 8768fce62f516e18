// Collision and distance by FCL for the suites `mesh` and `pairs`, in the same run as ours: reads two shapes and poses of the
// second one from standard input, then commands with one line of answer each.
//
//   shape, twice: sphere RADIUS | box X Y Z | capsule RADIUS LENGTH | cylinder RADIUS LENGTH | cone RADIUS LENGTH |
//                 ellipsoid A B C | mesh V T, then V x 3 numbers and T x 3 indices
//   N, N x 12 numbers               poses of B in A's frame: rotation by rows, position
//   answers QUERY                   -> N numbers: 0 or 1, or the distance
//   time QUERY K                    takes the next K poses -> nanoseconds per query
//
// QUERY: collide (stops at the first contact, no contact data) or distance (meshes: 0 where they touch; others: signed).
#include <chrono>
#include <cstdio>
#include <fcl/fcl.h>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace fcl;

static double number() {
  double value = 0;
  std::cin >> value;
  return value;
}

static std::shared_ptr<CollisionGeometryd> readShape(bool &isMesh) {
  std::string type;
  std::cin >> type;
  isMesh = type == "mesh";
  if (type == "sphere") return std::make_shared<Sphered>(number());
  if (type == "box" || type == "ellipsoid") {
    const double x = number(), y = number(), z = number();
    if (type == "box") return std::make_shared<Boxd>(x, y, z);
    return std::make_shared<Ellipsoidd>(x, y, z);
  }
  if (!isMesh) {
    const double radius = number(), length = number();
    if (type == "capsule") return std::make_shared<Capsuled>(radius, length);
    if (type == "cylinder") return std::make_shared<Cylinderd>(radius, length);
    return std::make_shared<Coned>(radius, length);
  }
  std::vector<Vector3d> points(static_cast<size_t>(number()));
  std::vector<Triangle> triangles(static_cast<size_t>(number()));
  for (Vector3d &p : points)
    for (int k = 0; k < 3; k++) p[k] = number();
  for (Triangle &t : triangles) {
    const size_t a = number(), b = number(), c = number();
    t.set(a, b, c);
  }
  auto model = std::make_shared<BVHModel<OBBRSSd>>();
  model->beginModel();
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

int main() {
  std::ios::sync_with_stdio(false);
  bool isMesh = false;
  const auto A = readShape(isMesh);
  const auto B = readShape(isMesh);
  std::vector<Transform3d> poses(static_cast<size_t>(number()));
  for (Transform3d &X : poses) {
    X.setIdentity();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) X.linear()(i, j) = number();
    for (int i = 0; i < 3; i++) X.translation()[i] = number();
  }
  const Transform3d origin = Transform3d::Identity();
  const auto ask = [&](bool isDistance, const Transform3d &X) -> double {
    if (isDistance) {
      DistanceRequestd request;
      request.enable_signed_distance = !isMesh;
      DistanceResultd result;
      return distance(A.get(), origin, B.get(), X, request, result);
    }
    CollisionResultd result;
    return collide(A.get(), origin, B.get(), X, CollisionRequestd(), result) > 0 ? 1 : 0;
  };
  size_t next = 0;
  std::string command, query;
  while (std::cin >> command >> query) {
    const bool isDistance = query == "distance";
    if (command == "answers") {
      for (const Transform3d &X : poses) std::printf("%.17g ", ask(isDistance, X));
    } else {
      const int count = static_cast<int>(number());
      double sum = 0;
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < count; i++) {
        sum += ask(isDistance, poses[next]);
        next = (next + 1) % poses.size();
      }
      const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
      std::printf("%.3f %g", elapsed.count() / count, sum); // the sum keeps the compiler from dropping the work
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

// Times Embree's first hits for the suite `raycast`, in the same run as ours, on one thread. The mesh and the rays come from a file:
//
//   i32 V, T, R     vertices, triangles, rays
//   3 V f32, 3 T u32, 6 R f64     vertices, triangles, rays (origin, direction)
//
// Commands from standard input, one line of answer each:
//   hits       -> how many of the rays hit
//   time K     -> nanoseconds per pass over all rays, in the mean of K
#include <embree3/rtcore.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

template <typename Number>
static std::vector<Number> readNumbers(FILE* file, size_t count) {
  std::vector<Number> numbers(count);
  if (fread(numbers.data(), sizeof(Number), count, file) != count) exit(1);
  return numbers;
}

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "rb") : nullptr;
  if (!file) return 1;
  const std::vector<int> counts = readNumbers<int>(file, 3);
  const std::vector<float> vertices = readNumbers<float>(file, 3 * size_t(counts[0]));
  const std::vector<unsigned> triangles = readNumbers<unsigned>(file, 3 * size_t(counts[1]));
  const std::vector<double> rays = readNumbers<double>(file, 6 * size_t(counts[2]));
  fclose(file);

  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = rtcNewScene(device);
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  void* to = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, counts[0]);
  std::copy(vertices.begin(), vertices.end(), static_cast<float*>(to));
  to = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, counts[1]);
  std::copy(triangles.begin(), triangles.end(), static_cast<unsigned*>(to));
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene);

  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  const auto pass = [&] {
    long hits = 0;
    for (int i = 0; i < counts[2]; i++) {
      const double* ray = &rays[6 * size_t(i)];
      RTCRayHit hit = {};
      hit.ray.org_x = float(ray[0]);
      hit.ray.org_y = float(ray[1]);
      hit.ray.org_z = float(ray[2]);
      hit.ray.dir_x = float(ray[3]);
      hit.ray.dir_y = float(ray[4]);
      hit.ray.dir_z = float(ray[5]);
      hit.ray.tfar = std::numeric_limits<float>::infinity();
      hit.ray.mask = -1;
      hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(scene, &context, &hit);
      hits += hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    return hits;
  };
  std::string command;
  while (std::cin >> command) {
    if (command == "hits") {
      std::cout << pass() << std::endl;
      continue;
    }
    int repeats = 0;
    std::cin >> repeats;
    long hits = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < repeats; r++) hits += pass();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    std::cout << (hits < 0 ? 0 : took.count() / repeats) << std::endl;
  }
}

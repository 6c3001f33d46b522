#include "cli/parts/here.hpp"

#include "executor/team.hpp"

#ifdef QUADRILLE_HWLOC
#include <hwloc.h>
#endif

namespace quadrille::cli {

#ifdef QUADRILLE_HWLOC

namespace {

class Hardware {
 public:
  Hardware() {
    if (hwloc_topology_init(&topology_) != 0) return;
    made_ = true;
    loaded_ = hwloc_topology_load(topology_) == 0;
  }
  ~Hardware() {
    if (made_) hwloc_topology_destroy(topology_);
  }
  Hardware(const Hardware&) = delete;
  Hardware& operator=(const Hardware&) = delete;

  bool loaded() const { return loaded_; }
  /// A type that is spread over several levels has no number: none.
  int count(hwloc_obj_type_t type) const {
    const int found = hwloc_get_nbobjs_by_type(topology_, type);
    return found < 0 ? 0 : found;
  }
  Here::Cache cache(hwloc_obj_type_t type, int level) const {
    const hwloc_obj_t first = hwloc_get_obj_by_type(topology_, type, 0);
    if (first == nullptr) return {};
    return {level, static_cast<Bytes>(first->attr->cache.size), count(type), hwloc_bitmap_weight(first->cpuset)};
  }

 private:
  hwloc_topology_t topology_{};
  bool made_ = false, loaded_ = false;
};

}  // namespace

Here here() {
  Here found;
  found.threads = executor::usable_cores();
  const Hardware hardware;
  if (!hardware.loaded()) return found;
  found.known = true;
  found.sockets = hardware.count(HWLOC_OBJ_PACKAGE);
  found.memories = hardware.count(HWLOC_OBJ_NUMANODE);
  found.cores = hardware.count(HWLOC_OBJ_CORE);
  found.threads = hardware.count(HWLOC_OBJ_PU);
  int level = 1;
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE})
    if (const Here::Cache cache = hardware.cache(type, level++); cache.count > 0) found.caches.push_back(cache);
  return found;
}

#else

Here here() {
  Here found;
  found.threads = executor::usable_cores();
  return found;
}

#endif

}  // namespace quadrille::cli

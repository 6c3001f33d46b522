#include "mpi/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

namespace quadrille::mpi {

namespace {

static_assert(sizeof(Notice) == 64 && std::atomic<std::uint64_t>::is_always_lock_free);

constexpr Bytes page = 4096;
constexpr Bytes small_unit = 64;                ///< what a small allocation is aligned to: no line of caches is in two
constexpr Bytes notice_bytes = Bytes{4} << 20;  ///< the object's first part; its first notice holds the token
constexpr Bytes most_bytes = Bytes{64} << 30;   ///< of one arena, so that those of a host fit an address space
constexpr Bytes least_bytes = Bytes{64} << 20;  ///< with less it is not worth it

std::string link_target(const char* path) {
  std::error_code error;
  return std::filesystem::read_symlink(path, error).string();
}

/// Processes of one kernel in the same namespaces; 0 when unknown. Namespaces stand for hosts where hosts are tried out
/// on one machine.
std::int64_t host_identity() {
  std::string all;
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  if (!(boot >> all)) return 0;
  for (const char* space : {"pid", "user", "uts", "net", "ipc", "mnt"})
    all += link_target(("/proc/self/ns/" + std::string(space)).c_str());
  return static_cast<std::int64_t>(std::hash<std::string>()(all) >> 2) + 1;
}

/// As much as a quarter of the machine's memory, all of which it may take in the end; 0: none is to be made.
Bytes size_wanted() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return 0;
  const Bytes quarter = static_cast<Bytes>(sysconf(_SC_PHYS_PAGES)) * page / 4;
  const Bytes size = std::min(quarter, most_bytes) / page * page;
  return size < least_bytes ? 0 : size;
}

template <class T>
T* map(int descriptor, Bytes from, Bytes bytes, int protection) {
  void* const at = mmap(nullptr, static_cast<std::size_t>(bytes), protection, MAP_SHARED | MAP_NORESERVE, descriptor,
                        static_cast<off_t>(from));
  return at == MAP_FAILED ? nullptr : static_cast<T*>(at);
}

/// Both parts, or none.
template <class T>
std::pair<Notice*, T*> map_both(int descriptor, Bytes data_bytes, int protection) {
  auto* const notices = map<Notice>(descriptor, 0, notice_bytes, PROT_READ | PROT_WRITE);
  if (notices == nullptr) return {};
  auto* const data = map<T>(descriptor, notice_bytes, data_bytes, protection);
  if (data == nullptr) munmap(notices, static_cast<std::size_t>(notice_bytes));
  return data == nullptr ? std::pair<Notice*, T*>{} : std::pair<Notice*, T*>{notices, data};
}

}  // namespace

std::int64_t Arena::Ledger::take(std::int64_t length, std::int64_t alignment) {
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const auto [start, room] = *at;
    const std::int64_t begin = (start + alignment - 1) / alignment * alignment;
    if (begin + length > start + room) continue;
    free_.erase(at);
    if (begin > start) free_[start] = begin - start;
    if (start + room > begin + length) free_[begin + length] = start + room - begin - length;
    taken_[begin] = length;
    return begin;
  }
  return -1;
}

std::int64_t Arena::Ledger::give_back(std::int64_t start) {
  const auto was = taken_.find(start);
  if (was == taken_.end()) return 0;
  const std::int64_t length = was->second;
  taken_.erase(was);
  auto here = free_.emplace(start, length).first;
  if (const auto next = std::next(here); next != free_.end() && start + length == next->first) {
    here->second += next->second;
    free_.erase(next);
  }
  if (here == free_.begin()) return length;
  if (const auto before = std::prev(here); before->first + before->second == start) {
    before->second += here->second;
    free_.erase(here);
  }
  return length;
}

Arena& Arena::get() {
  static Arena* const arena = new Arena;
  return *arena;
}

Arena::Arena() {
  identity_.host = host_identity();
  data_bytes_ = size_wanted();
  if (identity_.host == 0 || data_bytes_ == 0) return;
  const int descriptor = memfd_create("quadrille", MFD_CLOEXEC);
  if (descriptor < 0) return;
  std::int64_t token = 0;
  if (ftruncate(descriptor, static_cast<off_t>(notice_bytes + data_bytes_)) == 0 &&
      getrandom(&token, sizeof token, 0) == sizeof token)
    std::tie(notices_, data_) = map_both<std::byte>(descriptor, data_bytes_, PROT_READ | PROT_WRITE);
  if (data_ == nullptr) {
    close(descriptor);
    return;
  }
  notices_[0].place = token;
  identity_ = {identity_.host, getpid(), descriptor, notice_bytes + data_bytes_, token};
  data_ledger_ = Ledger(data_bytes_);
  notice_ledger_ = Ledger(notice_bytes / small_unit);
  notice_ledger_.take(1, 1);
}

std::byte* Arena::allocate(Bytes bytes) {
  if (!exists() || bytes <= 0 || bytes > data_bytes_) return nullptr;
  const std::scoped_lock lock(mutex_);
  const Bytes unit = bytes < page ? small_unit : page;
  const Bytes length = (bytes + unit - 1) / unit * unit;
  const std::int64_t at = data_ledger_.take(length, unit);
  if (at < 0) return nullptr;
  used_ += length;
  if (used_ > most_) most_ = used_.load();
  return data_ + at;
}

bool Arena::free(const void* memory) {
  const std::int64_t at = place(memory, 1);
  if (at < 0) return false;
  const std::scoped_lock lock(mutex_);
  const Bytes length = data_ledger_.give_back(at);
  if (length == 0) return false;
  used_ -= length;
  // By this call, which MPIs watch: networks must forget where these pages were.
  if (length % page == 0 && at % page == 0) madvise(data_ + at, static_cast<std::size_t>(length), MADV_REMOVE);
  return true;
}

std::int64_t Arena::place(const void* memory, Bytes bytes) const {
  if (!exists()) return -1;
  const auto at = reinterpret_cast<std::uintptr_t>(memory), begin = reinterpret_cast<std::uintptr_t>(data_);
  const auto room = static_cast<std::uintptr_t>(data_bytes_), length = static_cast<std::uintptr_t>(bytes);
  if (at < begin || at - begin > room || length > room - (at - begin)) return -1;
  return static_cast<std::int64_t>(at - begin);
}

Notice* Arena::allocate_notices(std::size_t count) {
  if (!exists() || count == 0) return nullptr;
  const std::scoped_lock lock(mutex_);
  const std::int64_t at = notice_ledger_.take(static_cast<std::int64_t>(count), 1);
  if (at < 0) return nullptr;
  for (Notice* s = notices_ + at; s != notices_ + at + count; ++s) {
    s->ready = 0;
    s->taken = 0;
  }
  return notices_ + at;
}

void Arena::free_notices(Notice* notices) {
  const std::scoped_lock lock(mutex_);
  notice_ledger_.give_back(notices - notices_);
}

Room make_room(Bytes bytes, bool in_arena) {
  std::byte* const shared = in_arena ? Arena::get().allocate(bytes) : nullptr;
  return Room(shared != nullptr ? shared : new std::byte[static_cast<std::size_t>(bytes)]);
}

namespace {

const Window* map_window(const Arena::Identity& of) {
  const std::string path = "/proc/" + std::to_string(of.process) + "/fd/" + std::to_string(of.descriptor);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return nullptr;
  struct stat status {};
  std::pair<Notice*, const std::byte*> both;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == of.bytes)
    both = map_both<const std::byte>(descriptor, of.bytes - notice_bytes, PROT_READ);
  close(descriptor);
  if (both.second == nullptr) return nullptr;
  const auto data_bytes = static_cast<std::size_t>(of.bytes - notice_bytes);
  if (both.first[0].place != of.token) {
    munmap(both.first, static_cast<std::size_t>(notice_bytes));
    munmap(const_cast<std::byte*>(both.second), data_bytes);
    return nullptr;
  }
  madvise(const_cast<std::byte*>(both.second), data_bytes, MADV_DONTDUMP);
  return new Window{both.first, both.second};
}

}  // namespace

const Window* window(const Arena::Identity& identity) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::pair<std::int64_t, std::int64_t>, const Window*>;
  if (identity.token == 0 || identity.bytes <= notice_bytes) return nullptr;
  const std::scoped_lock lock(mutex);
  const std::pair key{identity.process, identity.token};
  const auto found = known->find(key);
  if (found != known->end()) return found->second;
  const Window* const made = map_window(identity);
  if (made != nullptr) known->emplace(key, made);
  return made;
}

}  // namespace quadrille::mpi

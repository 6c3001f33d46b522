// A walk through a list of extents, stretch by stretch.
#pragma once

#include <span>

#include "program/strided.hpp"

namespace quadrille::program {

class Cursor {
 public:
  explicit Cursor(std::span<const Extent> extents) : extents_(extents) {}
  bool done() const { return at_ == extents_.size(); }
  Buffer buffer() const { return extents_[at_].buffer[0]; }
  Bytes offset() const { return extents_[at_].offset[0] + stretch_ * extents_[at_].stride[0] + used_; }
  Bytes left() const { return extents_[at_].length - used_; }
  void advance(Bytes bytes) {
    used_ += bytes;
    if (left() > 0) return;
    used_ = 0;
    if (++stretch_ < extents_[at_].count) return;
    stretch_ = 0;
    ++at_;
  }

 private:
  std::span<const Extent> extents_;
  std::size_t at_ = 0;
  std::int64_t stretch_ = 0;
  Bytes used_ = 0;
};

}  // namespace quadrille::program

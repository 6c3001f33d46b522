// Messages of Protocol Buffers, written by their wire format: a key and a value for each field
// (https://protobuf.dev/programming-guides/encoding).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::interchange {

inline void append_varint(std::string& text, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  text += static_cast<char>(value);
}

/// The bytes of one message. Fields are added in the order of their numbers.
class ProtoMessage {
 public:
  /// uint32, uint64, enum and bool; int32 and int64 where they are not negative.
  void add(std::uint32_t field, std::uint64_t value) {
    append_varint(bytes_, std::uint64_t{field} << 3);
    append_varint(bytes_, value);
  }
  /// A string, or the bytes of another message.
  void add(std::uint32_t field, std::string_view value) {
    append_varint(bytes_, std::uint64_t{field} << 3 | 2);
    append_varint(bytes_, value.size());
    bytes_ += value;
  }
  /// Repeated numbers, in one piece.
  template <class Numbers>
  void add_packed(std::uint32_t field, const Numbers& values) {
    if (values.empty()) return;
    std::string packed;
    for (const std::uint64_t value : values) append_varint(packed, value);
    add(field, packed);
  }
  const std::string& bytes() const { return bytes_; }
  /// Its length, and itself.
  void append_to(std::string& stream) const {
    append_varint(stream, bytes_.size());
    stream += bytes_;
  }

 private:
  std::string bytes_;
};

}  // namespace quadrille::interchange

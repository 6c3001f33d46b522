// What a plan by demands takes, from before to after one call. Blocks are packed on both sides: rounded up to words
// they do not lie as the program has them.
#pragma once

#include "dropin/perform/exchange_call.hpp"

namespace quadrille::dropin {

class ExchangeEnds {
 public:
  /// `spec` has the demands; all of it stays until finish().
  ExchangeEnds(const Spec& spec, Packer packer, const ExchangeCall& call, Staging& staging);
  const void* in() const { return in_; }
  void* out() const { return out_; }
  /// The result goes to where the program wants it.
  void finish() const;

 private:
  void copy_own(Staging& staging) const;

  const Demands& demands_;
  const Packer packer_;
  const ExchangeCall& call_;
  std::byte *in_ = nullptr, *out_ = nullptr;
};

}  // namespace quadrille::dropin

// The answers to the last questions: a plan prices, proves and runs what was searched for once.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace quadrille::base {

/// Answers are kept until all of them together are larger than `most_bytes`; the last few always.
template <class Question, class Answer>
class Recent {
 public:
  explicit Recent(std::size_t most_bytes = 0) : most_bytes_(most_bytes) {}

  /// What `find` returned for this question before, or returns now, of `size(answer)` bytes.
  template <class Find, class Size>
  std::shared_ptr<const Answer> get(Question question, Find find, Size size) {
    {
      const std::lock_guard lock(mutex_);
      for (const Known& known : known_)
        if (known.question == question) return known.answer;
    }
    auto answer = std::make_shared<const Answer>(find());  // others may ask meanwhile
    const std::size_t bytes = size(*answer);
    const std::lock_guard lock(mutex_);
    known_.push_back({std::move(question), answer, bytes});
    for (bytes_ += bytes; known_.size() > few && bytes_ > most_bytes_; known_.pop_front())
      bytes_ -= known_.front().bytes;
    return answer;
  }
  template <class Find>
  std::shared_ptr<const Answer> get(Question question, Find find) {
    return get(std::move(question), std::move(find), [](const Answer&) { return std::size_t{1}; });
  }

 private:
  static constexpr std::size_t few = 8;
  struct Known {
    Question question;
    std::shared_ptr<const Answer> answer;
    std::size_t bytes;
  };
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::deque<Known> known_;  ///< the oldest first
  std::size_t bytes_ = 0;    ///< of all answers
};

}  // namespace quadrille::base

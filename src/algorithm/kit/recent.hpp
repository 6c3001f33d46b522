// The answers to the last few questions: a plan prices, proves and runs what was searched for once.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace quadrille::algorithm::kit {

template <class Question, class Answer>
class Recent {
 public:
  /// What `find` returned for this question before, or returns now.
  template <class Find>
  std::shared_ptr<const Answer> get(Question question, Find find) {
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [asked, answer] : known_)
        if (asked == question) return answer;
    }
    auto answer = std::make_shared<const Answer>(find());  // others may ask meanwhile
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_known) known_.erase(known_.begin());
    known_.emplace_back(std::move(question), answer);
    return answer;
  }

 private:
  static constexpr std::size_t most_known = 8;
  std::mutex mutex_;
  std::vector<std::pair<Question, std::shared_ptr<const Answer>>> known_;
};

}  // namespace quadrille::algorithm::kit

// A sweep's file: valid after every append, and continued where it ended.
#include "files/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/text.hpp"
#include "formats/table.hpp"
#include "quadrille/sweep.hpp"
#include "sweeps/row.hpp"

namespace quadrille {

namespace {

constexpr std::size_t most_bytes_of_sweeps = std::size_t{1} << 30;

Error refused(const std::string& path, std::string_view why, Error::Kind kind = Error::Kind::argument) {
  return Error(kind, fmt::format("sweep file {}: {}", base::quoted(path, 200), why));
}

Error failed(const std::string& path, int error) {
  return refused(path, fmt::format("cannot be written: {}", std::generic_category().message(error)));
}

}  // namespace

SweepForm sweep_form(const std::string& path) {
  if (files::is_standard_output(path))
    throw refused(path, "a sweep is continued in its file; expected the name of one");
  const formats::Format format = formats::by_ending(formats::Content::rows, path, "sweep file");
  return format.name == "csv" ? SweepForm::csv : SweepForm::json;
}

SweepFile::SweepFile(const std::string& path, const SweepQuestion& question, bool force)
    : path_(path), form_(sweep_form(path)) {
  const sweeps::SweepText form{form_};
  const std::string head = form.head(to_text(question));
  const files::Target target = files::target_of(path);
  if (!target.exists) files::write_file(path, head + std::string(form.tail()));
  file_ = ::open(target.path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) throw failed(path, errno);
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw refused(path, "another sweep is writing it; -o names another file");
    const std::string text = files::read_file(path, most_bytes_of_sweeps, "sweep file");
    if (text.starts_with(head)) {
      end_ = static_cast<std::int64_t>(head.size());
      if (!force) read(std::string_view(text).substr(head.size()), question);
    } else if (!force) {
      throw refused(path, fmt::format("{}; --force starts it anew, -o names another",
                                      text.starts_with(form.magic()) ? "holds the answers to another question"
                                                                     : "is not the file of a sweep"));
    } else {
      if (::ftruncate(file_, 0) != 0) throw failed(path, errno);
      write_at_end(head);
      end_ = static_cast<std::int64_t>(head.size());
    }
    write_at_end(form.tail());
    if (::ftruncate(file_, end_ + static_cast<std::int64_t>(form.tail().size())) != 0) throw failed(path, errno);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

SweepFile::~SweepFile() { ::close(file_); }

void SweepFile::read(std::string_view text, const SweepQuestion& question) {
  const sweeps::SweepText form{form_};
  const std::size_t each = question.choices.size();
  std::string_view rest = text;
  std::vector<SweepRow> rows;
  while (true) {
    const std::size_t i = kept_.size() + rows.size();
    std::optional<SweepRow> row;
    try {
      row = form.next(rest, i == 0);
      if (row) {
        if (i >= each * question.points.size()) throw Error(Error::Kind::format, "more rows than the question has");
        const Spec& spec = question.points[i / each];
        if (row->topology != spec.topology->text() || row->bytes != spec.bytes ||
            row->algorithm != question.choices[i % each].algorithm->name)
          throw Error(Error::Kind::format, "it is of another point or algorithm");
      }
    } catch (const Error& error) {
      throw refused(path_,
                    fmt::format("row {} is damaged: {}; --force starts it anew, -o names another", i + 1, error.what()),
                    Error::Kind::format);
    }
    if (!row) break;
    rows.push_back(*std::move(row));
    if (rows.size() < each) continue;
    kept_.insert(kept_.end(), rows.begin(), rows.end());
    rows.clear();
    end_ += static_cast<std::int64_t>(text.size() - rest.size());
    text = rest;
  }
  rows_ = kept_.size();
}

void SweepFile::write_at_end(std::string_view text) {
  std::int64_t at = end_;
  while (!text.empty()) {
    const ssize_t n = ::pwrite(file_, text.data(), text.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw failed(path_, errno);
    text.remove_prefix(static_cast<std::size_t>(n));
    at += n;
  }
  if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) throw failed(path_, errno);
}

void SweepFile::append(const std::vector<SweepRow>& rows) {
  const sweeps::SweepText form{form_};
  std::string text;
  for (const SweepRow& row : rows) text += form.row(row, rows_++ == 0);
  const auto size = static_cast<std::int64_t>(text.size());
  write_at_end(text + std::string(form.tail()));
  end_ += size;
}

}  // namespace quadrille

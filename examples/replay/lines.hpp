// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of a stream as they become available, so that answers can go out before the program waits for more input.
#ifndef DYTQ_EXAMPLES_REPLAY_LINES_HPP
#define DYTQ_EXAMPLES_REPLAY_LINES_HPP

#include <istream>
#include <ostream>
#include <string>
#include <string_view>

namespace replay {

/// Nothing but white space. Such lines are skipped: they are not answered.
inline bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

class line_reader {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 26;

  explicit line_reader(std::istream& input) : buffer_(*input.rdbuf()) {}

  /// The next line that is not blank, without its end; it is valid until the next call. `before_waiting` is called
  /// when no whole line is at hand.
  template <class F>
  bool next(std::string_view& line, F before_waiting) {
    do {
      if (!next_of_any(line, before_waiting)) {
        return false;
      }
    } while (!too_long_ && is_blank(line));
    return true;
  }
  bool next(std::string_view& line) {
    return next(line, [] {});
  }

  /// Was the line longer than `longest_line`? It then is given empty.
  bool too_long() const { return too_long_; }
  /// Number of the line, from 1, blank lines included.
  std::size_t number() const { return number_; }

 private:
  template <class F>
  bool next_of_any(std::string_view& line, F before_waiting) {
    for (;;) {
      const std::size_t end = text_.find('\n', scanned_);
      if (end != std::string::npos) {
        give(line, end);
        begin_ = scanned_ = end + 1;
        return true;
      }
      if (text_.size() - begin_ > longest_line) {
        skipping_ = true;
        begin_ = text_.size();
      }
      text_.erase(0, begin_);
      begin_ = 0;
      scanned_ = text_.size();
      before_waiting();
      if (!fill()) {
        if (text_.empty() && !skipping_) {
          return false;
        }
        give(line, text_.size());  // the last line has no end
        begin_ = scanned_ = text_.size();
        return true;
      }
    }
  }
  void give(std::string_view& line, std::size_t end) {
    too_long_ = skipping_ || end - begin_ > longest_line;
    skipping_ = false;
    line = too_long_ ? std::string_view() : std::string_view(text_).substr(begin_, end - begin_);
    ++number_;
  }
  // What the stream has at hand, or waits for.
  bool fill() {
    if (buffer_.sgetc() == std::char_traits<char>::eof()) {
      return false;
    }
    const std::streamsize at_hand = buffer_.in_avail() > 0 ? buffer_.in_avail() : 1;
    const std::size_t before = text_.size();
    text_.resize(before + static_cast<std::size_t>(at_hand));
    buffer_.sgetn(text_.data() + before, at_hand);
    return true;
  }

  std::streambuf& buffer_;
  std::string text_;
  std::size_t begin_ = 0;    // of the next line
  std::size_t scanned_ = 0;  // no line ends before this
  std::size_t number_ = 0;
  bool skipping_ = false;
  bool too_long_ = false;
};

/// Answers every line of `input` that is not blank, one answer a line, in order. Whatever is ready is flushed before
/// the stream waits for more input.
void answer_stream(std::istream& input, std::ostream& output);

}  // namespace replay

#endif

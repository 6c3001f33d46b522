// What the paper says about its figures, held against both models: every number here is worked out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/hambrusch.hpp"

namespace quadrille::papers::hambrusch {

namespace {

using Claim = Reproduction::Claim;

/// What is the case in one model, and whether that is what the paper says.
struct Found {
  std::string text;
  bool holds;
};

class Claims {
 public:
  explicit Claims(Bench& bench) : bench_(bench) {}

  template <class Ours>
  void add(std::string key, std::string text, std::string paper, Ours ours, const std::string& why = "") {
    Claim claim{std::move(key), std::move(text), "", {std::move(paper)}, {}, true, why};
    for (model_ = 0; model_ < models; ++model_) {
      const Found found = ours();
      claim.ours.push_back({found.text + (found.holds ? "" : " (no)")});
      if (model_ == 0) claim.holds = found.holds;
    }
    all_.push_back(std::move(claim));
  }
  /// Milliseconds in the model that is being asked.
  double ms(const Run& run, Part part = Part::all) { return bench_.time(run, part).of(model_) * 1e3; }
  std::vector<Claim> take() { return std::move(all_); }

 private:
  Bench& bench_;
  std::size_t model_ = 0;
  std::vector<Claim> all_;
};

/// Least squares: slope and R squared.
struct Fit {
  double slope, r2;
};
Fit fit(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i], syy += y[i] * y[i];
  const double vx = sxx - sx * sx / n, vy = syy - sy * sy / n, cov = sxy - sx * sy / n;
  return {cov / vx, cov * cov / (vx * vy)};
}

/// The smallest and the largest of some values.
struct Range {
  double low = INFINITY, high = -INFINITY;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
};

void figure_two(Claims& c) {
  const auto curve = [&](const std::string& algorithm) {
    std::vector<double> x, y;
    for (const Slot s : figure_2_sources)
      x.push_back(static_cast<double>(s)), y.push_back(c.ms(figure_2(algorithm, s)));
    return fit(x, y);
  };
  const auto ratios = [&](const std::string& algorithm, Slot least) {
    Range range;
    for (const Slot s : figure_2_sources)
      if (s >= least)
        for (const std::string& br : the_three) range.add(c.ms(figure_2(algorithm, s)) / c.ms(figure_2(br, s)));
    return range;
  };
  c.add("2a", "Fig 2: for more than 4 sources 2-Step is clearly slower than the three Br", "slower", [&] {
    const Range range = ratios("2-Step", 5);
    return Found{fmt::format("{:.2f} to {:.2f} times", range.low, range.high), range.low > 1.25};
  });
  c.add("2b", "Fig 2: Xor is slower than the three Br for every number of sources", "slower", [&] {
    const Range range = ratios("Xor", 1);
    return Found{fmt::format("{:.1f} to {:.1f} times", range.low, range.high), range.low > 1};
  });
  c.add("2c", "Fig 2: the three Br grow linearly with the number of sources, 2-Step much more steeply", "linear", [&] {
    double r2 = 1, slope = 0;
    for (const std::string& br : the_three) r2 = std::min(r2, curve(br).r2), slope = std::max(slope, curve(br).slope);
    const double share = slope / curve("2-Step").slope;
    return Found{fmt::format("R^2 >= {:.3f}, slope {:.2f} of 2-Step's", r2, share), r2 > 0.99 && share <= 0.4};
  });
  c.add("2d", "Fig 2: 2-Step rises more steeply with the number of sources than Xor", "steeper", [&] {
    const double two = curve("2-Step").slope, x = curve("Xor").slope;
    return Found{fmt::format("{:.2f} against {:.2f} ms a source", two, x), two > x};
  });
}

void figure_three(Claims& c) {
  c.add("3a", "Fig 3: the Br curves are nearly flat to 512 bytes, then rise linearly", "little increase", [&] {
    double flat = 0, steep = INFINITY;
    for (const std::string& br : the_three) {
      flat = std::max(flat, c.ms(figure_3(br, 512)) / c.ms(figure_3(br, 32)));
      steep = std::min(steep, c.ms(figure_3(br, 16384)) / c.ms(figure_3(br, 8192)));
    }
    return Found{fmt::format("{:.2f} times to 512 B, then {:.2f} times per doubling", flat, steep),
                 flat < 1.35 && steep > 1.8};
  });
  c.add("3b", "Fig 3: Xor is nearly flat to 1 KiB", "almost flat", [&] {
    const double flat = c.ms(figure_3("Xor", 1024)) / c.ms(figure_3("Xor", 32));
    return Found{fmt::format("{:.2f} times", flat), flat < 1.2};
  });
  for (const std::string algorithm : {"2-Step", "Xor"})
    c.add(
        algorithm == "Xor" ? "3d" : "3c", fmt::format("Fig 3: {} is poor at every message size", algorithm), "poor",
        [&] {
          Range range;
          for (const Bytes bytes : figure_3_bytes)
            for (const std::string& br : the_three)
              range.add(c.ms(figure_3(algorithm, bytes)) / c.ms(figure_3(br, bytes)));
          return Found{fmt::format("{:.2f} to {:.1f} times the Br curves", range.low, range.high), range.low > 1.25};
        },
        algorithm == "Xor"
            ? ""
            : "lockstep charges a round one start-up, and rank 0 receives up to 30 messages in the first");
}

void figure_four(Claims& c) {
  c.add(
      "4", "Fig 4: on 4 to 16 processors Xor is as good as any other", "as good",
      [&] {
        Range range;
        for (const auto& mesh : figure_4_meshes)
          if (mesh.first * mesh.second <= 16) range.add(c.ms(figure_4("Xor", mesh)) / c.ms(figure_4("Br_Lin", mesh)));
        return Found{fmt::format("{:.1f} to {:.1f} times Br_Lin", range.low, range.high), range.high < 1.2};
      },
      "every source sends p - 1 messages one after another; it would take a start-up at the sender far below that of "
      "the whole message");
}

void figure_five(Claims& c) {
  const auto over = [&](const std::string& algorithm, const std::vector<std::string>& patterns) {
    Range range;
    for (const std::string& p : patterns) range.add(c.ms(figure_5(algorithm, p)));
    return range;
  };
  const std::vector<std::string> even{"R", "C", "E", "DR"}, uneven{"B", "Cr"};
  c.add("5a", "Fig 5: Br_xy_source takes about the same on rows, columns, equal and diagonals", "same", [&] {
    const Range range = over("Br_xy_source", even);
    return Found{fmt::format("{:.2f} to {:.2f} ms", range.low, range.high), range.high / range.low < 1.05};
  });
  c.add("5b", "Fig 5: Br_xy_source takes considerably longer on block and cross", "considerably", [&] {
    const double share = over("Br_xy_source", uneven).low / over("Br_xy_source", even).high;
    return Found{fmt::format("{:+.0f} % at least", 100 * (share - 1)), share > 1.05};
  });
  c.add("5c", "Fig 5: Br_Lin is the best of the three on block and cross", "best", [&] {
    std::string text;
    bool best = true;
    for (const std::string& p : uneven) {
      const double lin = c.ms(figure_5("Br_Lin", p));
      const double other = std::min(c.ms(figure_5("Br_xy_source", p)), c.ms(figure_5("Br_xy_dim", p)));
      best = best && lin <= other;
      text += fmt::format("{}{} {:.2f}, others {:.2f} ms", text.empty() ? "" : "; ", p, lin, other);
    }
    return Found{text, best};
  });
  c.add("5d", "Fig 5: on rows Br_xy_dim pays much for the wrong dimension first", "big increase", [&] {
    const double dim = c.ms(figure_5("Br_xy_dim", "R")), source = c.ms(figure_5("Br_xy_source", "R"));
    return Found{fmt::format("{:.2f} against {:.2f} ms", dim, source), dim > 1.1 * source};
  });
}

void figures_six_and_seven(Claims& c) {
  c.add("6", "Fig 6: of 80 KiB in all, Br_xy_source is faster from 40 sources than from 5", "7.3 against 11.4 ms", [&] {
    const double few = c.ms(figure_6("Br_xy_source", 5)), many = c.ms(figure_6("Br_xy_source", 40));
    return Found{fmt::format("{:.2f} against {:.2f} ms", many, few), many < few};
  });
  c.add(
      "7", "Fig 7: on 120 processors Br_Lin is faster from 15 sources than from 8", "faster",
      [&] {
        std::string faster;
        int n = 0;
        for (const bool row_major : {false, true})
          for (const auto& mesh : figure_7_meshes)
            if (c.ms(figure_7(mesh, 15, row_major)) < c.ms(figure_7(mesh, 8, row_major))) {
              faster += fmt::format(", {}x{}{}", mesh.first, mesh.second, row_major ? " row-major" : "");
              ++n;
            }
        return Found{fmt::format("for {} of 10{}", n, faster), n == 10};
      },
      "what spreads faster also sends nearly twice the data; the next line is what the paper explains it by");
  c.add(
      "7b", "Fig 7: 8 equally spaced sources gain no new holders at first, 15 do", "in every shape",
      [&] {
        int n = 0;
        for (const auto& mesh : figure_7_meshes) {
          const std::vector<Rank> eight = Bench::holders(figure_7(mesh, 8, true));
          const std::vector<Rank> fifteen = Bench::holders(figure_7(mesh, 15, true));
          n += eight[3] == 8 && fifteen[1] == 30 && fifteen[2] == 60 && fifteen[3] == 120;
        }
        return Found{fmt::format("{} of {} shapes, row-major", n, figure_7_meshes.size()),
                     n == static_cast<int>(figure_7_meshes.size())};
      },
      "120 = 15 x 8: sources 15 apart are half a line apart for three rounds; in snake order they are not");
}

/// A time of figure 8.
Run eight(const std::string& algorithm, bool large, const std::string& pattern) {
  return {algorithm, large ? 15 : 10, large ? 16 : 10, fmt::format("{}({})", pattern, large ? 58 : 20), 2048};
}

void figure_eight(Claims& c) {
  c.add("8a", "Fig 8: the time of Repos hardly depends on the distribution", "almost independent", [&] {
    std::string text;
    bool holds = true;
    for (const bool large : {false, true}) {
      Range range;
      for (const std::string pattern : {"R", "C", "E", "DR", "Cr", "B"})
        range.add(c.ms(eight("Repos", large, pattern)));
      text += fmt::format("{}{:.2f} to {:.2f} ms", text.empty() ? "" : "; ", range.low, range.high);
      holds = holds && range.high / range.low < 1.15;
    }
    return Found{text, holds};
  });
  c.add("8b", "Fig 8: the cross is the dearest distribution, well above rows, equal and diagonals", "by 32 % and more",
        [&] {
          double least = INFINITY;
          for (const bool large : {false, true})
            for (const std::string pattern : {"R", "E", "DR"})
              least = std::min(least,
                               c.ms(eight("Br_xy_source", large, "Cr")) / c.ms(eight("Br_xy_source", large, pattern)));
          return Found{fmt::format("by {:.0f} % and more", 100 * (least - 1)), least > 1.2};
        });
  c.add("8c", "Fig 8: on 15 x 16 columns take longer than rows", "9.3 against 7.5 ms", [&] {
    const double columns = c.ms(eight("Br_xy_source", true, "C")), rows = c.ms(eight("Br_xy_source", true, "R"));
    return Found{fmt::format("{:.2f} against {:.2f} ms", columns, rows), columns > rows};
  });
  c.add("8d", "Fig 8: moving the sources costs about 0.5 ms, to 2 KiB and fewer than half the ranks", "0.5 ms", [&] {
    Range range;
    for (const bool large : {false, true})
      for (const std::string pattern : {"E", "DR", "C", "Cr"})
        range.add(c.ms(eight("Repos", large, pattern), Part::opening));
    return Found{fmt::format("{:.2f} to {:.2f} ms", range.low, range.high), range.low > 0.3 && range.high < 0.7};
  });
}

void figure_nine(Claims& c) {
  const Run repos{"Repos", 8, 8, "Cr(15)", 2048}, part{"Part_xy_source", 8, 8, "Cr(15)", 2048};
  const Run cross{"Br_xy_source", 8, 8, "Cr(15)", 2048};
  c.add("9a", "Fig 9: from a cross, Repos beats not moving the sources", "4.1 against 4.5 ms", [&] {
    return Found{fmt::format("{:.2f} against {:.2f} ms", c.ms(repos), c.ms(cross)), c.ms(repos) < c.ms(cross)};
  });
  c.add("9b", "Fig 9: Repos beats Part_xy_source", "4.1 against 4.8 ms", [&] {
    return Found{fmt::format("{:.2f} against {:.2f} ms", c.ms(repos), c.ms(part)), c.ms(repos) < c.ms(part)};
  });
  c.add("9c", "Fig 9: the final exchange dominates Part_xy_source", "2.5 of 4.8 ms", [&] {
    const double last = c.ms(part, Part::closing), halves = c.ms(part, Part::between);
    return Found{fmt::format("{:.2f} of {:.2f} ms", last, c.ms(part)), last > 0.8 * halves};
  });
}

}  // namespace

std::vector<Claim> claims(Bench& bench) {
  Claims claims(bench);
  figure_two(claims);
  figure_three(claims);
  figure_four(claims);
  figure_five(claims);
  figures_six_and_seven(claims);
  figure_eight(claims);
  figure_nine(claims);
  return claims.take();
}

}  // namespace quadrille::papers::hambrusch

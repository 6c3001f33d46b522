#include "console/manual.hpp"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "console/completion.hpp"
#include "console/man_page.hpp"
#include "files/file.hpp"

namespace quadrille::console {

namespace {

struct ManualFlags {
  std::string folder;
  std::string zsh = "site-functions";
};

std::map<std::string, std::string> files_of(const CLI::App& app, const ManualFlags& flags) {
  const std::string name = app.get_name();
  std::map<std::string, std::string> files{{"man/man1/" + name + ".1", man_page(app)},
                                           {"bash-completion/completions/" + name, bash_completion(app)},
                                           {"zsh/" + flags.zsh + "/_" + name, zsh_completion(app)},
                                           {"fish/vendor_completions.d/" + name + ".fish", fish_completion(app)}};
  for (const CLI::App* command : app.get_subcommands({}))
    files["man/man1/" + name + "-" + command->get_name() + ".1"] = man_page(app, *command);
  return files;
}

void write_manual(const CLI::App& app, const ManualFlags& flags, Context& context) {
  nlohmann::ordered_json written = nlohmann::ordered_json::array();
  for (const auto& [name, text] : files_of(app, flags)) {
    const std::filesystem::path path = std::filesystem::path(flags.folder) / name;
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    if (failed)
      throw Error(Error::Kind::argument,
                  fmt::format("folder '{}': cannot be made: {}", path.parent_path().string(), failed.message()));
    files::write_file(path, text);
    written.push_back(path.string());
  }
  if (context.json) return context.print_json({{"files", written}});
  context.print("wrote   {} files in {}: man pages, and completion for bash, zsh and fish\n", written.size(),
                flags.folder);
}

}  // namespace

void add_manual(CLI::App& app, Context& context) {
  auto flags = std::make_shared<ManualFlags>();
  const std::string name = app.get_name();
  CLI::App& command = add_command(app, context, "manual", "Man pages and shell completion, as files",
                                  {name + " manual ~/.local/share", "sudo " + name + " manual /usr/local/share"});
  command.add_option("FOLDER", flags->folder, "Where man/, bash-completion/, zsh/ and fish/ are")
      ->required()
      ->type_name("");
  command.add_option("--zsh", flags->zsh, "The folder of zsh/ that it reads; default site-functions")
      ->type_name("NAME");
  command.callback([flags, &app, &context] { write_manual(app, *flags, context); });
}

}  // namespace quadrille::console

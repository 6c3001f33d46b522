// XML by way of expat, which a web page is built without.
#include <expat.h>
#include <fmt/format.h>

#include <memory>

#include "base/text.hpp"
#include "interchange/xml_tree.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::size_t most_depth = 100;
constexpr std::int64_t most_elements = std::int64_t{1} << 22;

/// What the parser's functions fill. They must not throw through C, so they note what is wrong and stop.
struct XmlReading {
  XML_Parser parser = nullptr;
  XmlElement root = {};
  std::vector<XmlElement*> open = {};
  std::int64_t elements = 0;
  std::string wrong = {};

  std::int64_t line() const { return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser)); }
  void stop(const std::string& why) {
    if (wrong.empty()) wrong = why;
    XML_StopParser(parser, XML_FALSE);
  }
};

void xml_begin(void* data, const XML_Char* name, const XML_Char** attributes) {
  auto& reading = *static_cast<XmlReading*>(data);
  if (reading.open.size() >= most_depth) return reading.stop("elements nested more than 100 deep");
  if (++reading.elements > most_elements) return reading.stop("more than 2^22 elements");
  XmlElement element{.name = name, .line = reading.line()};
  for (; *attributes != nullptr; attributes += 2) element.attributes.emplace_back(attributes[0], attributes[1]);
  if (reading.open.empty()) {
    reading.root = std::move(element);
    reading.open.push_back(&reading.root);
  } else {
    // A parent's children move only while none of them is open.
    std::vector<XmlElement>& siblings = reading.open.back()->children;
    siblings.push_back(std::move(element));
    reading.open.push_back(&siblings.back());
  }
}

void xml_end(void* data, const XML_Char*) { static_cast<XmlReading*>(data)->open.pop_back(); }

void xml_entity(void* data, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
                const XML_Char*, const XML_Char*) {
  static_cast<XmlReading*>(data)->stop("it defines entities; expected none");
}

}  // namespace

XmlElement parse_xml(const std::string& text, std::string_view file) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr),
                                                                                             XML_ParserFree);
  if (parser == nullptr || text.size() > (std::size_t{1} << 30))
    throw Error(Error::Kind::budget, fmt::format("{}: too large to be read", base::quoted(file, 200)));
  XmlReading reading{.parser = parser.get()};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), xml_begin, xml_end);
  XML_SetEntityDeclHandler(parser.get(), xml_entity);
  const XML_Status status = XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), 1);
  if (status != XML_STATUS_OK)
    refuse_line(file, reading.line(),
                !reading.wrong.empty() ? reading.wrong
                                       : fmt::format("no XML: {}", XML_ErrorString(XML_GetErrorCode(parser.get()))));
  return std::move(reading.root);
}

}  // namespace quadrille::interchange

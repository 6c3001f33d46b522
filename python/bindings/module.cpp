// The module `quadrille._quadrille`: its parts, and the one exception.
#include "bindings.hpp"
#include "quadrille/version.hpp"

namespace quadrille::python {

namespace {

/// Raises quadrille.Error with the same text; `kind` is an attribute of it.
void add_error(py::module_& m) {
  static PyObject* error;  // lives as long as the process: the translator outlives the interpreter's objects
  error = PyErr_NewExceptionWithDoc(
      "quadrille.Error",
      "What a question is refused for. The text says what is wrong, where, and what would be accepted.\n\n"
      "kind: 'argument', 'illegal', 'format', 'budget', 'transport' or 'internal'.",
      PyExc_ValueError, nullptr);
  m.attr("Error") = py::handle(error);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& e) {
      py::object raised = py::handle(error)(e.what());
      raised.attr("kind") = py::str(std::string(to_string(e.kind())));
      PyErr_SetObject(error, raised.ptr());
    }
  });
}

}  // namespace

}  // namespace quadrille::python

PYBIND11_MODULE(_quadrille, m) {
  using namespace quadrille::python;
  m.attr("__version__") = QUADRILLE_VERSION;
  add_error(m);
  add_networks(m);
  add_questions(m);
  add_results(m);
  add_schedules(m);
  add_plans(m);
}

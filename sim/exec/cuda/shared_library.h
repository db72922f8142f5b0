#pragma once
// A library loaded at run time. Stays loaded, as such libraries keep threads.

#include <dlfcn.h>

#include <string>

namespace syncsim {

class SharedLibrary {
 public:
  explicit SharedLibrary(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) fault_ = dlerror();
  }
  bool is_loaded() const { return handle_ != nullptr; }
  const std::string& fault() const { return fault_; }  // why it is not

  // nullptr where it has none of that name.
  template <class Function>
  Function* function(const char* name) const {
    return is_loaded() ? reinterpret_cast<Function*>(dlsym(handle_, name)) : nullptr;
  }

 private:
  void* handle_;
  std::string fault_;
};

}  // namespace syncsim

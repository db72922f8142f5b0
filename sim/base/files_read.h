#pragma once
// Which files this process has read, so that no result is put in the place of one. Known by device
// and inode, however their paths are written. From any thread.

#include <string>

namespace syncsim {

// To be called where a file is opened to be read; "/dev/stdin" is what standard input leads to.
// What is no regular file (a pipe) is passed over.
void note_read(const std::string& path);

bool was_read(const std::string& path);

}  // namespace syncsim

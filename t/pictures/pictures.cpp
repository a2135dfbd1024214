// SPDX-License-Identifier: MIT
// Makes the pictures of the README: runs the program in a pseudo-terminal, as the tests do, and
// writes its screens as SVG. Usage: pictures DIRECTORY
#include <fstream>
#include <iostream>

#include "screens.hpp"

using namespace pbm::test;
namespace fs = std::filesystem;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "Usage: pictures DIRECTORY\n";
    return 2;
  }
  try {
    fs::create_directories(argv[1]);
    for (const Picture& picture : pictures()) {
      const std::string svg = draw_picture(picture);
      const fs::path file = fs::path(argv[1]) / (picture.name + ".svg");
      std::ofstream(file, std::ios::binary) << svg;
      std::cout << file.string() << ": " << svg.size() << " bytes\n";
    }
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}

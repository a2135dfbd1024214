// SPDX-License-Identifier: MIT
// Includes Catch2, as installed: version 2 is one header, version 3 one header for each feature.
#pragma once

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_version_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>
#include <catch2/matchers/catch_matchers.hpp>

using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

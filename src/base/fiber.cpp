// SPDX-License-Identifier: MIT
#include "base/fiber.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#ifdef __has_feature
#define PBM_SANITIZED __has_feature(address_sanitizer)
#else
#define PBM_SANITIZED 0
#endif
#if PBM_SANITIZED || defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace pbm {

namespace {

constexpr std::size_t kStack = 1U << 20;  // bytes; only the pages in use take memory

// Tell the address sanitizer which stack the program switches to.
#if PBM_SANITIZED || defined(__SANITIZE_ADDRESS__)
void leave(void** kept, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(kept, bottom, size);
}
void arrive(void* kept, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(kept, bottom, size);
}
#else
void leave(void**, const void*, std::size_t) {}
void arrive(void*, const void**, std::size_t*) {}
#endif

}  // namespace

struct Fiber::Stacks {
  std::function<void()> run;
  boost::context::fiber own, other;  // the fiber and its caller; the running one is empty
  bool running = false, ended = false;
  void begin();
  void *kept_own = nullptr, *kept_other = nullptr;
  const void *bottom = nullptr, *bottom_other = nullptr;
  std::size_t size_other = 0;
};

void Fiber::Stacks::begin() {
  boost::context::protected_fixedsize_stack room(kStack);
  const boost::context::stack_context stack = room.allocate();
  bottom = static_cast<const char*>(stack.sp) - stack.size;
  own = boost::context::fiber(std::allocator_arg,
                              boost::context::preallocated(stack.sp, stack.size, stack), room,
                              [this](boost::context::fiber&& from) {
                                arrive(nullptr, &bottom_other, &size_other);
                                other = std::move(from);
                                run();
                                ended = true;
                                running = false;
                                leave(nullptr, bottom_other, size_other);
                                return std::move(other);
                              });
}

Fiber::Fiber(std::function<void()> run) : stacks_(std::make_unique<Stacks>()) {
  stacks_->run = std::move(run);
}

Fiber::~Fiber() = default;

void Fiber::resume() {
  Stacks& s = *stacks_;
  if (!s.own) s.begin();
  s.running = true;
  leave(&s.kept_other, s.bottom, kStack);
  s.own = std::move(s.own).resume();
  arrive(s.kept_other, nullptr, nullptr);
}

void Fiber::suspend() {
  Stacks& s = *stacks_;
  s.running = false;
  leave(&s.kept_own, s.bottom_other, s.size_other);
  s.other = std::move(s.other).resume();
  arrive(s.kept_own, &s.bottom_other, &s.size_other);
}

bool Fiber::running() const { return stacks_->running; }
bool Fiber::ended() const { return stacks_->ended; }

}  // namespace pbm

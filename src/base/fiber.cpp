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

constexpr std::size_t kStackSize = 1U << 20;  // bytes; only the pages in use take memory

// Tell the address sanitizer which stack the program switches to.
#if PBM_SANITIZED || defined(__SANITIZE_ADDRESS__)
void begin_stack_switch(void** kept, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(kept, bottom, size);
}
void end_stack_switch(void* kept, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(kept, bottom, size);
}
#else
void begin_stack_switch(void**, const void*, std::size_t) {}
void end_stack_switch(void*, const void**, std::size_t*) {}
#endif

}  // namespace

struct Fiber::Stacks {
  std::function<void()> work;
  boost::context::fiber fiber, caller;  // the fiber and its caller; the running one is empty
  bool is_running = false, has_ended = false;
  void create_stack();
  void *saved_fiber = nullptr, *saved_caller = nullptr;
  const void *fiber_bottom = nullptr, *caller_bottom = nullptr;
  std::size_t caller_size = 0;
};

void Fiber::Stacks::create_stack() {
  boost::context::protected_fixedsize_stack room(kStackSize);
  const boost::context::stack_context stack = room.allocate();
  fiber_bottom = static_cast<const char*>(stack.sp) - stack.size;
  fiber = boost::context::fiber(std::allocator_arg,
                                boost::context::preallocated(stack.sp, stack.size, stack), room,
                                [this](boost::context::fiber&& from) {
                                  end_stack_switch(nullptr, &caller_bottom, &caller_size);
                                  caller = std::move(from);
                                  work();
                                  has_ended = true;
                                  is_running = false;
                                  begin_stack_switch(nullptr, caller_bottom, caller_size);
                                  return std::move(caller);
                                });
}

Fiber::Fiber(std::function<void()> run) : stacks_(std::make_unique<Stacks>()) {
  stacks_->work = std::move(run);
}

Fiber::~Fiber() = default;

void Fiber::resume() {
  Stacks& s = *stacks_;
  if (!s.fiber) s.create_stack();
  s.is_running = true;
  begin_stack_switch(&s.saved_caller, s.fiber_bottom, kStackSize);
  s.fiber = std::move(s.fiber).resume();
  end_stack_switch(s.saved_caller, nullptr, nullptr);
}

void Fiber::suspend() {
  Stacks& s = *stacks_;
  s.is_running = false;
  begin_stack_switch(&s.saved_fiber, s.caller_bottom, s.caller_size);
  s.caller = std::move(s.caller).resume();
  end_stack_switch(s.saved_fiber, &s.caller_bottom, &s.caller_size);
}

bool Fiber::is_running() const { return stacks_->is_running; }
bool Fiber::has_ended() const { return stacks_->has_ended; }

}  // namespace pbm

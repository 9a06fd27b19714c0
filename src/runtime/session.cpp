// The public class Session: forwards to Session::Impl.
#include <tenon/session.hpp>

#include "runtime/session_impl.hpp"

namespace tenon {

Session::Session(Server& server, SessionOptions options)
    : impl_(std::make_shared<Impl>(server.impl(), std::move(options))) {
    server.impl()->check_extensions();
    impl_->join();
}

Session::~Session() { impl_->close(); }

void Session::receive(std::string_view message) { impl_->receive(message); }
void Session::feed(std::string_view bytes) { impl_->feed(bytes); }
void Session::end_of_input() { impl_->end_of_input(); }
std::string Session::take_output() { return impl_->output()->take(); }
std::size_t Session::queued_output() const { return impl_->output()->size(); }
std::optional<TimePoint> Session::next_deadline() const { return impl_->next_deadline(); }
void Session::tick() { impl_->tick(); }
bool Session::idle() const { return impl_->idle(); }
void Session::shut_down(std::string_view why) { impl_->shut_down(why); }

}  // namespace tenon

#include "web/reply_stream.hpp"

#include "framing/sse.hpp"

namespace tenon::web {

void ReplyStream::respond(Response response) {
    phase_ = Phase::ended;
    writer_->respond(std::move(response));
    writer_.reset();
}

void ReplyStream::begin(Fields fields) {
    phase_ = Phase::streaming;
    writer_->begin_stream(std::move(fields));
}

void ReplyStream::write(std::string bytes) {
    if (writer_) writer_->write(std::move(bytes));
}

void ReplyStream::end() {
    phase_ = Phase::ended;
    disconnect();
}

void ReplyStream::write_comment() {
    if (phase_ != Phase::streaming) return;
    std::string comment;
    framing::append_sse_comment(comment);
    write(std::move(comment));
}

void ReplyStream::disconnect() {
    if (writer_) writer_->end();
    writer_.reset();
}

void ReplyStream::attach(WriterPtr writer, Fields fields) {
    disconnect();
    writer_ = std::move(writer);
    if (phase_ == Phase::undecided) phase_ = Phase::streaming;
    writer_->begin_stream(std::move(fields));
}

}  // namespace tenon::web

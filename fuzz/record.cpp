// Invariant: a stored record that is read, written and read again is the same record; garbage gives an empty one.
// Input: the text of a stored record.
#include "auth/client/record.hpp"

#include "support.hpp"

namespace tenon::fuzz::record_target {
namespace {

using namespace auth::client;

void run(std::string_view input) {
    const Record record = read_record(input);
    must(record.identities.size() <= max_identities, "identities are within their limit");
    const std::string written = write_record(record);
    const Record again = read_record(written);
    must(write_record(again) == written, "a written record reads the same");
    must(again.is_empty() == record.is_empty(), "a written record is as empty as it was");
}

const Target target{"record", run};

}  // namespace
}  // namespace tenon::fuzz::record_target

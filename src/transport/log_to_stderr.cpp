#include "transport/log_to_stderr.hpp"

#include <memory>
#include <string>
#include <system_error>

#include "base/printable.hpp"
#include "io/output.hpp"

namespace tenon {

LogSink log_to_stderr() {
    std::shared_ptr<io::Output> output;
    try {
        output = std::make_shared<io::Output>(2);
    } catch (const std::system_error&) {
        return [](LogLevel, std::string_view) {};
    }
    return [output](LogLevel level, std::string_view text) {
        if (level >= LogLevel::notice)
            output->write("tenon: " + std::string(to_string(level)) + ": " + base::printable(text) + "\n");
    };
}

}  // namespace tenon

#include "transport/log_to_stderr.hpp"

#include <memory>
#include <system_error>

#include "io/output.hpp"

namespace tenon {

LogSink log_to_stderr(LogFormat format) {
    std::shared_ptr<io::Output> output;
    try {
        output = std::make_shared<io::Output>(2);
    } catch (const std::system_error&) {
        return [](const LogRecord&) {};
    }
    return [output, format](const LogRecord& record) {
        if (record.level >= least_stderr_level) output->write(log_line(record, format) + "\n");
    };
}

}  // namespace tenon

// Typed tools: schemas, validation and structured results come from the C++ types.
#include <cmath>

#include <tenon/tenon.hpp>

enum class Unit { celsius, fahrenheit };
BOOST_DESCRIBE_ENUM(Unit, celsius, fahrenheit)

struct Forecast {
    std::string city;
    double temperature;
    Unit unit;
};
BOOST_DESCRIBE_STRUCT(Forecast, (), (city, temperature, unit))

struct Order {
    std::string article;
    int count;
    std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(Order, (), (article, count, note))
inline auto tenon_fields(Order*) {
    return tenon::fields(tenon::field<&Order::article>("What to order").pattern("^[A-Z]{2}-[0-9]{4}$"),
                         tenon::field<&Order::count>("How many").min(1).max(100));
}

int main() {
    tenon::Server server{"typed-tools", "1.0.0"};

    server.tool("forecast", "Tomorrow's temperature for a city",
                tenon::args(tenon::arg<std::string>("city", "City name").min_length(1),
                            tenon::arg<int>("days", "Days ahead").min(1).max(7).def(1),
                            tenon::arg<Unit>("unit", "Unit of the answer").def(Unit::celsius)),
                [](std::string city, int days, Unit unit) {
                    const double celsius = 21.5 - days;
                    return Forecast{std::move(city), unit == Unit::celsius ? celsius : celsius * 1.8 + 32, unit};
                },
                {.title = "Forecast", .annotations = {.readOnlyHint = true}});

    // One described struct can hold all arguments.
    server.tool("order", "Orders an article", [](Order order) {
        return "Ordered " + std::to_string(order.count) + " of " + order.article +
               (order.note ? " (" + *order.note + ")" : "");
    });

    // An exception becomes an error result, which the model can read.
    server.tool("root", "The square root of a number", tenon::args(tenon::arg<double>("x", "Not negative")),
                [](double x) {
                    if (x < 0) throw std::domain_error("x must not be negative");
                    return std::sqrt(x);
                });
    return tenon::serve(server);
}

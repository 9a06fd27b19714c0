#include "redis/address.hpp"

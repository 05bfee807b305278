// Runs a scenario file from C++: scenario FILE [TICKS]. Prints the hash that `throng run` prints.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "throng.hpp"

int main(int count, char **arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: scenario FILE [TICKS]\n");
        return 2;
    }
    try {
        throng::check(throng_check_interface(THRONG_INTERFACE));
        auto world = throng::World::from_file(arguments[1]);
        world.step(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 100);
        double mean = 0.0;
        std::size_t agents = 0;
        for (float x : world.positions(0, 0)) {
            mean += x;
            agents++;
        }
        std::printf("time %g s\nagents %zu\nmean x of the first species %g m\nevents %zu\nstate hash %016" PRIx64 "\n",
                    world.time(), world.population(), agents == 0 ? 0.0 : mean / static_cast<double>(agents),
                    world.events().size(), world.state_hash());
    } catch (const throng::Error &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}

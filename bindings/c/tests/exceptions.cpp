// Errors are exceptions with a status and a text, and a world is freed once, whatever moved.
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "throng.hpp"

static int failures = 0;

template <typename Call>
static void refused(throng_status status, const char *word, Call call) {
    try {
        call();
        std::printf("not refused: %s\n", word);
        failures++;
    } catch (const throng::Error &error) {
        if (error.status() == status && std::string(error.what()).find(word) != std::string::npos) return;
        std::printf("status %d, \"%s\" without \"%s\"\n", static_cast<int>(error.status()), error.what(), word);
        failures++;
    }
}

int main() {
    using throng::World;
    const std::string text =
        "format = 1\n[world]\ndimensions = 2\nsize = [50, 50]\n[species.bird]\ncount = 10\nbehaviours = [{ rule = \"separation\" }]\n";
    refused(THRONG_STATUS_SCENARIO, "there.toml", [] { World::from_file("/nowhere/there.toml"); });
    refused(THRONG_STATUS_SCENARIO, "scenario.toml:2:1", [] { World::from_text("format = 1\nsped = 2\n"); });
    refused(THRONG_STATUS_IO, "there.throng", [] { World::load("/nowhere/there.throng"); });

    World world = World::from_text(text);
    const auto before = world.state_hash();
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    refused(THRONG_STATUS_NOT_FOUND, "fish", [&] { world.species("fish"); });
    refused(THRONG_STATUS_NOT_FOUND, "species 9", [&] { world.name(9); });
    refused(THRONG_STATUS_NOT_FOUND, "species 9", [&] { world.ids(9); });
    refused(THRONG_STATUS_BAD_VALUE, "axis", [&] { world.positions(0, 2); });
    refused(THRONG_STATUS_BAD_VALUE, "radius", [&] { world.set_parameter(0, "separation.radius", nan); });
    refused(THRONG_STATUS_IO, "there.throng", [&] { world.save("/nowhere/there.throng"); });
    const float west[2] = {10, 20}, east[2] = {30, 20}, wall[4] = {20, 0, 20, 40};
    const throng_formation ring = {"ring", 1, 0, 0}, line = {"line", 2, 0, 0};
    refused(THRONG_STATUS_BAD_VALUE, "wedge", [&] { world.form(world.ids(0), ring, west, east); });
    refused(THRONG_STATUS_NOT_FOUND, "ground", [&] { world.route("ground", west, east); });
    failures += world.ray(west, east).has_value();
    failures += world.state_hash() != before;

    World field = World::from_text(text + "[navigation.ground]\ngoals = []\n");
    throng::check(throng_add_wall(field.handle(), wall, 2, 0, nullptr));
    const auto hit = field.ray(west, east);
    failures += !hit || hit->distance != 10 || hit->normal[0] != -1;
    const auto turns = field.route("ground", west, east);
    failures += turns.size() < 4 || turns[turns.size() - 2] != 30 || turns[turns.size() - 1] != 20;
    const auto unordered = field.state_hash();
    field.form(field.ids(0), line, west, east);
    failures += field.state_hash() == unordered;

    World other = std::move(world);
    refused(THRONG_STATUS_STALE, "zero", [&] { world.step(); });  // it has no handle
    failures += other.state_hash() != before;
    world = std::move(other);
    refused(THRONG_STATUS_STALE, "zero", [&] { other.step(); });
    const auto handle = world.handle();
    { World last = std::move(world); }
    uint64_t tick = 0;
    refused(THRONG_STATUS_STALE, "freed", [&] { throng::check(throng_tick(handle, &tick)); });

    std::printf("%s\n", failures == 0 ? "ok" : "FAILED");
    return failures == 0 ? 0 : 1;
}

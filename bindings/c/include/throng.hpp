/**
 * throng in C++17: a world as an object that frees itself, errors as exceptions, columns as ranges. It adds nothing to
 * throng.h, which has the documentation of each function.
 */
#ifndef THRONG_HPP
#define THRONG_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "throng.h"

namespace throng {

/** A call that failed. `what()` is the text of the error. */
class Error : public std::runtime_error {
public:
    explicit Error(throng_status status) : std::runtime_error(throng_error()), status_(status) {}
    throng_status status() const noexcept { return status_; }

private:
    throng_status status_;
};

/** Throws an Error unless the status is OK. */
inline void check(throng_status status) {
    if (status != THRONG_STATUS_OK) throw Error(status);
}

/** Numbers of a world, read where they are. They are valid until the world changes. */
class Numbers {
public:
    Numbers(const float *first, std::size_t count) : first_(first), count_(count) {}
    const float *begin() const noexcept { return first_; }
    const float *end() const noexcept { return first_ + count_; }
    const float *data() const noexcept { return first_; }
    std::size_t size() const noexcept { return count_; }
    float operator[](std::size_t row) const noexcept { return first_[row]; }

private:
    const float *first_;
    std::size_t count_;
};

/** A world. It can be moved, and not copied. */
class World {
public:
    /** The world of a scenario file. */
    static World from_file(const std::string &path) {
        return make([&](throng_world *world) { return throng_from_file(path.c_str(), world); });
    }
    /** The world of a scenario's text. */
    static World from_text(const std::string &scenario) {
        return make([&](throng_world *world) { return throng_from_text(scenario.c_str(), world); });
    }
    /** The world of a snapshot. */
    static World load(const std::string &path) {
        return make([&](throng_world *world) { return throng_load(path.c_str(), world); });
    }

    World(const World &) = delete;
    World &operator=(const World &) = delete;
    World(World &&other) noexcept : world_(std::exchange(other.world_, 0)) {}
    World &operator=(World &&other) noexcept {
        std::swap(world_, other.world_);
        return *this;
    }
    ~World() {
        if (world_ != 0) throng_free(world_);
    }

    /** The handle, for the functions of throng.h. */
    throng_world handle() const noexcept { return world_; }

    /** Another world with the same state: both continue with the same bits. */
    World clone() const {
        return make([&](throng_world *world) { return throng_clone(world_, world); });
    }
    void step(std::uint64_t ticks = 1) { check(throng_step(world_, ticks)); }
    void save(const std::string &path) const { check(throng_save(world_, path.c_str())); }
    void set_parameter(throng_species species, const std::string &path, double value) {
        check(throng_set_parameter(world_, species, path.c_str(), value));
    }
    void form(const std::vector<std::uint64_t> &ids, const throng_formation &formation, const float *middle,
              const float *facing) {
        check(throng_form(world_, ids.data(), ids.size(), &formation, middle, facing));
    }
    /** The first wall or obstacle on a straight line, if there is one. */
    std::optional<throng_hit> ray(const float *from, const float *to) const {
        std::uint8_t met{};
        throng_hit hit{};
        check(throng_ray(world_, from, to, &met, &hit));
        return met != 0 ? std::optional<throng_hit>(hit) : std::nullopt;
    }
    /** The points at which a way turns, and its end: two numbers one after the other. Empty if no way leads there. */
    std::vector<float> route(const std::string &navigation, const float *from, const float *to) const {
        std::size_t count{};
        check(throng_route(world_, navigation.c_str(), from, to, nullptr, 0, &count));
        std::vector<float> points(2 * count);
        check(throng_route(world_, navigation.c_str(), from, to, points.data(), count, &count));
        return points;
    }
    std::uint64_t state_hash() const { return get<std::uint64_t>(throng_state_hash); }
    std::uint64_t tick() const { return get<std::uint64_t>(throng_tick); }
    double time() const { return get<double>(throng_time); }
    std::size_t dimensions() const { return get<std::size_t>(throng_dimensions); }
    std::size_t population() const { return get<std::size_t>(throng_population); }

    throng_species species(const std::string &name) const {
        throng_species found{};
        check(throng_species_named(world_, name.c_str(), &found));
        return found;
    }
    std::string name(throng_species species) const {
        std::size_t length{};
        check(throng_species_name(world_, species, nullptr, 0, &length));
        std::string name(length + 1, '\0');
        check(throng_species_name(world_, species, name.data(), name.size(), &length));
        name.resize(length);
        return name;
    }
    Numbers positions(throng_species species, std::size_t axis) const {
        return numbers(throng_positions, species, axis);
    }
    Numbers velocities(throng_species species, std::size_t axis) const {
        return numbers(throng_velocities, species, axis);
    }
    void keep_previous(bool keep = true) { check(throng_keep_previous(world_, keep)); }
    /** Where to draw each agent between two ticks: `dimensions()` numbers one after the other. */
    std::vector<float> drawn(throng_species species, float share) const {
        std::size_t count{};
        check(throng_agents_count(world_, species, &count));
        std::vector<float> positions(count * dimensions());
        check(throng_drawn(world_, species, share, positions.data(), count, &count));
        return positions;
    }
    std::vector<std::uint64_t> ids(throng_species species) const {
        std::size_t count{};
        check(throng_agents_count(world_, species, &count));
        std::vector<std::uint64_t> ids(count);
        check(throng_ids(world_, species, ids.data(), ids.size(), &count));
        return ids;
    }
    std::vector<throng_event> events() const {
        std::size_t count{};
        check(throng_events(world_, nullptr, 0, &count));
        std::vector<throng_event> events(count);
        check(throng_events(world_, events.data(), events.size(), &count));
        return events;
    }

private:
    explicit World(throng_world world) noexcept : world_(world) {}

    template <typename Make>
    static World make(Make make) {
        throng_world world{};
        check(throng_check_interface(THRONG_INTERFACE));
        check(make(&world));
        return World(world);
    }
    template <typename T, typename Read>
    T get(Read read) const {
        T value{};
        check(read(world_, &value));
        return value;
    }
    template <typename Read>
    Numbers numbers(Read read, throng_species species, std::size_t axis) const {
        const float *first = nullptr;
        std::size_t count{};
        check(read(world_, species, axis, &first, &count));
        return {first, count};
    }

    throng_world world_;
};

}  // namespace throng

#endif  // THRONG_HPP

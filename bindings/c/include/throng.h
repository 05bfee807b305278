/**
 * throng in C: worlds of agents, stepped in parallel, with the same bits on every machine.
 *
 * A world is a handle, a number. A handle that is zero, freed or made up is an error, not a crash. A world belongs to the
 * thread that created it; throng_claim moves it to another one. Every function returns a status, and throng_error has the
 * text of this thread's last error. A function that fails has changed nothing, unless its description says otherwise.
 *
 * Pointers: a null pointer where one is needed is an error. Other pointers must be valid for the call, with room for the
 * stated number of items; texts end with a zero byte and are UTF-8. A pointer that a function gives back is valid until
 * the next call with the same world that changes it: a step, an edit or throng_free.
 *
 * Units are metres, seconds and radians. Vectors have throng_dimensions() components, one after the other for each agent.
 */


#ifndef THRONG_H
#define THRONG_H

#include <stddef.h>
#include <stdint.h>

/**
 * The version of this interface. It changes when a function or a type changes.
 */
#define THRONG_INTERFACE 2

/**
 * The result of a call.
 */
typedef enum throng_status {
    /**
     * The call succeeded.
     */
    THRONG_STATUS_OK = 0,
    /**
     * A pointer is null.
     */
    THRONG_STATUS_NULL = 1,
    /**
     * The handle is zero, or its world was freed.
     */
    THRONG_STATUS_STALE = 2,
    /**
     * The world belongs to another thread.
     */
    THRONG_STATUS_WRONG_THREAD = 3,
    /**
     * The world is in a step that called this function's caller.
     */
    THRONG_STATUS_IN_USE = 4,
    /**
     * A value is not allowed.
     */
    THRONG_STATUS_BAD_VALUE = 5,
    /**
     * An agent, species, column, rule or state does not exist.
     */
    THRONG_STATUS_NOT_FOUND = 6,
    /**
     * A scenario is refused; the text has file, line and column.
     */
    THRONG_STATUS_SCENARIO = 7,
    /**
     * A file cannot be read or written.
     */
    THRONG_STATUS_IO = 8,
    /**
     * A snapshot is damaged or of another version.
     */
    THRONG_STATUS_SNAPSHOT = 9,
    /**
     * The floating-point arithmetic of this thread is not the default: fesetenv(FE_DFL_ENV) restores it.
     */
    THRONG_STATUS_ARITHMETIC = 10,
    /**
     * A rule failed in a step.
     */
    THRONG_STATUS_RULE = 11,
    /**
     * Memory does not suffice for this many agents.
     */
    THRONG_STATUS_MEMORY = 12,
    /**
     * The library has another interface than the header.
     */
    THRONG_STATUS_VERSION = 13,
    /**
     * A defect of the library: it panicked.
     */
    THRONG_STATUS_PANIC = 14,
} throng_status;

/**
 * What happened.
 */
typedef enum throng_event_kind {
    /**
     * The agent was caught; `other` is the hunter's id.
     */
    THRONG_EVENT_KIND_CAUGHT = 0,
    /**
     * The tick discarded a steering or a velocity of the agent that was not finite or too large.
     */
    THRONG_EVENT_KIND_QUARANTINED = 1,
    /**
     * The agent reached the target of a rule.
     */
    THRONG_EVENT_KIND_ARRIVED = 2,
    /**
     * The agent ran into a wall; `other` is the wall's handle.
     */
    THRONG_EVENT_KIND_COLLIDED = 3,
    /**
     * A wall appeared on the agent and pushed it out; `other` is the wall's handle, `depth` how far they overlapped.
     */
    THRONG_EVENT_KIND_PUSHED_OUT = 4,
    /**
     * A moving wall stayed, for it would have crushed the agent; `other` is the wall's handle.
     */
    THRONG_EVENT_KIND_SQUEEZED = 5,
    /**
     * The agent left the world.
     */
    THRONG_EVENT_KIND_LEFT = 6,
    /**
     * A source spawned the agent; `other` is the source's handle.
     */
    THRONG_EVENT_KIND_SPAWNED = 7,
    /**
     * The agent does not exist any more; `other` is the handle of the sink that removed it, else UINT64_MAX.
     */
    THRONG_EVENT_KIND_REMOVED = 8,
    /**
     * The agent entered a region; `other` is the region's handle.
     */
    THRONG_EVENT_KIND_ENTERED_REGION = 9,
    /**
     * The agent left a region; `other` is the region's handle.
     */
    THRONG_EVENT_KIND_LEFT_REGION = 10,
    /**
     * The bodies of the agent and of another came into contact; `other` is the other's id.
     */
    THRONG_EVENT_KIND_TOUCHED = 11,
    /**
     * The two are in contact no longer; `other` is the other's id.
     */
    THRONG_EVENT_KIND_PARTED = 12,
    /**
     * An event that this version of the interface does not know.
     */
    THRONG_EVENT_KIND_UNKNOWN = 255,
} throng_event_kind;

/**
 * A world: zero is never one.
 */
typedef uint64_t throng_world;

/**
 * A species of a world: its number in the order of addition.
 */
typedef uint32_t throng_species;

/**
 * An event of the last tick.
 */
typedef struct throng_event {
    /**
     * What happened.
     */
    enum throng_event_kind kind;
    /**
     * The species of the agent.
     */
    uint32_t species;
    /**
     * The id of the agent.
     */
    uint64_t agent;
    /**
     * A further id or number: see the kind. Zero where there is none.
     */
    uint64_t other;
    /**
     * The depth in metres by which a wall that appeared and the agent overlapped; zero for the other kinds. Four bytes
     * of padding follow: an event takes 32.
     */
    float depth;
} throng_event;

/**
 * The form in which agents stand together.
 */
typedef struct throng_formation {
    /**
     * The shape: "line", "column", "wedge" or "box".
     */
    const char *shape;
    /**
     * The distance between places beside each other, in metres.
     */
    float spacing;
    /**
     * The distance between ranks, in metres, or zero for `spacing`.
     */
    float depth;
    /**
     * The number of files abreast of a line, a column or a box, or zero for the number of the shape.
     */
    uint64_t files;
} throng_formation;

/**
 * Where a line meets a wall or an obstacle. Two dimensions use the first two components.
 */
typedef struct throng_hit {
    /**
     * The distance from the start of the line, in metres.
     */
    float distance;
    /**
     * The point of the surface, in metres.
     */
    float point[3];
    /**
     * The unit normal of the surface, on the side of the start.
     */
    float normal[3];
} throng_hit;

/**
 * The agents of a species in a rule of the host. The pointers are valid for the call.
 */
typedef struct throng_agents {
    /**
     * The number of agents.
     */
    size_t count;
    /**
     * The number of dimensions: 2 or 3.
     */
    size_t dimensions;
    /**
     * The number of ticks the world has advanced by.
     */
    uint64_t tick;
    /**
     * The positions: one array of `count` numbers per axis.
     */
    const float *positions[3];
    /**
     * The velocities: one array of `count` numbers per axis.
     */
    const float *velocities[3];
    /**
     * The ids. The step may give agents other rows: what the host keeps for later belongs to ids.
     */
    const uint64_t *ids;
} throng_agents;

/**
 * A rule of the host: writes a force in newtons for each agent, `dimensions` numbers one after the other, which are
 * zero before. It returns 0, or another number to end the step with THRONG_STATUS_RULE.
 */
typedef int32_t (*throng_rule)(void *user, const struct throng_agents *agents, float *forces);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Adds a species without agents and rules.
 */
enum throng_status throng_add_species(throng_world world, const char *name, throng_species *species);

/**
 * Removes a species and all its agents. The numbers of other species stay valid, and this one is not assigned again.
 */
enum throng_status throng_remove_species(throng_world world, throng_species species);

/**
 * The number of species. Their numbers are consecutive from zero unless one was removed.
 */
enum throng_status throng_species_count(throng_world world, size_t *count);

/**
 * The species with a name.
 */
enum throng_status throng_species_named(throng_world world, const char *name, throng_species *species);

/**
 * Copies the name of a species with a zero byte at its end. `name` has room for `capacity` bytes; `length` gets the
 * bytes of the whole name without the zero. A name that does not fit is cut.
 */
enum throng_status throng_species_name(throng_world world,
                                       throng_species species,
                                       char *name,
                                       size_t capacity,
                                       size_t *length);

/**
 * The radius of the body of the agent in a row, in metres.
 */
enum throng_status throng_radius(throng_world world, throng_species species, size_t row, float *radius);

/**
 * The number of agents of a species.
 */
enum throng_status throng_agents_count(throng_world world, throng_species species, size_t *agents);

/**
 * Sets a number of a species by its path, such as "max_speed" or "separation.radius".
 */
enum throng_status throng_set_parameter(throng_world world, throng_species species, const char *path, double value);

/**
 * Adds `count` agents at these positions with these velocities. `ids` has room for `count` ids, or is null. If one
 * agent is refused, none is added.
 */
enum throng_status throng_spawn(throng_world world,
                                throng_species species,
                                const float *positions,
                                const float *velocities,
                                size_t count,
                                uint64_t *ids);

/**
 * Removes agents. If one does not exist or is there twice, none is removed.
 */
enum throng_status throng_despawn(throng_world world, const uint64_t *ids, size_t count);

/**
 * Sets the position and the velocity of an agent; a null pointer leaves one as it is. From a place on a wall or inside
 * one the next tick moves the agent out.
 */
enum throng_status throng_set_agent(throng_world world, uint64_t id, const float *position, const float *velocity);

/**
 * The positions of a species' agents along an axis, without a copy. The pointer is valid until the world changes. Rows
 * move in every step: `throng_ids` has the agent of each.
 */
enum throng_status throng_positions(throng_world world,
                                    throng_species species,
                                    size_t axis,
                                    const float **numbers,
                                    size_t *count);

/**
 * The velocities of a species' agents along an axis, without a copy. The pointer is valid until the world changes. Rows
 * move in every step: `throng_ids` has the agent of each.
 */
enum throng_status throng_velocities(throng_world world,
                                     throng_species species,
                                     size_t axis,
                                     const float **numbers,
                                     size_t *count);

/**
 * Copies the ids of a species' agents, row by row. `ids` has room for `capacity` ids; `count` gets the number of
 * agents.
 */
enum throng_status throng_ids(throng_world world,
                              throng_species species,
                              uint64_t *ids,
                              size_t capacity,
                              size_t *count);

/**
 * The numbers of a column of type f32, without a copy: a variable of the species' states, or a column of the host.
 * `width` numbers belong to an agent, and `count` gets all of them. The pointer is valid until the world changes.
 */
enum throng_status throng_column(throng_world world,
                                 throng_species species,
                                 const char *name,
                                 const float **numbers,
                                 size_t *count,
                                 size_t *width);

/**
 * Adds a column of one f32 per agent, with this finite number for each.
 */
enum throng_status throng_add_column(throng_world world, throng_species species, const char *name, float start);

/**
 * Writes a column of one f32 per agent. `count` must be the number of agents, and every number finite.
 */
enum throng_status throng_write_column(throng_world world,
                                       throng_species species,
                                       const char *name,
                                       const float *numbers,
                                       size_t count);

/**
 * Writes the positions of all agents of a species: one array of `count` numbers per axis, in the order of rows.
 */
enum throng_status throng_write_positions(throng_world world,
                                          throng_species species,
                                          const float *const *axes,
                                          size_t count);

/**
 * Writes the velocities of all agents of a species: one array of `count` numbers per axis, in the order of rows.
 */
enum throng_status throng_write_velocities(throng_world world,
                                           throng_species species,
                                           const float *const *axes,
                                           size_t count);

/**
 * Keeps the positions before each tick from now on, for throng_drawn, or stops with 0. They are part of neither the
 * hash nor snapshots: a loaded world does not keep them, a clone does.
 */
enum throng_status throng_keep_previous(throng_world world, uint8_t keep);

/**
 * Copies the positions at which to draw the agents of a species, row by row: `share` of the way from those before the
 * last tick to the present ones, in metres, across the seam of a periodic world by the shortest way. An agent that was
 * spawned since then is where it is, as is every agent unless throng_keep_previous was called.
 *
 * `positions` has room for `capacity` agents, `throng_dimensions()` numbers each; `count` gets the number of all.
 */
enum throng_status throng_drawn(throng_world world,
                                throng_species species,
                                float share,
                                float *positions,
                                size_t capacity,
                                size_t *count);

/**
 * Copies the events of the last tick. `events` has room for `capacity` of them; `count` gets the number of all.
 */
enum throng_status throng_events(throng_world world, struct throng_event *events, size_t capacity, size_t *count);

/**
 * The text of the last error in this thread, or an empty text. It is valid until the next error in this thread.
 */
const char *throng_error(void);

/**
 * Sets the goals of agents, which rules such as "arrive" seek: one point for each, or a null pointer for none. If one
 * agent or point is refused, no goal changes.
 */
enum throng_status throng_set_goals(throng_world world, const uint64_t *ids, const float *goals, size_t count);

/**
 * Orders agents into a formation around a middle: gives each the goal of a place, by ways that do not cross. `facing` is
 * the direction ahead, of any length. The rule "walk_to" takes them there around walls.
 */
enum throng_status throng_form(throng_world world,
                               const uint64_t *ids,
                               size_t count,
                               const struct throng_formation *formation,
                               const float *middle,
                               const float *facing);

/**
 * Turns an agent that stands: the direction in which it looks until it moves, of any length.
 */
enum throng_status throng_set_heading(throng_world world, uint64_t id, const float *heading);

/**
 * Takes an agent into a state of its species, by the name of the state.
 */
enum throng_status throng_set_state(throng_world world, uint64_t id, const char *state);

/**
 * Puts the mark with a name to a point, and adds it if there is none: rules and ways to goals follow it.
 */
enum throng_status throng_set_mark(throng_world world, const char *name, const float *point);

/**
 * The agents within `radius` metres of a point, nearest first. `among` names the species that count, separated by
 * commas: `hare` means all hares, `hare:hungry` those in this state; a null pointer means all agents. `ids`, and
 * `distances` unless it is null, have room for `capacity` agents; `count` gets the number of all that are found.
 */
enum throng_status throng_within(throng_world world,
                                 const float *point,
                                 float radius,
                                 const char *among,
                                 uint64_t *ids,
                                 float *distances,
                                 size_t capacity,
                                 uint64_t *count);

/**
 * The `capacity` agents nearest to a point, nearest first. `count` gets their number. The other arguments are as in
 * `throng_within`.
 */
enum throng_status throng_nearest(throng_world world,
                                  const float *point,
                                  const char *among,
                                  uint64_t *ids,
                                  float *distances,
                                  size_t capacity,
                                  uint64_t *count);

/**
 * Whether a straight line is clear of walls that stand now and of obstacles, from one point to another or to its nearest
 * image: `clear` gets 1 or 0. Doors count while they are closed; agents do not count.
 */
enum throng_status throng_is_clear(throng_world world,
                                   const float *from,
                                   const float *to,
                                   uint8_t *clear);

/**
 * The first wall that stands now, or obstacle, on a straight line from one point to another or to its nearest image:
 * `met` gets 1 and `hit` the place, or `met` gets 0 and `hit` stays as it is.
 */
enum throng_status throng_ray(throng_world world,
                              const float *from,
                              const float *to,
                              uint8_t *met,
                              struct throng_hit *hit);

/**
 * The species, the row, the position and the velocity of an agent. Null pointers are left out.
 */
enum throng_status throng_find(throng_world world,
                               uint64_t id,
                               throng_species *species,
                               size_t *row,
                               float *position,
                               float *velocity);

/**
 * Adds a rule of the engine to a species, by its name, such as "separation". throng_set_parameter sets its parameters.
 */
enum throng_status throng_add_rule(throng_world world, throng_species species, const char *name, float weight);

/**
 * Adds a rule of the host to a species. Its forces are kept in a column with this name. After throng_load, a call with
 * the same name gives the rule its function again. `user` goes to the function unchanged.
 *
 * While the function runs, calls with the same world give THRONG_STATUS_IN_USE. It must return; a jump or an exception
 * out of it is not allowed.
 */
enum throng_status throng_add_host_rule(throng_world world,
                                        throng_species species,
                                        const char *name,
                                        float weight,
                                        throng_rule rule,
                                        void *user);

/**
 * Adds a wall in two dimensions: straight pieces from corner to corner, and with `closed` 1 one from the last to the
 * first. `wall` gets its handle, and is null where it is not needed. Ways follow some ticks later; throng_route has them
 * then.
 */
enum throng_status throng_add_wall(throng_world world,
                                   const float *corners,
                                   size_t count,
                                   uint8_t closed,
                                   uint64_t *wall);

/**
 * Removes a wall by its handle, which throng_add_wall and the events `collided` and `pushed out` give.
 */
enum throng_status throng_remove_wall(throng_world world, uint64_t wall);

/**
 * Copies the edges of the walls that stand now, with both ends of each: twice `throng_dimensions()` numbers in metres.
 * `edges` has room for `capacity` edges; `count` gets the number of all. Balls and planes have none.
 */
enum throng_status throng_edges(throng_world world, float *edges, size_t capacity, size_t *count);

/**
 * Copies the discs or balls of obstacles and of walls that stand now: `throng_dimensions()` numbers for the centre, and
 * the radius, in metres. `discs` has room for `capacity` discs; `count` gets the number of all.
 */
enum throng_status throng_discs(throng_world world, float *discs, size_t capacity, size_t *count);

/**
 * Writes the state of a world to a file. An existing file is replaced when the new one, beside it with the ending
 * `.part`, is complete: when the call fails it remains. A device or a pipe is written to.
 */
enum throng_status throng_save(throng_world world, const char *path);

/**
 * Creates a world from a file that throng_save or `World::save` has written. It continues with the same bits. Rules of
 * the host keep their last forces until throng_add_host_rule names them again.
 */
enum throng_status throng_load(const char *path, throng_world *world);

/**
 * Copies the state of a world to memory, as throng_save writes it. `bytes` has room for `capacity` bytes; `length` gets
 * the bytes of the whole snapshot. With less room nothing is copied, so that zero asks for the length.
 */
enum throng_status throng_save_to(throng_world world, uint8_t *bytes, size_t capacity, size_t *length);

/**
 * Creates a world from bytes that throng_save_to has copied, or of a file that throng_save has written: see
 * throng_load.
 */
enum throng_status throng_load_from(const uint8_t *bytes, size_t length, throng_world *world);

/**
 * Computes the ways of navigations, which the first step does otherwise. It changes no bit.
 */
enum throng_status throng_prepare(throng_world world);

/**
 * Copies the points at which the shortest way from one point to another turns on the ground of a navigation, without the
 * first and with the last one: two numbers each. `points` has room for `capacity` points; `count` gets the number of all,
 * zero where no way leads there.
 */
enum throng_status throng_route(throng_world world,
                                const char *navigation,
                                const float *from,
                                const float *to,
                                float *points,
                                size_t capacity,
                                size_t *count);

/**
 * The point nearest to another one to which ways of a navigation lead: this point itself where the ground is free. `found`
 * has room for two numbers.
 */
enum throng_status throng_nearest_free(throng_world world,
                                       const char *navigation,
                                       const float *point,
                                       float *found);

/**
 * Compares the header's version of the interface, THRONG_INTERFACE, with the library's: THRONG_STATUS_VERSION if they
 * differ.
 */
enum throng_status throng_check_interface(uint32_t header);

/**
 * The version of the physics: the same state continues with the same bits as long as it does not change.
 */
uint32_t throng_physics(void);

/**
 * Sets the number of threads of all worlds of this process. It must be the first call, before any world steps; by
 * default there is one per core. At most 64 or four per core are allowed. The number changes no bit.
 */
enum throng_status throng_set_threads(size_t threads);

/**
 * Creates the world of a scenario file.
 */
enum throng_status throng_from_file(const char *path, throng_world *world);

/**
 * Creates the world of a scenario's text. Relative paths in it start from the working folder.
 */
enum throng_status throng_from_text(const char *scenario, throng_world *world);

/**
 * Creates an empty world of two or three dimensions. `size` has a number per dimension. `edge` is "wrap", "bounce",
 * "open", "remove" or "respawn", or null for "wrap".
 */
enum throng_status throng_create(size_t dimensions,
                                 const float *size,
                                 const char *edge,
                                 float tick_seconds,
                                 uint64_t seed,
                                 throng_world *world);

/**
 * Creates a world with the state of another one, its settings and its rules of the host: for rollback and for looking
 * ahead. Both continue with the same bits; ids and columns are the same.
 */
enum throng_status throng_clone(throng_world world, throng_world *clone);

/**
 * Makes the calling thread the owner of a world that is in no call.
 */
enum throng_status throng_claim(throng_world world);

/**
 * Frees a world. Its handle is stale afterwards.
 */
enum throng_status throng_free(throng_world world);

/**
 * Advances a world by `ticks` ticks. If a tick fails, the ticks before it have happened.
 */
enum throng_status throng_step(throng_world world, uint64_t ticks);

/**
 * The hash of the state, the same on every machine and with any number of threads.
 */
enum throng_status throng_state_hash(throng_world world, uint64_t *hash);

/**
 * The number of ticks the world has advanced by.
 */
enum throng_status throng_tick(throng_world world, uint64_t *tick);

/**
 * The simulated time in seconds.
 */
enum throng_status throng_time(throng_world world, double *seconds);

/**
 * Sets the length of the next ticks in seconds, in (0, 1000]. It may change before each step and costs nothing; the
 * simulated time continues.
 */
enum throng_status throng_set_tick_seconds(throng_world world, float seconds);

/**
 * The number of dimensions: 2 or 3.
 */
enum throng_status throng_dimensions(throng_world world, size_t *dimensions);

/**
 * The number of agents of all species.
 */
enum throng_status throng_population(throng_world world, size_t *agents);

/**
 * The size of the world along each axis, in metres: `size` has room for `throng_dimensions()` numbers.
 */
enum throng_status throng_size(throng_world world, float *size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* THRONG_H */

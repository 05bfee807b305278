/* Random calls with valid, stale and wrong arguments: each gives a status, none crashes, panics or writes beyond its room. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "throng.h"

#define WORLDS 8
#define KNOWN 64
#define ROOM 40
#define MOST_AGENTS 300

/* The calls that are drawn, and the seconds after which the program ends without the rest of them. */
#define CALLS 400000
#define SECONDS 20

static uint64_t state = 0x9E3779B97F4A7C15u;

static throng_world worlds[WORLDS];
/* Ids and handles that were valid once. */
static uint64_t known_ids[KNOWN];
static throng_world known_worlds[KNOWN];
static uint64_t statuses[THRONG_STATUS_PANIC + 1];
static int32_t answer;
static uint64_t wall;

static uint64_t draw(uint64_t below) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % below;
}

static float number(void) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e30f, -1e30f, 1e-40f, -1.0f, 1e9f};
    if (draw(12) == 0) return odd[draw(sizeof odd / sizeof *odd)];
    return (float)draw(5000) * 0.01f - 5.0f;
}

static throng_world world(void) {
    switch (draw(24)) {
        case 0: return 0;
        case 1: return state;
        case 2: return known_worlds[draw(KNOWN)];
        case 3: return worlds[draw(WORLDS)] ^ (1u << draw(20));
        default: return worlds[draw(WORLDS)];
    }
}

static throng_species species(void) { return (throng_species)(draw(10) == 0 ? draw(UINT32_MAX) : draw(3)); }

static uint64_t id(void) { return draw(10) == 0 ? state : known_ids[draw(KNOWN)]; }

static const char *text(void) {
    static const char *const texts[] = {"bird", "fish", "load", "start", "separation", "alignment", "seek", "wander",
                                        "expression", "max_speed", "radius", "separation.radius", "calm", "flag", "own",
                                        "all", "bird, fish", "", "\xff", "a.b.c.d", "position", "x", "wrap", "open", "bounce",
                                        "ground", "wedge", "line"};
    return draw(20) == 0 ? NULL : texts[draw(sizeof texts / sizeof *texts)];
}

static const char *scenario(void) {
    static const char *const scenarios[] = {
        "format = 1\n[world]\ndimensions = 2\nsize = [40.0, 40.0]\ntick = 0.05\n[species.bird]\ncount = 60\n"
        "behaviours = [{ rule = \"separation\" }, { rule = \"alignment\" }]\n",
        "format = 1\n[world]\ndimensions = 3\nsize = [40.0, 40.0, 40.0]\ntick = 0.1\n[species.bird]\ncount = 40\n"
        "behaviours = [{ rule = \"wander\" }]\n[species.fish]\ncount = 20\n",
        "format = 1\nwalls = [[[5, 5], [30, 5], [30, 30]]]\n[[obstacle]]\ncentre = [10, 20]\nradius = 2\n[world]\n"
        "dimensions = 2\nsize = [40, 40]\nedge = \"open\"\ntick = 0.1\n[species.bird]\ncount = 30\nradius = 0.3\n"
        "[navigation.ground]\ngoals = []\ncell = 0.5\n[species.bird.variables]\nload = { start = 0.0, low = 0.0, high = 9.0 }\n"
        "[species.bird.states.calm]\nbehaviours = [{ rule = \"wander\" }]\ntransitions = [{ to = \"away\", after = 1.0 }]\n"
        "[species.bird.states.away]\nbehaviours = []\ntransitions = []\n",
        "format = 1\n[world]\ndimensions = 2\n", "\xff", ""};
    return draw(20) == 0 ? NULL : scenarios[draw(sizeof scenarios / sizeof *scenarios)];
}

/* Room for items, of which the end is checked by the sanitizer; sometimes none. */
static void *room(size_t bytes) {
    static void *last[8];
    static int next;
    if (draw(20) == 0) return NULL;
    next = (next + 1) % 8;
    free(last[next]);
    last[next] = malloc(bytes > 0 ? bytes : 1);
    memset(last[next], 0x5a, bytes > 0 ? bytes : 1);
    return last[next];
}

/* Numbers of this count, with some that are no coordinates. */
static const float *numbers(size_t count) {
    float *all = room(count * sizeof *all);
    int valid = draw(3) > 0;
    for (size_t at = 0; all != NULL && at < count; at++) all[at] = valid ? (float)draw(4000) * 0.01f : number();
    return all;
}

static const uint64_t *ids(size_t count) {
    uint64_t *all = room(count * sizeof *all);
    for (size_t at = 0; all != NULL && at < count; at++) all[at] = id();
    return all;
}

static int32_t rule(void *user, const throng_agents *agents, float *forces) {
    (void)user;
    for (size_t at = 0; at < agents->count * agents->dimensions; at++) forces[at] = answer == 2 ? NAN : 0.5f;
    throng_world made = 0;
    throng_step(worlds[0], 1), throng_free(worlds[1 + draw(WORLDS - 1)] ^ 1), throng_clone(worlds[0], &made);
    if (made != 0) throng_free(made);
    return answer == 1 ? 7 : 0;
}

/* Reads all numbers that a function lends: the sanitizer finds those that are not there. */
static float sum(const float *lent, size_t count) {
    float all = 0.0f;
    for (size_t at = 0; at < count; at++) all += lent[at];
    return all;
}

/* Puts a new world in the place of another one. */
static void keep(throng_world made) {
    if (made == 0) return;
    size_t place = draw(WORLDS);
    known_worlds[draw(KNOWN)] = worlds[place];
    throng_free(worlds[place]);
    worlds[place] = made;
}

static throng_status call(uint64_t which) {
    static unsigned char saved[1 << 20];
    static size_t length;
    const throng_world in = world();
    const throng_species of = species();
    size_t count = draw(ROOM);
    /* Columns are written as a whole. */
    if (which >= 23 && which <= 25 && draw(4)) throng_agents_count(in, of, &count);
    size_t found = 0, other = 0;
    uint64_t whole = 0;
    const float *lent = NULL;
    throng_world made = 0;
    throng_species kind = 0;
    throng_status status;
    switch (which) {
        case 0: status = throng_from_text(scenario(), &made), keep(made); return status;
        case 1: status = throng_create(draw(5), numbers(3), draw(2) ? NULL : text(), fabsf(number()), state, &made), keep(made); return status;
        case 2: status = throng_clone(in, &made), keep(made); return status;
        case 3:
            status = throng_save_to(in, saved, draw(3) ? sizeof saved : draw(200), &found);
            if (status == THRONG_STATUS_OK && found <= sizeof saved) length = found;
            return status;
        case 4: {
            unsigned char *damaged = room(length);
            if (damaged == NULL) return throng_load_from(NULL, length, &made);
            memcpy(damaged, saved, length);
            if (length > 0 && draw(2)) damaged[draw(length)] ^= (unsigned char)(1u << draw(8));
            status = throng_load_from(damaged, draw(4) || length == 0 ? length : draw(length), &made), keep(made);
            return status;
        }
        case 5: return draw(40) ? throng_claim(in) : throng_free(in);
        case 6: case 7: case 8: answer = (int32_t)draw(6); return throng_step(in, draw(3));
        case 9: return throng_add_species(in, text(), draw(20) ? &kind : NULL);
        case 10: return throng_species_named(in, text(), draw(20) ? &kind : NULL);
        case 11: return throng_species_name(in, species(), room(count), count, &found);
        case 12: { float radius; return throng_radius(in, species(), draw(100), &radius); }
        case 13: return throng_set_parameter(in, species(), text(), number());
        case 14: case 15: {
            size_t agents = 0;
            throng_population(in, &agents);
            const size_t more = agents > MOST_AGENTS ? 0 : count;
            uint64_t *made_ids = draw(4) ? room(more * sizeof *made_ids) : NULL;
            status = throng_spawn(in, species(), numbers(3 * more), numbers(3 * more), more, made_ids);
            if (status == THRONG_STATUS_OK && made_ids != NULL && more > 0) known_ids[draw(KNOWN)] = made_ids[draw(more)];
            return status;
        }
        case 16: return throng_despawn(in, ids(count), count);
        case 17: return throng_set_agent(in, id(), numbers(3), numbers(3));
        case 18: case 19:
            status = which == 18 ? throng_positions(in, species(), draw(4), &lent, &found)
                                 : throng_velocities(in, species(), draw(4), &lent, &found);
            if (status == THRONG_STATUS_OK && isnan(sum(lent, found))) printf("a position is not a number\n"), exit(1);
            return status;
        case 20: {
            uint64_t *all = room(count * sizeof *all);
            status = throng_ids(in, species(), all, count, &found);
            if (status == THRONG_STATUS_OK && all != NULL && found > 0 && count > 0) known_ids[draw(KNOWN)] = all[0];
            return status;
        }
        case 21:
            status = throng_column(in, species(), text(), &lent, &found, &other);
            if (status == THRONG_STATUS_OK) sum(lent, found);
            return status;
        case 22: return throng_add_column(in, species(), text(), number());
        case 23: return throng_write_column(in, of, text(), numbers(count), count);
        case 24: case 25: {
            const float *axes[3] = {numbers(count), numbers(count), numbers(count)};
            return which == 24 ? throng_write_positions(in, of, axes, count)
                               : throng_write_velocities(in, of, axes, count);
        }
        case 26: return throng_keep_previous(in, (uint8_t)draw(256));
        case 27: return throng_drawn(in, species(), number(), room(3 * count * sizeof(float)), count, &found);
        case 28: return throng_events(in, room(count * sizeof(throng_event)), count, &found);
        case 29: return throng_set_goals(in, ids(count), draw(4) ? numbers(3 * count) : NULL, count);
        case 30: return throng_set_state(in, id(), text());
        case 31: return throng_set_mark(in, text(), numbers(3));
        case 32:
            return throng_within(in, numbers(3), number(), text(), room(count * 8), room(count * 4), count, &whole);
        case 33: return throng_nearest(in, numbers(3), text(), room(count * 8), room(count * 4), count, &whole);
        case 34: { uint8_t clear; return throng_is_clear(in, numbers(3), numbers(3), &clear); }
        case 35: return throng_find(in, id(), &kind, &found, room(12), room(12));
        case 36: return throng_add_rule(in, species(), text(), number());
        case 37: return throng_add_host_rule(in, species(), text(), number(), draw(9) ? rule : NULL, NULL);
        case 38: return throng_edges(in, room(count * 16), count, &found);
        case 39: return throng_discs(in, room(count * 12), count, &found);
        case 40: return throng_state_hash(in, draw(20) ? &whole : NULL);
        case 41: return throng_set_tick_seconds(in, draw(3) ? number() : 0.05f);
        case 42: return throng_size(in, room(12));
        case 43: { double seconds; return draw(2) ? throng_time(in, &seconds) : throng_tick(in, &whole); }
        case 46: return throng_remove_species(in, draw(9) ? 99 : species());
        case 47: case 48: {
            throng_formation form = {text(), number(), draw(2) ? 0.0f : number(), draw(3) ? draw(5) : state};
            const float *middle = numbers(3), *facing = numbers(3);
            if (draw(3)) form.shape = draw(2) ? "wedge" : "line", form.spacing = 1.0f;
            return throng_form(in, ids(count), count, draw(20) ? &form : NULL, middle, facing);
        }
        case 49: return throng_set_heading(in, id(), numbers(3));
        case 50: { uint8_t met; return throng_ray(in, numbers(3), numbers(3), draw(20) ? &met : NULL, room(sizeof(throng_hit))); }
        case 51: return throng_route(in, draw(2) ? "ground" : text(), numbers(2), numbers(2), room(count * 8), count, &found);
        case 52: return throng_nearest_free(in, draw(2) ? "ground" : text(), numbers(2), room(8));
        case 53: return throng_prepare(in);
        case 54: return count < 6 ? throng_add_wall(in, numbers(3 * count), count, (uint8_t)draw(2), draw(2) ? &wall : NULL)
                                  : throng_remove_wall(in, wall);
        case 44: return draw(2) ? throng_dimensions(in, &found) : throng_species_count(in, &found);
        default: return throng_agents_count(in, species(), draw(20) ? &found : NULL);
    }
}

int main(void) {
    const time_t start = time(NULL);
    uint64_t calls = 0;
    int failures = 0;
    for (; calls < CALLS && time(NULL) - start < SECONDS; calls++) {
        /* Worlds are made and copied more seldom: these calls take longest. */
        const uint64_t which = draw(8) ? 5 + draw(50) : draw(55);
        const throng_status status = call(which);
        if (status > THRONG_STATUS_PANIC) {
            printf("call %d: status %d\n", (int)calls, (int)status), failures++;
            break;
        }
        statuses[status]++;
        if (status == THRONG_STATUS_PANIC) printf("call %d, function %d: %s\n", (int)calls, (int)which, throng_error()), failures++;
        if (status != THRONG_STATUS_OK && throng_error()[0] == '\0') printf("function %d: no text\n", (int)which), failures++;
        if (failures > 9) break;
    }
    for (int at = 0; at < WORLDS; at++) throng_free(worlds[at]);
    printf("%llu random calls, %llu of them successful\n", (unsigned long long)calls,
           (unsigned long long)statuses[THRONG_STATUS_OK]);
    if (statuses[THRONG_STATUS_OK] < calls / 10) printf("most calls were refused\n"), failures++;
    printf("%s\n", failures == 0 ? "ok" : "FAILED");
    return failures == 0 ? 0 : 1;
}

/* Wrong use gives a status and a text, never a crash, and leaves the world as it was. */
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "throng.h"

static int failures;

/* Compares a status, and looks for a word in the text of the error. */
#define EXPECT(call, wanted, word)                                                                                      \
    do {                                                                                                                \
        throng_status found = (call);                                                                                   \
        if (found != (wanted) || strstr(throng_error(), word) == NULL) {                                                \
            printf("line %d: status %d instead of %d, \"%s\" without \"%s\"\n", __LINE__, (int)found, (int)(wanted),     \
                   throng_error(), word);                                                                               \
            failures++;                                                                                                 \
        }                                                                                                               \
    } while (0)

static const char *SCENARIO = "format = 1\n[world]\ndimensions = 2\nsize = [50.0, 50.0]\ntick = 0.05\nticks = 10\nseed = 1\n[species.bird]\ncount = 100\n"
                              "behaviours = [{ rule = \"separation\" }]\n";

static throng_world world;
static throng_species bird;

static void *other_thread(void *unused) {
    (void)unused;
    uint64_t hash;
    EXPECT(throng_step(world, 1), THRONG_STATUS_WRONG_THREAD, "another thread");
    EXPECT(throng_state_hash(world, &hash), THRONG_STATUS_WRONG_THREAD, "another thread");
    EXPECT(throng_claim(world), THRONG_STATUS_OK, "");
    EXPECT(throng_state_hash(world, &hash), THRONG_STATUS_OK, "");
    return NULL;
}

static int32_t calls_back(void *user, const throng_agents *agents, float *forces) {
    (void)agents, (void)forces;
    uint64_t tick;
    *(throng_status *)user = throng_tick(world, &tick);
    EXPECT(throng_free(world), THRONG_STATUS_IN_USE, "in a step");
    EXPECT(throng_claim(world), THRONG_STATUS_IN_USE, "in a step");
    return 0;
}

/* Frees a world, and takes it over, while another thread steps it. */
static void *intruder(void *unused) {
    (void)unused;
    int seen = 0;
    for (int turn = 0; turn < 2000; turn++) {
        throng_status freed = throng_free(world), claimed = throng_claim(world ^ 1), stepped = throng_step(world, 1);
        seen += freed != THRONG_STATUS_WRONG_THREAD || stepped != THRONG_STATUS_WRONG_THREAD;
        seen += claimed != THRONG_STATUS_STALE;
    }
    if (seen != 0) printf("%d calls of another thread were not refused\n", seen), failures++;
    return NULL;
}

/* A world of its own for each thread. */
static void *own_world(void *hash) {
    throng_world mine = 0;
    EXPECT(throng_from_text(SCENARIO, &mine), THRONG_STATUS_OK, "");
    EXPECT(throng_step(mine, 20), THRONG_STATUS_OK, "");
    EXPECT(throng_state_hash(mine, hash), THRONG_STATUS_OK, "");
    EXPECT(throng_free(mine), THRONG_STATUS_OK, "");
    return NULL;
}

static int32_t refuses(void *user, const throng_agents *agents, float *forces) {
    (void)agents, (void)forces;
    return *(int32_t *)user;
}

static int32_t pushes(void *user, const throng_agents *agents, float *forces) {
    forces[2 * agents->count - 1] = *(float *)user;
    return 0;
}

int main(void) {
    uint64_t hash, before, id = 0;
    size_t count;
    const float *numbers;
    const float inside[2] = {1.0f, 2.0f}, nan_point[2] = {NAN, 2.0f}, size[3] = {10.0f, 10.0f, 10.0f};
    const float huge[2] = {1e30f, 10.0f};
    throng_world made = 0;

    EXPECT(throng_check_interface(THRONG_INTERFACE), THRONG_STATUS_OK, "");
    EXPECT(throng_check_interface(THRONG_INTERFACE + 1), THRONG_STATUS_VERSION, "interface");

    /* Creation. */
    EXPECT(throng_from_text(NULL, &made), THRONG_STATUS_NULL, "scenario");
    EXPECT(throng_from_text(SCENARIO, NULL), THRONG_STATUS_NULL, "world");
    EXPECT(throng_from_text("format = 1\nsped = 2\n", &made), THRONG_STATUS_SCENARIO, "scenario.toml:2:1");
    EXPECT(throng_from_text("\xff", &made), THRONG_STATUS_BAD_VALUE, "UTF-8");
    EXPECT(throng_from_file("/nowhere/there.toml", &made), THRONG_STATUS_SCENARIO, "there.toml");
    EXPECT(throng_create(4, size, NULL, 0.1f, 0, &made), THRONG_STATUS_BAD_VALUE, "dimensions");
    EXPECT(throng_create(2, size, "round", 0.1f, 0, &made), THRONG_STATUS_BAD_VALUE, "edge");
    EXPECT(throng_create(2, size, NULL, -1.0f, 0, &made), THRONG_STATUS_BAD_VALUE, "tick");
    EXPECT(throng_create(2, NULL, NULL, 0.1f, 0, &made), THRONG_STATUS_NULL, "size");
    EXPECT(throng_load("/nowhere/there.throng", &made), THRONG_STATUS_IO, "there.throng");
    EXPECT(throng_create(2, nan_point, NULL, 0.1f, 0, &made), THRONG_STATUS_BAD_VALUE, "NaN");
    EXPECT(throng_create(2, huge, NULL, 0.1f, 0, &made), THRONG_STATUS_BAD_VALUE, "size");
    EXPECT(throng_create(2, size, NULL, NAN, 0, &made), THRONG_STATUS_BAD_VALUE, "tick");
    EXPECT(throng_create(2, size, "\xff", 0.1f, 0, &made), THRONG_STATUS_BAD_VALUE, "UTF-8");
    EXPECT(throng_create(2, size, NULL, 0.1f, 0, (throng_world *)((char *)&made + 1)), THRONG_STATUS_BAD_VALUE, "aligned");
    EXPECT(throng_from_text("format = 1\n[world]\ndimensions = 2\nsize = [9, 9]\n[species.b]\ncount = 2000000000\n", &made),
           THRONG_STATUS_MEMORY, "agents");
    EXPECT(throng_load("/tmp", &made), THRONG_STATUS_IO, "");
    EXPECT(throng_load("/dev/null", &made), THRONG_STATUS_SNAPSHOT, "snapshot");
    EXPECT(throng_set_threads(0), THRONG_STATUS_BAD_VALUE, "threads");
    EXPECT(throng_set_threads(SIZE_MAX), THRONG_STATUS_BAD_VALUE, "1 to ");
    if (made != 0) printf("a refused call gave a handle\n"), failures++;
    EXPECT(throng_load("/proc/self/exe", &made), THRONG_STATUS_SNAPSHOT, "snapshot");

    /* Handles. */
    EXPECT(throng_step(0, 1), THRONG_STATUS_STALE, "zero");
    EXPECT(throng_step(0x7777777700000001u, 1), THRONG_STATUS_STALE, "never existed");
    EXPECT(throng_step(UINT64_MAX, 1), THRONG_STATUS_STALE, "never existed");
    EXPECT(throng_from_text(SCENARIO, &world), THRONG_STATUS_OK, "");
    EXPECT(throng_species_named(world, "bird", &bird), THRONG_STATUS_OK, "");

    /* Wrong arguments leave the world as it is. */
    EXPECT(throng_state_hash(world, &before), THRONG_STATUS_OK, "");
    EXPECT(throng_state_hash(world, NULL), THRONG_STATUS_NULL, "null");
    for (uint64_t forged = 0; forged < 100000; forged++) {
        throng_world handle = forged * 0x9E3779B97F4A7C15u;
        if (handle != world && throng_tick(handle, &hash) != THRONG_STATUS_STALE) printf("a forged handle\n"), failures++;
    }
    throng_species other = 77;
    uint64_t two[2];
    EXPECT(throng_ids(world, bird, two, 2, &count), THRONG_STATUS_OK, "");
    EXPECT(throng_add_species(world, "fish", NULL), THRONG_STATUS_NULL, "species");
    EXPECT(throng_add_species(world, "bird", &other), THRONG_STATUS_BAD_VALUE, "bird");
    EXPECT(throng_add_species(world, NULL, &other), THRONG_STATUS_NULL, "name");
    EXPECT(throng_add_column(world, bird, "start", NAN), THRONG_STATUS_BAD_VALUE, "finite");
    EXPECT(throng_set_agent(world, two[0], inside, nan_point), THRONG_STATUS_BAD_VALUE, "NaN");
    EXPECT(throng_set_agent(world, two[0], inside, (const float *)((const char *)inside + 1)), THRONG_STATUS_BAD_VALUE,
           "aligned");
    EXPECT(throng_set_agent(world, two[0], huge, inside), THRONG_STATUS_BAD_VALUE, "position");
    EXPECT(throng_set_agent(world, UINT64_MAX, inside, inside), THRONG_STATUS_NOT_FOUND, "agent");
    uint64_t gone[2] = {two[0], UINT64_MAX}, twice[2] = {two[1], two[1]};
    EXPECT(throng_despawn(world, gone, 2), THRONG_STATUS_NOT_FOUND, "agent");
    EXPECT(throng_despawn(world, twice, 2), THRONG_STATUS_BAD_VALUE, "twice");
    EXPECT(throng_within(world, inside, NAN, NULL, two, NULL, 2, &hash), THRONG_STATUS_BAD_VALUE, "radius");
    EXPECT(throng_within(world, inside, 1.0f, NULL, two, NULL, SIZE_MAX, &hash), THRONG_STATUS_BAD_VALUE, "memory");
    EXPECT(throng_nearest(world, inside, NULL, NULL, NULL, 3, &hash), THRONG_STATUS_NULL, "ids");
    EXPECT(throng_nearest(world, inside, "\xff", two, NULL, 2, &hash), THRONG_STATUS_BAD_VALUE, "UTF-8");
    EXPECT(throng_set_tick_seconds(world, 0.0f), THRONG_STATUS_BAD_VALUE, "tick_seconds");
    EXPECT(throng_is_clear(world, inside, NULL, NULL), THRONG_STATUS_NULL, "to");
    EXPECT(throng_is_clear(world, inside, inside, NULL), THRONG_STATUS_NULL, "clear");
    float far[2] = {-1.0f, -1.0f};
    uint64_t number = 0;
    EXPECT(throng_nearest(world, inside, "fish, bird", two, far, 2, &number), THRONG_STATUS_OK, "");
    if (number == 0 || far[0] < 0.0f) printf("%d agents, the first %f m away\n", (int)number, far[0]), failures++;
    EXPECT(throng_nearest(world, inside, "fish", two, far, 2, &number), THRONG_STATUS_OK, "");
    if (number != 0) printf("%d agents of no species\n", (int)number), failures++;
    EXPECT(throng_find(world, UINT64_MAX, &other, &count, NULL, NULL), THRONG_STATUS_NOT_FOUND, "agent");
    EXPECT(throng_events(world, NULL, 5, &count), THRONG_STATUS_NULL, "events");
    EXPECT(throng_size(world, NULL), THRONG_STATUS_NULL, "size");
    EXPECT(throng_set_parameter(world, bird, "max_speed", NAN), THRONG_STATUS_BAD_VALUE, "max_speed");
    EXPECT(throng_set_parameter(world, 77, "max_speed", 1.0), THRONG_STATUS_NOT_FOUND, "species 77");
    EXPECT(throng_remove_species(world, 77), THRONG_STATUS_NOT_FOUND, "species 77");
    EXPECT(throng_add_rule(world, bird, "alignment", NAN), THRONG_STATUS_BAD_VALUE, "weight");
    EXPECT(throng_species_named(world, "fish", &bird), THRONG_STATUS_NOT_FOUND, "fish");
    EXPECT(throng_positions(world, 9, 0, &numbers, &count), THRONG_STATUS_NOT_FOUND, "species 9");
    EXPECT(throng_species_name(world, bird, NULL, 4, &count), THRONG_STATUS_NULL, "name");
    char name[4];
    EXPECT(throng_species_name(world, bird, name, sizeof name, &count), THRONG_STATUS_OK, "");
    if (strcmp(name, "bir") != 0 || count != 4) printf("the name is %s of %zu bytes\n", name, count), failures++;
    float radius;
    EXPECT(throng_radius(world, bird, 100, &radius), THRONG_STATUS_NOT_FOUND, "row 100");
    EXPECT(throng_positions(world, bird, 2, &numbers, &count), THRONG_STATUS_BAD_VALUE, "axis");
    EXPECT(throng_positions(world, bird, 0, NULL, &count), THRONG_STATUS_NULL, "numbers");
    EXPECT(throng_spawn(world, bird, inside, NULL, 1, NULL), THRONG_STATUS_NULL, "velocities");
    EXPECT(throng_spawn(world, bird, nan_point, inside, 1, NULL), THRONG_STATUS_BAD_VALUE, "NaN");
    EXPECT(throng_spawn(world, bird, inside, inside, SIZE_MAX, NULL), THRONG_STATUS_BAD_VALUE, "too many");
    EXPECT(throng_spawn(world, bird, inside, inside, SIZE_MAX / 4, NULL), THRONG_STATUS_BAD_VALUE, "memory");
    EXPECT(throng_spawn(world, bird, (const float *)((const char *)inside + 1), inside, 1, NULL),
           THRONG_STATUS_BAD_VALUE, "aligned");
    EXPECT(throng_despawn(world, NULL, 1), THRONG_STATUS_NULL, "ids");
    id = UINT64_MAX;
    EXPECT(throng_despawn(world, &id, 1), THRONG_STATUS_NOT_FOUND, "agent");
    EXPECT(throng_set_parameter(world, bird, "separation.radius", -1.0), THRONG_STATUS_BAD_VALUE, "radius");
    EXPECT(throng_set_parameter(world, bird, "separation.size", 1.0), THRONG_STATUS_BAD_VALUE, "size");
    EXPECT(throng_column(world, bird, "load", &numbers, &count, &count), THRONG_STATUS_NOT_FOUND, "load");
    EXPECT(throng_add_rule(world, bird, "separate", 1.0f), THRONG_STATUS_NOT_FOUND, "separate");
    EXPECT(throng_add_host_rule(world, bird, "f", 1.0f, NULL, NULL), THRONG_STATUS_NULL, "rule");
    EXPECT(throng_within(world, nan_point, 1.0f, NULL, &id, NULL, 1, &hash), THRONG_STATUS_BAD_VALUE, "NaN");
    EXPECT(throng_edges(world, NULL, 1, &count), THRONG_STATUS_NULL, "room");
    EXPECT(throng_discs(world, NULL, 0, NULL), THRONG_STATUS_NULL, "count");
    EXPECT(throng_save(world, "/nowhere/there.throng"), THRONG_STATUS_IO, "there.throng");
    EXPECT(throng_save(world, "/dev/full"), THRONG_STATUS_IO, "space");
    /* A file remains when the one that is to replace it cannot be written. */
    EXPECT(throng_save(world, "kept.throng"), THRONG_STATUS_OK, "");
    if (symlink("/dev/full", "kept.throng.part") != 0) perror("kept.throng.part"), failures++;
    EXPECT(throng_save(world, "kept.throng"), THRONG_STATUS_IO, "space");
    made = 0;
    EXPECT(throng_load("kept.throng", &made), THRONG_STATUS_OK, "");
    EXPECT(throng_state_hash(made, &hash), THRONG_STATUS_OK, "");
    if (hash != before) printf("the file has another state\n"), failures++;
    EXPECT(throng_free(made), THRONG_STATUS_OK, "");
    remove("kept.throng");
    /* A door closes on an agent: the event has the depth by which they overlapped. */
    EXPECT(throng_from_text("format = 1\n[world]\ndimensions = 2\nsize = [20, 20]\nedge = \"open\"\ntick = 0.1\n"
                            "[[wall]]\nline = [[10.2, 5], [10.2, 15]]\nopen = [[0, 0.15]]\n[species.b]\ncount = 1\n"
                            "radius = 0.5\nplace = { region = \"point\", centre = [10, 10], speed = 0 }\nbehaviours = []\n",
                            &made),
           THRONG_STATUS_OK, "");
    throng_event event = {.kind = THRONG_EVENT_KIND_UNKNOWN};
    for (int step = 0; step < 10 && event.kind != THRONG_EVENT_KIND_PUSHED_OUT; step++) {
        EXPECT(throng_step(made, 1), THRONG_STATUS_OK, "");
        EXPECT(throng_events(made, &event, 1, &count), THRONG_STATUS_OK, "");
    }
    if (sizeof event != 32 || !(event.depth > 0.25f && event.depth < 0.35f)) {
        printf("the depth is %g, of an event of %zu bytes\n", event.depth, sizeof event), failures++;
    }
    EXPECT(throng_free(made), THRONG_STATUS_OK, "");
    const float *axes[2] = {inside, inside};
    EXPECT(throng_write_positions(world, bird, axes, 2), THRONG_STATUS_BAD_VALUE, "100");
    EXPECT(throng_write_velocities(world, bird, NULL, 100), THRONG_STATUS_NULL, "axes");
    EXPECT(throng_state_hash(world, &hash), THRONG_STATUS_OK, "");
    if (hash != before) printf("the hash has changed\n"), failures++;

    /* Walls and obstacles: no more than there is room for. */
    float corners[8] = {0}, disc[3];
    made = 0;
    EXPECT(throng_from_text("format = 1\nwalls = [[[1, 2], [3, 4], [5, 6]]]\n[[obstacle]]\ncentre = [7, 8]\nradius = 2\n"
                            "[world]\ndimensions = 2\nsize = [50, 50]\n[species.bird]\ncount = 1\n", &made),
           THRONG_STATUS_OK, "");
    EXPECT(throng_edges(made, corners, 1, &count), THRONG_STATUS_OK, "");
    if (count != 2 || corners[3] != 4.0f || corners[4] != 0.0f) printf("wrong edges\n"), failures++;
    EXPECT(throng_edges(made, corners, 2, &count), THRONG_STATUS_OK, "");
    if (corners[7] != 6.0f) printf("wrong edges\n"), failures++;
    EXPECT(throng_discs(made, disc, 1, &count), THRONG_STATUS_OK, "");
    if (count != 1 || disc[0] != 7.0f || disc[2] != 2.0f) printf("wrong discs\n"), failures++;
    EXPECT(throng_free(made), THRONG_STATUS_OK, "");

    /* Between two ticks: three quarters of the way over the seam, and a new agent where it is. */
    const float corner[2] = {49.9f, 20.0f}, east[2] = {4.0f, 0.0f}, wide[2] = {50.0f, 50.0f};
    float drawn[4] = {0};
    EXPECT(throng_create(2, wide, "wrap", 0.1f, 1, &made), THRONG_STATUS_OK, "");
    EXPECT(throng_add_species(made, "ball", &other), THRONG_STATUS_OK, "");
    EXPECT(throng_keep_previous(made, 1), THRONG_STATUS_OK, "");
    EXPECT(throng_spawn(made, other, corner, east, 1, two), THRONG_STATUS_OK, "");
    EXPECT(throng_step(made, 1), THRONG_STATUS_OK, "");
    EXPECT(throng_spawn(made, other, inside, east, 1, two + 1), THRONG_STATUS_OK, "");
    EXPECT(throng_drawn(made, other, 0.75f, drawn, 1, &count), THRONG_STATUS_OK, "");
    if (count != 2 || drawn[2] != 0.0f) printf("more agents than there is room for\n"), failures++;
    EXPECT(throng_drawn(made, other, 0.75f, drawn, 2, &count), THRONG_STATUS_OK, "");
    if (fabsf(drawn[0] - 0.2f) > 1e-4f || drawn[1] != 20.0f || drawn[2] != 1.0f || drawn[3] != 2.0f) {
        printf("drawn at %g %g and %g %g\n", drawn[0], drawn[1], drawn[2], drawn[3]), failures++;
    }
    EXPECT(throng_drawn(made, other, 0.5f, NULL, 2, &count), THRONG_STATUS_NULL, "positions");
    EXPECT(throng_drawn(made, 9, 0.5f, drawn, 2, &count), THRONG_STATUS_NOT_FOUND, "species 9");
    EXPECT(throng_drawn(made, other, NAN, drawn, 2, &count), THRONG_STATUS_BAD_VALUE, "share");
    EXPECT(throng_keep_previous(0, 1), THRONG_STATUS_STALE, "zero");

    /* Copies in memory continue with the same bits. Goals, marks and states are checked. */
    throng_world copies[2] = {0};
    unsigned char *bytes;
    uint64_t copied;
    EXPECT(throng_clone(made, &copies[0]), THRONG_STATUS_OK, "");
    EXPECT(throng_save_to(made, NULL, 0, &count), THRONG_STATUS_OK, "");
    bytes = malloc(count);
    EXPECT(throng_save_to(made, bytes, count, &count), THRONG_STATUS_OK, "");
    EXPECT(throng_load_from(bytes, count - 1, &copies[1]), THRONG_STATUS_SNAPSHOT, "");
    EXPECT(throng_load_from(bytes, count, &copies[1]), THRONG_STATUS_OK, "");
    free(bytes);
    EXPECT(throng_step(made, 10), THRONG_STATUS_OK, "");
    EXPECT(throng_state_hash(made, &hash), THRONG_STATUS_OK, "");
    for (int copy = 0; copy < 2; copy++) {
        EXPECT(throng_step(copies[copy], 10), THRONG_STATUS_OK, "");
        EXPECT(throng_state_hash(copies[copy], &copied), THRONG_STATUS_OK, "");
        if (copied != hash) printf("copy %d has another state\n", copy), failures++;
        EXPECT(throng_remove_species(copies[copy], other), THRONG_STATUS_OK, "");
        EXPECT(throng_remove_species(copies[copy], other), THRONG_STATUS_NOT_FOUND, "does not exist");
        EXPECT(throng_population(copies[copy], &count), THRONG_STATUS_OK, "");
        if (count != 0) printf("a removed species has %zu agents\n", count), failures++;
        EXPECT(throng_free(copies[copy]), THRONG_STATUS_OK, "");
    }
    EXPECT(throng_clone(0, &copies[0]), THRONG_STATUS_STALE, "zero");
    EXPECT(throng_clone(made, NULL), THRONG_STATUS_NULL, "world");
    EXPECT(throng_load_from(NULL, 8, &copies[0]), THRONG_STATUS_NULL, "bytes");
    const float goals[4] = {5.0f, 6.0f, NAN, 6.0f};
    gone[0] = two[0], gone[1] = UINT64_MAX;
    EXPECT(throng_set_goals(made, two, goals, 2), THRONG_STATUS_BAD_VALUE, "goal");
    EXPECT(throng_set_goals(made, gone, goals, 2), THRONG_STATUS_NOT_FOUND, "agent");
    EXPECT(throng_set_goals(made, NULL, goals, 1), THRONG_STATUS_NULL, "ids");
    EXPECT(throng_set_state(made, two[0], "calm"), THRONG_STATUS_NOT_FOUND, "calm");
    EXPECT(throng_set_mark(made, "flag", nan_point), THRONG_STATUS_BAD_VALUE, "");
    EXPECT(throng_set_mark(made, "flag", NULL), THRONG_STATUS_NULL, "point");
    EXPECT(throng_state_hash(made, &copied), THRONG_STATUS_OK, "");
    if (copied != hash) printf("a refused goal or mark has changed the world\n"), failures++;
    EXPECT(throng_set_goals(made, two, goals, 1), THRONG_STATUS_OK, "");
    EXPECT(throng_set_mark(made, "flag", inside), THRONG_STATUS_OK, "");
    EXPECT(throng_state_hash(made, &copied), THRONG_STATUS_OK, "");
    if (copied == hash) printf("a goal has not changed the world\n"), failures++;
    EXPECT(throng_set_goals(made, two, NULL, 1), THRONG_STATUS_OK, "");

    /* Formations, headings, walls, rays and ways. */
    throng_formation form = {.shape = "ring", .spacing = 1.0f};
    throng_hit hit = {.distance = -1.0f};
    uint8_t met = 2;
    uint64_t wall = 0;
    const float across[4] = {20.0f, 10.0f, 20.0f, 30.0f}, west[2] = {10.0f, 20.0f}, east_of[2] = {30.0f, 20.0f};
    EXPECT(throng_state_hash(made, &before), THRONG_STATUS_OK, "");
    EXPECT(throng_form(made, two, 2, &form, inside, east), THRONG_STATUS_BAD_VALUE, "wedge");
    form.shape = NULL;
    EXPECT(throng_form(made, two, 2, &form, inside, east), THRONG_STATUS_NULL, "shape");
    form.shape = "line", form.spacing = -1.0f;
    EXPECT(throng_form(made, two, 2, &form, inside, east), THRONG_STATUS_BAD_VALUE, "spacing");
    form.spacing = 2.0f, form.depth = NAN;
    EXPECT(throng_form(made, two, 2, &form, inside, east), THRONG_STATUS_BAD_VALUE, "depth");
    form.depth = 0.0f;
    EXPECT(throng_form(made, gone, 2, &form, inside, east), THRONG_STATUS_NOT_FOUND, "agent");
    EXPECT(throng_form(made, two, 2, NULL, inside, east), THRONG_STATUS_NULL, "formation");
    EXPECT(throng_form(made, two, 2, &form, inside, nan_point), THRONG_STATUS_BAD_VALUE, "facing");
    EXPECT(throng_set_heading(made, two[0], nan_point), THRONG_STATUS_BAD_VALUE, "heading");
    EXPECT(throng_set_heading(made, UINT64_MAX, east), THRONG_STATUS_NOT_FOUND, "agent");
    EXPECT(throng_add_wall(made, across, 1, 0, &wall), THRONG_STATUS_BAD_VALUE, "");
    EXPECT(throng_add_wall(made, NULL, 2, 0, &wall), THRONG_STATUS_NULL, "corners");
    EXPECT(throng_remove_wall(made, 77), THRONG_STATUS_NOT_FOUND, "wall");
    EXPECT(throng_ray(made, west, east_of, NULL, &hit), THRONG_STATUS_NULL, "met");
    EXPECT(throng_ray(made, west, east_of, &met, NULL), THRONG_STATUS_NULL, "hit");
    EXPECT(throng_ray(made, west, east_of, &met, &hit), THRONG_STATUS_OK, "");
    if (met != 0 || hit.distance != -1.0f) printf("a ray meets a wall before there is one\n"), failures++;
    EXPECT(throng_route(made, "ground", west, east_of, drawn, 2, &count), THRONG_STATUS_NOT_FOUND, "ground");
    EXPECT(throng_nearest_free(made, NULL, west, drawn), THRONG_STATUS_NULL, "navigation");
    EXPECT(throng_state_hash(made, &copied), THRONG_STATUS_OK, "");
    if (copied != before) printf("a refused order has changed the world\n"), failures++;
    EXPECT(throng_add_wall(made, across, 2, 0, &wall), THRONG_STATUS_OK, "");
    EXPECT(throng_ray(made, west, east_of, &met, &hit), THRONG_STATUS_OK, "");
    if (met != 1 || hit.distance != 10.0f || hit.point[0] != 20.0f || hit.point[1] != 20.0f || hit.normal[0] != -1.0f) {
        printf("the ray meets %g %g after %g m\n", hit.point[0], hit.point[1], hit.distance), failures++;
    }
    EXPECT(throng_remove_wall(made, wall), THRONG_STATUS_OK, "");
    EXPECT(throng_remove_wall(made, wall), THRONG_STATUS_NOT_FOUND, "wall");
    EXPECT(throng_ray(made, west, east_of, &met, &hit), THRONG_STATUS_OK, "");
    if (met != 0) printf("a ray meets a wall that was removed\n"), failures++;
    EXPECT(throng_free(made), THRONG_STATUS_OK, "");

    /* Ways round a wall that spans all but the north: no more turns than there is room for. */
    EXPECT(throng_from_text("format = 1\nwalls = [[[20, 0], [20, 40]]]\n[world]\ndimensions = 2\nsize = [50, 50]\n"
                            "edge = \"bounce\"\n[navigation.ground]\ngoals = []\n[species.b]\ncount = 0\n", &made),
           THRONG_STATUS_OK, "");
    const float on_wall[2] = {20.0f, 5.0f};
    float turns[8] = {0};
    EXPECT(throng_route(made, "ground", west, nan_point, turns, 4, &count), THRONG_STATUS_BAD_VALUE, "to");
    EXPECT(throng_route(made, "ground", huge, west, turns, 4, &count), THRONG_STATUS_BAD_VALUE, "from");
    EXPECT(throng_route(made, "ground", west, east_of, NULL, 4, &count), THRONG_STATUS_NULL, "points");
    EXPECT(throng_route(made, "ground", west, east_of, turns, 1, &count), THRONG_STATUS_OK, "");
    if (count < 2 || turns[2] != 0.0f || hypotf(turns[0] - 20.0f, turns[1] - 40.0f) > 0.6f) {
        printf("%zu turns, the first at %g %g\n", count, turns[0], turns[1]), failures++;
    }
    EXPECT(throng_nearest_free(made, "ground", nan_point, turns), THRONG_STATUS_BAD_VALUE, "point");
    EXPECT(throng_nearest_free(made, "ground", on_wall, NULL), THRONG_STATUS_NULL, "found");
    EXPECT(throng_nearest_free(made, "ground", on_wall, turns), THRONG_STATUS_OK, "");
    if (fabsf(fabsf(turns[0] - 20.0f) - 0.35f) > 0.15f || fabsf(turns[1] - 5.0f) > 0.15f) {
        printf("the free ground is at %g %g\n", turns[0], turns[1]), failures++;
    }
    EXPECT(throng_prepare(0), THRONG_STATUS_STALE, "zero");
    EXPECT(throng_free(made), THRONG_STATUS_OK, "");
    EXPECT(throng_create(3, size, NULL, 0.1f, 0, &made), THRONG_STATUS_OK, "");
    EXPECT(throng_add_wall(made, size, 1, 0, NULL), THRONG_STATUS_BAD_VALUE, "");
    EXPECT(throng_free(made), THRONG_STATUS_OK, "");

    /* Another thread, and the arithmetic of this one. */
    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    EXPECT(throng_step(world, 1), THRONG_STATUS_WRONG_THREAD, "another thread");
    EXPECT(throng_claim(world), THRONG_STATUS_OK, "");
    fesetround(FE_UPWARD);
    EXPECT(throng_step(world, 1), THRONG_STATUS_ARITHMETIC, "round");
    fesetenv(FE_DFL_ENV);
    EXPECT(throng_step(world, 1), THRONG_STATUS_OK, "");

    /* Rules of the host. */
    throng_status in_use = THRONG_STATUS_OK;
    int32_t code = 5;
    float force;
    EXPECT(throng_add_host_rule(world, bird, "a", 1.0f, calls_back, &in_use), THRONG_STATUS_OK, "");
    EXPECT(throng_add_host_rule(world, bird, "a", 1.0f, calls_back, &in_use), THRONG_STATUS_BAD_VALUE, "already");
    EXPECT(throng_step(world, 1), THRONG_STATUS_OK, "");
    EXPECT(in_use, THRONG_STATUS_IN_USE, "in a step");
    EXPECT(throng_state_hash(world, &before), THRONG_STATUS_OK, "");
    EXPECT(throng_add_host_rule(world, bird, "b", 1.0f, refuses, &code), THRONG_STATUS_OK, "");
    EXPECT(throng_step(world, 3), THRONG_STATUS_RULE, "returned 5");
    code = 0;
    EXPECT(throng_add_host_rule(world, bird, "c", 1.0f, pushes, &force), THRONG_STATUS_OK, "");
    force = 1.0f;
    EXPECT(throng_step(world, 1), THRONG_STATUS_OK, "");
    /* A rule that fails leaves the forces of those before it as they were. */
    EXPECT(throng_add_host_rule(world, bird, "d", 1.0f, refuses, &code), THRONG_STATUS_OK, "");
    EXPECT(throng_state_hash(world, &before), THRONG_STATUS_OK, "");
    force = 2.0f, code = 5;
    EXPECT(throng_step(world, 3), THRONG_STATUS_RULE, "returned 5");
    force = INFINITY, code = 0;
    EXPECT(throng_step(world, 3), THRONG_STATUS_RULE, "not finite");
    force = 2.0f;
    fesetround(FE_UPWARD);
    EXPECT(throng_step(world, 1), THRONG_STATUS_ARITHMETIC, "round");
    fesetenv(FE_DFL_ENV);
    EXPECT(throng_state_hash(world, &hash), THRONG_STATUS_OK, "");
    if (hash != before) printf("a rule that failed has changed the world\n"), failures++;
    force = 1.0f;
    EXPECT(throng_step(world, 3), THRONG_STATUS_OK, "");

    /* Other threads: one that intrudes during steps, and some with worlds of their own. */
    pthread_create(&thread, NULL, intruder, NULL);
    EXPECT(throng_step(world, 200), THRONG_STATUS_OK, "");
    pthread_join(thread, NULL);
    pthread_t threads[4];
    uint64_t hashes[4] = {0};
    for (int number = 0; number < 4; number++) pthread_create(&threads[number], NULL, own_world, &hashes[number]);
    for (int number = 0; number < 4; number++) pthread_join(threads[number], NULL);
    for (int number = 1; number < 4; number++) {
        if (hashes[number] != hashes[0]) printf("threads got different worlds\n"), failures++;
    }

    /* A freed handle stays stale when its place has a new world. */
    EXPECT(throng_free(world), THRONG_STATUS_OK, "");
    EXPECT(throng_from_text(SCENARIO, &made), THRONG_STATUS_OK, "");
    EXPECT(throng_step(world, 1), THRONG_STATUS_STALE, "freed");
    EXPECT(throng_free(world), THRONG_STATUS_STALE, "freed");
    EXPECT(throng_step(made, 1), THRONG_STATUS_OK, "");
    EXPECT(throng_free(made), THRONG_STATUS_OK, "");

    printf("%s\n", failures == 0 ? "ok" : "FAILED");
    return failures == 0 ? 0 : 1;
}

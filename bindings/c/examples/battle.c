/* A battle in C: squads in formations, a gate that closes behind the first of them, a way round for the others, and
 * arrows that walls stop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "throng.h"

#define RED 40
#define BLUE 24
#define VANGUARD 15
#define MOST_TURNS 16

/* A wall across the field, with a gate in the middle and a postern in the north. */
static const char *FIELD =
    "format = 1\n[world]\ndimensions = 2\nsize = [120, 60]\nedge = \"bounce\"\ntick = 0.05\nseed = 4\n"
    "[[wall]]\ncentre = [60, 13]\nsize = [2, 26]\n[[wall]]\ncentre = [60, 43]\nsize = [2, 18]\n"
    "[[wall]]\ncentre = [60, 59]\nsize = [2, 2]\n[navigation.ground]\ngoals = []\nclearance = 0.4\n"
    "[species.red]\ncount = 0\nradius = 0.4\nmax_speed = 3.0\nmotion = { model = \"orca\" }\n"
    "behaviours = [{ rule = \"walk_to\", goals = [\"ground\"] }]\n"
    "[species.blue]\ncount = 0\nradius = 0.4\nmax_speed = 3.0\nmotion = { model = \"orca\" }\n"
    "behaviours = [{ rule = \"walk_to\", goals = [\"ground\"] }]\n";

static const float EAST[2] = {1.0f, 0.0f}, WEST[2] = {-1.0f, 0.0f};
static throng_world world;

/* Ends the program with the text of an error. */
static void check(throng_status status) {
    if (status != THRONG_STATUS_OK) fprintf(stderr, "error %d: %s\n", (int)status, throng_error()), exit(1);
}

/* Ends the program if the battle goes another way than it should. */
static void expect(int holds, const char *claim) {
    if (!holds) fprintf(stderr, "it does not hold that %s\n", claim), exit(1);
}

static throng_species muster(const char *army, float x, size_t count, uint64_t *ids) {
    static const float still[2 * RED];
    float places[2 * RED];
    throng_species species;
    for (size_t at = 0; at < count; at++) {
        places[2 * at] = x + 2.0f * (float)(at / 8);
        places[2 * at + 1] = 21.0f + 2.5f * (float)(at % 8);
    }
    check(throng_species_named(world, army, &species));
    check(throng_spawn(world, species, places, still, count, ids));
    return species;
}

/* The metres of the way from one point to another. */
static float way(const float *from, const float *to) {
    float turns[2 * MOST_TURNS], metres = 0.0f;
    size_t count;
    check(throng_route(world, "ground", from, to, turns, MOST_TURNS, &count));
    for (size_t turn = 0; turn < count && turn < MOST_TURNS; turn++, from = turns + 2 * turn - 2) {
        metres += hypotf(turns[2 * turn] - from[0], turns[2 * turn + 1] - from[1]);
    }
    return metres;
}

/* Some of an army, a different part in each round, kill the nearest enemy within reach that no wall hides. Returns the
 * number of the killed. */
static size_t fight(throng_species army, const char *enemies, float reach, size_t round, size_t parts) {
    uint64_t ids[RED], enemy, found;
    float from[2], to[2], distance;
    uint8_t met;
    size_t count, killed = 0;
    throng_hit hit;
    check(throng_ids(world, army, ids, RED, &count));
    for (size_t at = round % parts; at < count; at += parts) {
        check(throng_find(world, ids[at], NULL, NULL, from, NULL));
        check(throng_nearest(world, from, enemies, &enemy, &distance, 1, &found));
        if (found == 0 || distance > reach) continue;
        check(throng_find(world, enemy, NULL, NULL, to, NULL));
        check(throng_ray(world, from, to, &met, &hit));
        if (met == 0) check(throng_despawn(world, &enemy, 1)), killed++;
    }
    return killed;
}

/* Each soldier of an army walks to the enemy that is nearest to it. */
static void charge(throng_species army, const char *enemies) {
    uint64_t ids[RED], enemy, found;
    float at[2], goals[2 * RED];
    size_t count;
    check(throng_ids(world, army, ids, RED, &count));
    for (size_t soldier = 0; soldier < count; soldier++) {
        check(throng_find(world, ids[soldier], NULL, NULL, at, NULL));
        check(throng_nearest(world, at, enemies, &enemy, NULL, 1, &found));
        if (found > 0) check(throng_find(world, enemy, NULL, NULL, goals + 2 * soldier, NULL));
        else goals[2 * soldier] = at[0], goals[2 * soldier + 1] = at[1];
    }
    check(throng_set_goals(world, ids, goals, count));
}

int main(void) {
    const throng_formation column = {.shape = "column", .spacing = 1.5f, .files = 3};
    const throng_formation wedge = {.shape = "wedge", .spacing = 1.5f}, line = {.shape = "line", .spacing = 1.2f};
    const float before[2] = {45.0f, 30.0f}, behind[2] = {75.0f, 30.0f}, stand[2] = {95.0f, 30.0f};
    const float gate[4] = {60.0f, 26.0f, 60.0f, 34.0f}, inside[2] = {60.0f, 10.0f};
    uint64_t red_ids[RED], blue_ids[BLUE], hash;
    float at[2];
    check(throng_check_interface(THRONG_INTERFACE));
    check(throng_from_text(FIELD, &world));
    const throng_species red = muster("red", 15.0f, RED, red_ids), blue = muster("blue", 100.0f, BLUE, blue_ids);
    check(throng_prepare(world));
    expect(fabsf(way(before, behind) - 30.0f) < 0.5f, "the way through the gate is straight");
    check(throng_nearest_free(world, "ground", inside, at));
    expect(fabsf(fabsf(at[0] - 60.0f) - 1.4f) < 0.5f && fabsf(at[1] - 10.0f) < 0.5f, "the ground beside a wall is free");

    /* The armies form up. */
    check(throng_form(world, red_ids, RED, &column, before, EAST));
    check(throng_form(world, blue_ids, BLUE, &line, stand, WEST));
    check(throng_step(world, 600));
    for (size_t soldier = 0; soldier < BLUE; soldier++) {
        check(throng_find(world, blue_ids[soldier], NULL, NULL, at, NULL));
        expect(fabsf(at[0] - 95.0f) < 0.5f, "the archers stand in a line");
    }

    /* The vanguard passes the gate, which closes behind it. The others have to take the postern. */
    check(throng_form(world, red_ids, VANGUARD, &wedge, behind, EAST));
    check(throng_step(world, 400));
    check(throng_add_wall(world, gate, 2, 0, NULL));
    check(throng_step(world, 20));
    const float round = 2.0f * hypotf(59.0f - before[0], 52.4f - before[1]) + 2.0f;
    expect(fabsf(way(before, behind) - round) < 1.0f, "the way round leads through the postern");
    uint8_t met;
    throng_hit hit;
    check(throng_ray(world, before, behind, &met, &hit));
    expect(met && fabsf(hit.distance - 15.0f) < 1e-3f && hit.normal[0] == -1.0f, "an arrow meets the gate");
    check(throng_form(world, red_ids + VANGUARD, RED - VANGUARD, &wedge, behind, EAST));
    check(throng_step(world, 600));
    for (size_t soldier = 0; soldier < RED; soldier++) {
        check(throng_find(world, red_ids[soldier], NULL, NULL, at, NULL));
        expect(at[0] > 61.0f, "all reds are behind the wall");
    }

    /* The reds charge. In each second one archer in twelve shoots, and each red strikes a blue beside it. */
    size_t reds = RED, blues = BLUE, left;
    for (size_t second = 0; second < 60 && reds > 0 && blues > 0; second++) {
        charge(red, "blue");
        check(throng_step(world, 20));
        const size_t shot = fight(blue, "red", 15.0f, second, 12), struck = fight(red, "blue", 1.5f, second, 1);
        reds -= shot, blues -= struck;
        check(throng_population(world, &left));
        expect(left == reds + blues, "all but the fallen live");
    }
    printf("%zu reds and %zu blues are left\n", reds, blues);
    check(throng_remove_species(world, reds > 0 ? blue : red));
    check(throng_population(world, &left));
    expect(reds > 0 && blues == 0 && left == reds, "the reds have won the field");
    check(throng_state_hash(world, &hash));
    printf("state hash %016llx\n", (unsigned long long)hash);
    check(throng_free(world));
    return 0;
}

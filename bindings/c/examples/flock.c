/* Two thousand birds in C: a species, three rules of the engine, one rule of the host, a snapshot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "throng.h"

#define BIRDS 2000

/* Ends the program with the text of an error. */
static void check(throng_status status) {
    if (status != THRONG_STATUS_OK) {
        fprintf(stderr, "error %d: %s\n", (int)status, throng_error());
        exit(1);
    }
}

/* A rule of the host: a wind that turns with time. `user` is its strength in newtons. */
static int32_t wind(void *user, const throng_agents *agents, float *forces) {
    const float strength = *(const float *)user;
    const float angle = 0.01f * (float)agents->tick;
    for (size_t row = 0; row < agents->count; row++) {
        forces[agents->dimensions * row] = strength * cosf(angle);
        forces[agents->dimensions * row + 1] = strength * sinf(angle);
    }
    return 0;
}

int main(int arguments, char **argument) {
    const uint64_t ticks = arguments > 1 ? strtoull(argument[1], NULL, 10) : 200;
    throng_world world, again;
    throng_species bird;
    const float size[2] = {200.0f, 200.0f};
    float strength = 0.5f;
    uint64_t hash, hash_again;

    check(throng_check_interface(THRONG_INTERFACE));
    check(throng_create(2, size, "wrap", 0.05f, 7, &world));
    check(throng_add_species(world, "bird", &bird));
    check(throng_add_rule(world, bird, "separation", 1.5f));
    check(throng_add_rule(world, bird, "alignment", 1.0f));
    check(throng_add_rule(world, bird, "cohesion", 1.0f));
    check(throng_set_parameter(world, bird, "separation.radius", 2.0));
    check(throng_add_host_rule(world, bird, "wind", 1.0f, wind, &strength));

    static float positions[2 * BIRDS], velocities[2 * BIRDS];
    for (int i = 0; i < BIRDS; i++) {
        positions[2 * i] = (float)(i % 50) * 4.0f;
        positions[2 * i + 1] = (float)(i / 50) * 5.0f;
        velocities[2 * i] = 3.0f;
        velocities[2 * i + 1] = (float)(i % 7) - 3.0f;
    }
    check(throng_spawn(world, bird, positions, velocities, BIRDS, NULL));
    check(throng_step(world, ticks));
    check(throng_state_hash(world, &hash));

    /* The columns are read where they are. The pointers are valid until the world changes. */
    const float *vx, *vy;
    size_t count;
    check(throng_velocities(world, bird, 0, &vx, &count));
    check(throng_velocities(world, bird, 1, &vy, &count));
    double mean[2] = {0.0, 0.0};
    for (size_t row = 0; row < count; row++) {
        const double speed = sqrt((double)vx[row] * vx[row] + (double)vy[row] * vy[row]);
        mean[0] += vx[row] / speed / (double)count;
        mean[1] += vy[row] / speed / (double)count;
    }
    printf("birds %zu\norder %.3f\nstate hash %016llx\n", count, sqrt(mean[0] * mean[0] + mean[1] * mean[1]),
           (unsigned long long)hash);

    /* A snapshot continues with the same bits. */
    check(throng_save(world, "flock.throng"));
    check(throng_load("flock.throng", &again));
    check(throng_add_host_rule(again, bird, "wind", 1.0f, wind, &strength));
    check(throng_step(world, ticks / 4));
    check(throng_step(again, ticks / 4));
    check(throng_state_hash(world, &hash));
    check(throng_state_hash(again, &hash_again));
    printf("after the snapshot %016llx and %016llx\n", (unsigned long long)hash, (unsigned long long)hash_again);
    check(throng_free(world));
    check(throng_free(again));
    remove("flock.throng");
    return hash == hash_again ? 0 : 1;
}

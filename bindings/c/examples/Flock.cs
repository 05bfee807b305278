// A flock and two players in C#, with a rollback: mcs Flock.cs && mono Flock.exe, with the library in LD_LIBRARY_PATH.
// Unity takes the class Native as it is, with the library under Assets/Plugins.
using System;
using System.Runtime.InteropServices;

/// <summary>Functions of throng.h. Every other one is declared in the same way: size_t is UIntPtr.</summary>
static class Native
{
    const string Library = "throng";
    public const uint Interface = 2;

    [DllImport(Library)] public static extern int throng_check_interface(uint header);
    [DllImport(Library)] public static extern IntPtr throng_error();
    [DllImport(Library)] public static extern int throng_create(
        UIntPtr dimensions, float[] size, string edge, float tickSeconds, ulong seed, out ulong world);
    [DllImport(Library)] public static extern int throng_free(ulong world);
    [DllImport(Library)] public static extern int throng_clone(ulong world, out ulong clone);
    [DllImport(Library)] public static extern int throng_step(ulong world, ulong ticks);
    [DllImport(Library)] public static extern int throng_state_hash(ulong world, out ulong hash);
    [DllImport(Library)] public static extern int throng_add_species(ulong world, string name, out uint species);
    [DllImport(Library)] public static extern int throng_add_rule(ulong world, uint species, string name, float weight);
    [DllImport(Library)] public static extern int throng_set_parameter(
        ulong world, uint species, string path, double value);
    [DllImport(Library)] public static extern int throng_spawn(
        ulong world, uint species, float[] positions, float[] velocities, UIntPtr count, ulong[] ids);
    [DllImport(Library)] public static extern int throng_set_goals(
        ulong world, ulong[] ids, float[] goals, UIntPtr count);
    [DllImport(Library)] public static extern int throng_keep_previous(ulong world, byte keep);
    [DllImport(Library)] public static extern int throng_drawn(
        ulong world, uint species, float share, float[] positions, UIntPtr capacity, out UIntPtr count);
    [DllImport(Library)] public static extern int throng_velocities(
        ulong world, uint species, UIntPtr axis, out IntPtr numbers, out UIntPtr count);

    /// <summary>Throws the text of an error.</summary>
    public static void Check(int status)
    {
        if (status != 0) throw new InvalidOperationException(Marshal.PtrToStringAnsi(throng_error()));
    }
}

static class Flock
{
    const int Birds = 2000;

    static void Main()
    {
        ulong world;
        uint bird, player;
        Native.Check(Native.throng_check_interface(Native.Interface));
        Native.Check(Native.throng_create((UIntPtr)2, new float[] { 200, 200 }, "wrap", 1 / 60f, 7, out world));
        Native.Check(Native.throng_add_species(world, "bird", out bird));
        foreach (var rule in new[] { "separation", "alignment", "cohesion" })
            Native.Check(Native.throng_add_rule(world, bird, rule, 1));
        Native.Check(Native.throng_add_species(world, "player", out player));
        Native.Check(Native.throng_add_rule(world, player, "arrive", 1));
        Native.Check(Native.throng_set_parameter(world, player, "max_speed", 12));

        float[] positions = new float[2 * Birds], velocities = new float[2 * Birds];
        for (int number = 0; number < Birds; number++)
        {
            positions[2 * number] = number % 50 * 4;
            positions[2 * number + 1] = number / 50 * 5;
            velocities[2 * number] = 3;
            velocities[2 * number + 1] = number % 7 - 3;
        }
        Native.Check(Native.throng_spawn(world, bird, positions, velocities, (UIntPtr)Birds, null));
        var players = new ulong[2];
        Native.Check(Native.throng_spawn(
            world, player, new float[] { 50, 100, 150, 100 }, new float[4], (UIntPtr)2, players));
        Native.Check(Native.throng_keep_previous(world, 1));
        Native.Check(Native.throng_step(world, 100));

        // Rollback: eight ticks with guessed goals, then again with those that arrived late.
        ulong past, late, known;
        Native.Check(Native.throng_clone(world, out past));
        Advance(world, players, new float[] { 50, 100, 150, 100 });
        Native.Check(Native.throng_free(world));
        world = past;
        Native.Check(Native.throng_clone(world, out past));
        foreach (var again in new[] { world, past }) Advance(again, players, new float[] { 20, 20, 180, 180 });
        Native.Check(Native.throng_state_hash(world, out late));
        Native.Check(Native.throng_state_hash(past, out known));

        // Where to draw the birds a third of a tick later: x and y one after the other, row by row.
        UIntPtr count;
        Native.Check(Native.throng_drawn(world, bird, 0.33f, positions, (UIntPtr)Birds, out count));
        // The velocities are read where they are, until the world changes.
        IntPtr column;
        Native.Check(Native.throng_velocities(world, bird, (UIntPtr)0, out column, out count));
        var eastward = new float[(int)count];
        Marshal.Copy(column, eastward, 0, eastward.Length);
        Console.WriteLine("birds {0}, the first is drawn at {1:0.0} {2:0.0}", count, positions[0], positions[1]);
        Console.WriteLine("state hash {0:x16}, and again {1:x16}", late, known);
        Native.Check(Native.throng_free(world));
        Native.Check(Native.throng_free(past));
        Environment.Exit(late == known ? 0 : 1);
    }

    static void Advance(ulong world, ulong[] players, float[] goals)
    {
        Native.Check(Native.throng_set_goals(world, players, goals, (UIntPtr)players.Length));
        Native.Check(Native.throng_step(world, 8));
    }
}

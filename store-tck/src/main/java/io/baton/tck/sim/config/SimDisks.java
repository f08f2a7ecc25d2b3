package io.baton.tck.sim.config;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.baton.testkit.sim.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The disks for the caches of instances, in memory. Each disk outlives the processes that use it in turn. Now and then
 * writes to a disk fail for a while.
 */
final class SimDisks {

    /** The time within which a failed write is retried. */
    private static final Duration TRIED_AGAIN = Duration.ofSeconds(32);

    /** The time within which values in use are written. */
    private static final Duration WRITTEN = Duration.ofSeconds(1);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Simulation sim;
    private final FileSystem files = Jimfs.newFileSystem(Configuration.unix());
    private final SplittableRandom chance;
    private final List<Disk> disks = new ArrayList<>();
    private int failures;

    SimDisks(Simulation sim) {
        this.sim = sim;
        this.chance = sim.chance();
    }

    /** Adds an empty disk. */
    Disk add() {
        var disk = new Disk(files.getPath("/" + disks.size()));
        disks.add(disk);
        return disk;
    }

    /** Makes writes to one disk fail for a while, now and then, until this time. */
    void failUntil(long end) {
        long at = sim.now() + chance.nextLong(Duration.ofSeconds(20).toNanos());
        if (at < end) {
            sim.at(at, () -> {
                failures++;
                disks.get(chance.nextInt(disks.size())).failFor(chance.nextLong(5_000_000_000L));
                failUntil(end);
            });
        }
    }

    /** The number of such failures. */
    int failures() {
        return failures;
    }

    /** The disk of one instance. */
    final class Disk {

        private final Path directory;
        private final Path away;
        private long goodSince = Long.MIN_VALUE / 2;
        private boolean fails;

        private Disk(Path directory) {
            this.directory = directory;
            this.away = directory.resolveSibling(directory.getFileName() + ".away");
        }

        /** The path of the cache. */
        Path cache() {
            return directory.resolve("cache");
        }

        /** Whether writes fail now. */
        boolean fails() {
            return fails;
        }

        /** Whether values in use since this time must be on disk by now, unless the process was stopped. */
        boolean mustHave(long since) {
            return !fails && sim.now() - Math.max(since, goodSince + TRIED_AGAIN.toNanos()) > WRITTEN.toNanos();
        }

        /** The revision of the values in the cache. */
        long revision() {
            try {
                List<String> lines = Files.readAllLines(cache());
                return JSON.readTree(lines.get(1)).path("revision").asLong();
            } catch (IOException none) {
                throw new AssertionError("there is no cache in " + directory, none);
            }
        }

        private void failFor(long nanos) {
            if (fails) {
                return;
            }
            sim.note("test", "disk " + directory + " cannot be written");
            fails = true;
            move(directory, away);
            create();
            sim.at(sim.now() + nanos, () -> {
                sim.note("test", "disk " + directory + " can be written again");
                delete();
                move(away, directory);
                fails = false;
                goodSince = sim.now();
            });
        }

        private void create() {
            try {
                Files.createFile(directory);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        private void delete() {
            try {
                Files.delete(directory);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        private void move(Path from, Path to) {
            try {
                if (Files.exists(from)) {
                    Files.move(from, to);
                }
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }
}

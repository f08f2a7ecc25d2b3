package io.baton.config.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.internal.active.Cached;
import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that does nothing but write the cache is killed in the middle of it, {@code baton.kills} times. */
class CacheKillTest {

    private static final int KILLS = Integer.getInteger("baton.kills", 4);

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void kill_duringTheWrite_fileAlwaysLoadsAndGoesNoFurtherBackThanWhatWasReported() throws Exception {
        Path file = directory.resolve("cache");
        Random random = new Random(KILLS);
        int unfinished = 0;
        long written = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            long reported = writeAndKill(file, random);
            unfinished += leftovers();
            Optional<Cached> loaded = new CacheFile(file).read("config", "");

            assertThat(loaded).as("after kill %d", kill).isPresent();
            assertThat(loaded.get().at().revision()).isGreaterThanOrEqualTo(Math.max(written, reported));
            assertThat(loaded.get().values())
                    .isEqualTo(CacheWritingMain.values(loaded.get().at().revision()));
            written = loaded.get().at().revision();
        }
        System.out.println(KILLS + " kills, " + unfinished + " in the middle of a file; revision " + written);
    }

    /** The last revision that it said was written. */
    private static long writeAndKill(Path file, Random random) throws IOException, InterruptedException {
        Process writer = ChildProcess.small(CacheWritingMain.class, List.of(), List.of(file.toString()))
                .redirectError(new File(file + ".err"))
                .start();
        try (BufferedReader told =
                new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            String last = told.readLine();
            assertThat(last).as(() -> errors(file)).isNotNull();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(30_000)));
            // Killed by its handle: the process itself would close the stream that is still to be read.
            writer.toHandle().destroyForcibly();
            for (String line = told.readLine(); line != null; line = told.readLine()) {
                last = line.endsWith(".") ? line : last;
            }
            writer.waitFor();
            return Long.parseLong(last.replace(".", ""));
        }
    }

    private static String errors(Path file) {
        try {
            return Files.readString(Path.of(file + ".err"));
        } catch (IOException none) {
            return none.toString();
        }
    }

    private int leftovers() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            List<Path> left =
                    all.filter(each -> each.toString().endsWith(".tmp")).toList();
            for (Path each : left) {
                Files.delete(each);
            }
            return left.size();
        }
    }
}

package io.baton.config.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Position;
import io.baton.config.ConfigException;
import io.baton.config.ConfigValue;
import io.baton.config.internal.active.Cached;
import io.baton.config.internal.record.FrozenMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFileTest {

    @TempDir
    Path directory;

    private Path path() {
        return directory.resolve("cache");
    }

    private CacheFile file() {
        return new CacheFile(path());
    }

    private static Cached cached(String space, long revision) {
        SortedMap<String, ConfigValue> values = new TreeMap<>();
        values.put("limit", new ConfigValue("limit", "5", revision, false));
        values.put("pin", new ConfigValue("pin", "äß\n\u0000", 3, true));
        return new Cached(
                space,
                "",
                new Position("h1", revision),
                7,
                "",
                Instant.ofEpochMilli(1_700_000_000_123L),
                Optional.of(new TreeSet<>(List.of("limit", "other"))),
                FrozenMap.copyOf(values));
    }

    @Test
    void read_whatWasWritten_isTheSame() throws IOException {
        file().write(cached("config", 5));
        file().write(cached("config", 6));

        assertThat(file().read("config", "")).contains(cached("config", 6));
        assertThat(names()).containsExactly("cache");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
                .isEqualTo("rw-------");
    }

    @Test
    void read_noFile_isNone() {
        assertThat(file().read("config", "")).isEmpty();
        assertThat(new CacheFile(directory.resolve("none/cache")).read("config", ""))
                .isEmpty();
    }

    /** As where an old process is slow to end, and its successor runs already. */
    @Test
    void write_atTheEndAnotherProcessHasWritten_leavesThat() throws IOException {
        CacheFile old = file();
        old.write(cached("config", 5));
        file().write(cached("config", 7));

        old.write(cached("config", 6), true);
        assertThat(file().read("config", "")).contains(cached("config", 7));

        // It may have gone back, and what is later here may not fit there.
        file().write(cached("config", 4));
        old.write(cached("config", 6), true);
        assertThat(file().read("config", "")).contains(cached("config", 4));
        assertThat(names()).containsExactly("cache");
    }

    @Test
    void write_atTheEndNothingOfAnother_writes() throws IOException {
        CacheFile ours = file();
        ours.write(cached("config", 5), true);
        ours.write(cached("config", 6), true);
        assertThat(file().read("config", "")).contains(cached("config", 6));

        CacheFile next = file();
        assertThat(next.read("config", "")).isPresent();
        next.write(cached("config", 7), true);
        assertThat(file().read("config", "")).contains(cached("config", 7));
    }

    /** Who lives decides, also to go back. */
    @Test
    void write_anotherProcessHasWrittenALaterState_replacesIt() throws IOException {
        CacheFile ours = file();
        ours.write(cached("config", 5));
        file().write(cached("config", 9));
        ours.write(cached("config", 6));
        assertThat(file().read("config", "")).contains(cached("config", 6));
    }

    @Test
    void write_directoryMissing_isMade() throws IOException {
        CacheFile deeper = new CacheFile(directory.resolve("a/b/cache"));
        deeper.write(cached("config", 5));
        assertThat(deeper.read("config", "")).isPresent();
    }

    @Test
    void read_ofAnotherSpaceOrPrefix_isSetAside() throws IOException {
        file().write(cached("config", 5));
        assertThat(file().read("other", "")).isEmpty();
        file().write(cached("config", 5));
        assertThat(file().read("config", "shop.")).isEmpty();

        assertThat(names()).containsExactlyInAnyOrder("cache.corrupt-1", "cache.corrupt-2");
    }

    @Test
    void read_anyByteMissingOrAnother_isSetAside() throws IOException {
        file().write(cached("config", 5));
        byte[] good = Files.readAllBytes(path());
        List<byte[]> broken = new ArrayList<>();
        for (int i = 0; i < good.length; i++) {
            broken.add(java.util.Arrays.copyOf(good, i));
        }
        for (int i = CacheText.BEGINNING; i < good.length; i++) {
            byte[] flipped = good.clone();
            flipped[i] ^= 1;
            broken.add(flipped);
        }
        broken.add(java.util.Arrays.copyOf(good, good.length + 1));

        for (byte[] each : broken) {
            Files.write(path(), each);
            assertThat(file().read("config", "")).isEmpty();
            assertThat(path()).doesNotExist();
        }
        assertThat(names()).hasSize(20).allMatch(name -> name.startsWith("cache.corrupt-"));
    }

    /** A path that was mistyped must not cost what is there. */
    @Test
    void open_somethingElseIsThere_isRefusedAndStays() throws IOException {
        byte[] noise = new byte[4_000];
        new Random(4).nextBytes(noise);
        for (byte[] other :
                List.of(noise, new byte[1_000], "limit=5\n".getBytes(java.nio.charset.StandardCharsets.UTF_8))) {
            Files.write(path(), other);

            assertThatThrownBy(this::file)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(path().toString())
                    .hasMessageContaining("it holds something else");
            assertThat(path()).hasBinaryContent(other);
        }
        assertThat(names()).containsExactly("cache");
    }

    @Test
    void open_aDirectoryIsThere_isRefusedAndStays() throws IOException {
        Files.createDirectories(path().resolve("deeper"));

        assertThatThrownBy(this::file).isInstanceOf(ConfigException.class).hasMessageContaining("it is a directory");
        assertThat(path().resolve("deeper")).isDirectory();
    }

    @Test
    void write_somethingElseHasComeThereMeanwhile_failsAndItStays() throws IOException {
        CacheFile cache = file();
        Files.writeString(path(), "limit=5\n");

        assertThatThrownBy(() -> cache.write(cached("config", 5))).isInstanceOf(IOException.class);
        assertThat(cache.read("config", "")).isEmpty();
        assertThat(path()).hasContent("limit=5\n");
        assertThat(names()).containsExactly("cache");
    }

    @Test
    void read_sealedButNoCache_isSetAside() throws IOException {
        for (String text : List.of("", "null", "{}", "[]", "{\"space\":\"config\",\"prefix\":\"\"}", "nonsense")) {
            Files.write(path(), CacheText.sealed(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            assertThat(file().read("config", "")).isEmpty();
            assertThat(path()).doesNotExist();
        }
    }

    @Test
    void read_leftoverOfAKilledProcess_isClearedAway() throws IOException {
        Path old = Files.createFile(directory.resolve(".cache.abc.tmp"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofMinutes(5))));
        Path fresh = Files.createFile(directory.resolve(".cache.def.tmp"));
        Path other = Files.createFile(directory.resolve(".another.abc.tmp"));
        Files.setLastModifiedTime(other, FileTime.from(Instant.now().minus(Duration.ofMinutes(5))));

        assertThat(file().read("config", "")).isEmpty();

        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
        assertThat(other).exists();
    }

    @Test
    void write_failing_leavesTheFormerFileAndNothingElse() throws IOException {
        file().write(cached("config", 5));
        Path inTheWay = directory.resolve("full/cache");
        CacheFile hindered = new CacheFile(inTheWay);
        Files.createDirectories(inTheWay.resolve("x"));

        assertThatThrownBy(() -> hindered.write(cached("config", 6))).isInstanceOf(IOException.class);

        assertThat(file().read("config", "")).contains(cached("config", 5));
        try (Stream<Path> left = Files.list(directory.resolve("full"))) {
            assertThat(left).containsExactly(inTheWay);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(each -> each.getFileName().toString()).toList();
        }
    }
}

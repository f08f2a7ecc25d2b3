package io.baton.config.internal.cache;

import io.baton.Position;
import io.baton.config.ConfigValue;
import io.baton.config.internal.active.Cached;
import io.baton.config.internal.record.FrozenMap;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes the cache, one revision after the other, and says so after each. To be killed. */
final class CacheWritingMain {

    private CacheWritingMain() {}

    /** The values of a revision: no two have the same length. */
    static FrozenMap<ConfigValue> values(long revision) {
        SortedMap<String, ConfigValue> values = new TreeMap<>();
        int many = new Random(revision).nextInt(2_000);
        for (int i = 0; i < many; i++) {
            values.put("key" + i, new ConfigValue("key" + i, "text " + i * revision, revision, false));
        }
        return FrozenMap.copyOf(values);
    }

    /** Goes on from what is there. */
    public static void main(String... args) throws IOException {
        CacheFile file = new CacheFile(Path.of(args[0]));
        Optional<Cached> there = file.read("config", "");
        long first = there.map(Cached::at).map(Position::revision).orElse(0L) + 1;
        // Nobody listens any more: then whoever is to kill it has ended himself.
        for (long revision = first; !System.out.checkError(); revision++) {
            file.write(new Cached(
                    "config",
                    "",
                    new Position("h", revision),
                    revision,
                    "",
                    Instant.EPOCH,
                    Optional.empty(),
                    values(revision)));
            System.out.println(revision + ".");
        }
    }
}

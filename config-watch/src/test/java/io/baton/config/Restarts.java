package io.baton.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** What tests of restarts begin with: processes on one disk, one after the other, and what they tell. */
abstract class Restarts {

    final Rig rig;
    final List<ConfigEvent> events = new ArrayList<>();

    @TempDir
    Path directory;

    Restarts(String store) {
        rig = new Rig(store);
    }

    LiveConfigBuilder remembering() {
        return rig.builder().cache(directory.resolve("cache"));
    }

    /** One that has the cache of the one before, and is not closed when the next one begins. */
    LiveConfig start() {
        LiveConfig config = rig.open(remembering());
        config.onEvent(events::add);
        return config;
    }
}

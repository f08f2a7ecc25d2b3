package io.baton.cli.config;

import io.baton.config.ConfigEntry;
import io.baton.config.ConfigStore;
import java.util.List;

/** Finds the last change. */
final class Newest {

    private Newest() {}

    /** Its number; 0 if there is none. */
    static long change(ConfigStore store) throws InterruptedException {
        List<ConfigEntry> last = store.history(1);
        return last.isEmpty() ? 0 : last.get(0).change();
    }
}

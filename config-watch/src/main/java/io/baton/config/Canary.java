package io.baton.config;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A change that is tried by some instances first.
 *
 * @param id names it
 * @param author who wrote it
 * @param since when, as its author's machine told it
 * @param labels that an instance must bear
 * @param percent of those that bear them
 * @param held why it goes no further: an instance has rejected it; empty if none has
 * @param changes what it changes
 */
public record Canary(
        String id,
        String author,
        Instant since,
        Map<String, String> labels,
        int percent,
        String held,
        List<KeyChange> changes) {

    /** Whether an instance of this name, with these labels, is to try it. The same answer each time, anywhere. */
    public boolean chooses(String instance, Map<String, String> bears) {
        throw new UnsupportedOperationException(instance + bears);
    }
}

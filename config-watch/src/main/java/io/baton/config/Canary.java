package io.baton.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

    private static final int ALL = 100;

    /** Whether an instance of this name, with these labels, is to try it. The same answer each time, anywhere. */
    public boolean chooses(String instance, Map<String, String> bears) {
        return bears.entrySet().containsAll(labels.entrySet()) && share(instance) < percent;
    }

    /** 0 to 99: evenly over instances, and differently for each canary. */
    private int share(String instance) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((id + "\n" + instance).getBytes(StandardCharsets.UTF_8));
            int bits = (hash[0] & 0xff) << 16 | (hash[1] & 0xff) << 8 | (hash[2] & 0xff);
            return bits % ALL;
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}

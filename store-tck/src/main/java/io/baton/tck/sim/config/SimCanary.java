package io.baton.tck.sim.config;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.baton.tck.sim.lock.LockTruth.Written;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A canary as its record has it.
 *
 * @param asked how often its author has asked how it does
 * @param held why it goes no further; empty if it does
 * @param chosen the instances that are to try it, by process
 * @param keys what it changes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record SimCanary(String id, long asked, String held, Map<String, String> chosen, Map<String, Key> keys) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * What it makes of a key.
     *
     * @param now its text; null if it is taken away
     * @param base the revision that it had when the canary began; 0 if it was not there
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Key(@Nullable String now, long base) {}

    static SimCanary of(String record) {
        try {
            return JSON.readValue(record, SimCanary.class);
        } catch (JsonProcessingException malformed) {
            throw new AssertionError("the record of a canary is " + record, malformed);
        }
    }

    boolean chose(String instance) {
        return chosen.containsValue(instance);
    }

    /** These with its own laid over; the revision of its own does not matter, and is 0. */
    SortedMap<String, Written> over(Map<String, Written> values) {
        SortedMap<String, Written> all = new TreeMap<>(values);
        keys.forEach((key, to) -> {
            if (to.now() == null) {
                all.remove(key);
            } else {
                all.put(key, new Written(to.now(), 0));
            }
        });
        return all;
    }

    /** Whether none of its keys has been written since it began. */
    boolean untouched(Map<String, Written> values) {
        return keys.entrySet().stream().allMatch(each -> each.getValue().base() == revision(values.get(each.getKey())));
    }

    private static long revision(@Nullable Written written) {
        return written == null ? 0 : written.revision();
    }
}

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
 * A canary according to its record.
 *
 * @param asked how often its author has queried its health
 * @param held why it is held; empty if it is not
 * @param chosen the instances that try it, by process
 * @param keys the keys it changes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record SimCanary(String id, long asked, String held, Map<String, String> chosen, Map<String, Key> keys) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * A canary's change of a key.
     *
     * @param now the new text; null if the key is deleted
     * @param base the key's revision when the canary began; 0 if it was absent
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

    /** Returns the values with the canary's own laid over them, which have revision 0. */
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

    /** Whether no key of the canary has been written since it began. */
    boolean untouched(Map<String, Written> values) {
        return keys.entrySet().stream().allMatch(each -> each.getValue().base() == revision(values.get(each.getKey())));
    }

    private static long revision(@Nullable Written written) {
        return written == null ? 0 : written.revision();
    }
}

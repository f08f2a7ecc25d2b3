package io.baton.config.internal.rollout;

import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.FleetRecord;
import io.baton.config.internal.record.FleetState;
import io.baton.config.internal.record.Ids;
import io.baton.recipe.Membership;
import java.util.Map;
import java.util.TreeMap;

/** An instance's entry in the fleet, which disappears with its session and returns in the next. Any thread. */
public final class FleetEntry implements AutoCloseable {

    private static final int MOST_CHARS = 4_000;

    private final String id;
    private final String process;
    private final String host;
    private final Map<String, String> labels;
    private final Membership presence;

    private FleetEntry(String id, String process, String host, Map<String, String> labels, Membership presence) {
        this.id = id;
        this.process = process;
        this.host = host;
        this.labels = new TreeMap<>(labels);
        this.presence = presence;
    }

    /**
     * Joins for this instance. The entry is not visible before the first publication. May ask the name service for the
     * host's name.
     *
     * @throws ConfigException if the id or the labels are invalid
     */
    public static FleetEntry open(ConfigSpace space, String id, Map<String, String> labels) {
        int chars = id.length()
                + labels.entrySet().stream()
                        .mapToInt(
                                each -> each.getKey().length() + each.getValue().length())
                        .sum();
        if (id.isEmpty() || chars > MOST_CHARS) {
            throw new ConfigException("an instance has a name, and with its labels " + MOST_CHARS
                    + " characters at most; this one has " + chars);
        }
        return new FleetEntry(id, Ids.next(space.loop()), space.host(), labels, space.joinFleet());
    }

    /** Returns the instance's name. */
    String id() {
        return id;
    }

    /** Returns whether this instance is to try the canary. */
    boolean isChosenFor(CanaryRecord canary) {
        return canary.chooses(process, id, labels);
    }

    /** Publishes its progress, a little later, and only the newest. */
    public void publish(FleetState state) {
        presence.publish(FleetRecord.encode(id, process, host, labels, state));
    }

    /** Leaves the fleet. Does not wait. Idempotent. */
    @Override
    public void close() {
        var unused = presence.close();
    }
}

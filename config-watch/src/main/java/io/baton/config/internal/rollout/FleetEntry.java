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

/** An instance's entry in the view of the fleet; gone with its session, and there again in the next. Any thread. */
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
     * Of this instance; there is nothing to see before it has said something. May ask the name service for the host's name.
     *
     * @throws ConfigException if the id or the labels cannot be
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

    /** What it is called. */
    String id() {
        return id;
    }

    /** Whether it is to try this one. */
    boolean isChosenFor(CanaryRecord canary) {
        return canary.chooses(process, id, labels);
    }

    /** How far it follows now. Told to others a little later, the newest only. */
    public void publish(FleetState state) {
        presence.publish(FleetRecord.encode(id, process, host, labels, state));
    }

    /** It leaves the fleet. Does not wait. Idempotent. */
    @Override
    public void close() {
        var unused = presence.close();
    }
}

package io.baton.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A change that is tried by some instances first.
 *
 * @param id the canary's id
 * @param author the author of the change
 * @param since when it began, by the clock of its author's machine
 * @param lasts how long it may be in use anywhere; then its instances take it back
 * @param labels that an instance must bear
 * @param percent of the instances with these labels
 * @param chosen the processes that try it, present when it began: {@link FleetMember#process()} to {@link
 *     FleetMember#id()}
 * @param asked how often its instances were asked whether it may be promoted
 * @param held why it cannot be promoted, as when an instance has rejected it; empty if it can
 * @param changes what it changes
 */
public record Canary(
        String id,
        String author,
        Instant since,
        Duration lasts,
        Map<String, String> labels,
        int percent,
        Map<String, String> chosen,
        long asked,
        String held,
        List<KeyChange> changes) {

    private static final int ALL = 100;

    /**
     * Returns whether labels and percentage choose an instance with this name and these labels. The answer is the same
     * each time, anywhere.
     */
    public boolean chooses(String instance, Map<String, String> bears) {
        return bears.entrySet().containsAll(labels.entrySet()) && share(instance) < percent;
    }

    /**
     * Returns the objections to promoting it, given the fleet. At least one process must have been chosen. Each must
     * run the canary, approve it, and have answered the latest request. None may have gone or restarted, and no
     * matching instance may have joined.
     *
     * @return for people, one for each objection; empty if there is none
     */
    public List<String> objections(List<FleetMember> fleet) {
        List<String> all = new ArrayList<>();
        if (!held.isEmpty()) {
            all.add("it is held: " + held);
        }
        if (chosen.isEmpty()) {
            all.add("no instance was chosen to try it");
        }
        Map<String, FleetMember> present = new TreeMap<>();
        fleet.forEach(member -> present.put(member.process(), member));
        chosen.forEach((process, instance) -> {
            String objection = wasRestarted(instance, fleet) ? "was restarted" : objection(present.get(process));
            if (!objection.isEmpty()) {
                all.add(instance + " " + objection);
            }
        });
        for (FleetMember member : fleet) {
            boolean came = !chosen.containsKey(member.process()) && chooses(member.id(), member.labels());
            if (came && !chosen.containsValue(member.id())) {
                all.add(member.id() + " has come since it began");
            }
        }
        return List.copyOf(all);
    }

    /** A restarted process's former entry may remain until its session has ended. */
    private boolean wasRestarted(String instance, List<FleetMember> fleet) {
        return fleet.stream()
                .filter(member -> member.id().equals(instance) && chooses(instance, member.labels()))
                .anyMatch(member -> !chosen.containsKey(member.process()));
    }

    private String objection(@Nullable FleetMember member) {
        if (member == null) {
            return "is gone";
        }
        if (!member.canary().equals(id)) {
            return "does not run it" + (member.rejected().isEmpty() ? "" : ": " + member.rejected());
        }
        if (!member.approves()) {
            return "has not approved it";
        }
        return member.asked() < asked ? "does not answer" : "";
    }

    /** Returns 0 to 99, evenly distributed over instances, and differently for each canary. */
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

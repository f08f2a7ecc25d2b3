package io.baton.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** What the demo claims, each with what was seen and whether that bears it out. */
final class Claims {

    /**
     * A claim that has been looked at.
     *
     * @param text what is claimed
     * @param seen what was seen
     * @param holds whether it is true
     */
    record Claim(String text, String seen, boolean holds) {}

    private final List<Claim> all = new ArrayList<>();

    void check(String text, boolean holds, String seen) {
        all.add(new Claim(text, seen, holds));
    }

    List<Claim> all() {
        return List.copyOf(all);
    }

    /** Whether there are claims and none has failed. */
    boolean hold() {
        return !all.isEmpty() && all.stream().allMatch(Claim::holds);
    }
}

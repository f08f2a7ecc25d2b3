package io.baton.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** The claims of the demo, each with what was seen and whether it holds. */
final class Claims {

    /**
     * A claim that was checked.
     *
     * @param text the claim
     * @param seen the observation
     * @param holds whether the claim is true
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

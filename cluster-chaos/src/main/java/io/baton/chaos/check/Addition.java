package io.baton.chaos.check;

import java.util.ArrayList;
import java.util.List;

/** One addition to the counter to which all add. */
final class Addition {

    /** An attempt of which its client was told that it is applied, by then or before. */
    private record Applied(long began, long ended) {}

    private final List<Applied> applied = new ArrayList<>();
    private boolean refused;

    void applied(long began, long ended) {
        applied.add(new Applied(began, ended));
    }

    void refused() {
        refused = true;
    }

    /** Whether its client was told that it was applied. */
    boolean isApplied() {
        return !applied.isEmpty();
    }

    /** Whether it counts for certain: it was applied, and no fail-over can have lost it. */
    boolean isCertain(List<LossWindow> windows) {
        return applied.stream()
                .anyMatch(each -> windows.stream().noneMatch(window -> window.mayHaveLost(each.began(), each.ended())));
    }

    /** Whether it may count: its outcome is not known, or it was applied. */
    boolean isPossible() {
        return isApplied() || !refused;
    }
}

package io.baton.chaos.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The acknowledged writes that fail-overs have lost, as they may: on them the counters do not build in the end, and they
 * were under way after the last moment of which all is there.
 *
 * <p>What a fail-over loses is the end of all that was applied, whatever its lock: not a write that was acknowledged before
 * another one began that is there.
 */
final class LostWrites {

    private final RunHistory history;
    private final Map<String, Write> successors = new HashMap<>();
    private final Set<String> kept = new HashSet<>();
    private final Set<Write> lost = new LinkedHashSet<>();

    private LostWrites(RunHistory history) {
        this.history = history;
        history.counted().forEach(this::keep);
        history.writesByLock()
                .values()
                .forEach(writes -> writes.stream()
                        .filter(write -> write.applied() && !kept.contains(write.id()))
                        .filter(write -> window(write).isPresent())
                        .forEach(lost::add));
    }

    static LostWrites of(RunHistory history) {
        return new LostWrites(history);
    }

    boolean contains(Write write) {
        return lost.contains(write);
    }

    /** What the counter builds on in the end. */
    private void keep(Counted counted) {
        Optional<Write> next = history.write(counted.write());
        while (next.isPresent() && kept.add(next.get().id())) {
            Write write = next.get();
            next = history.write(write.builtOn());
            next.ifPresent(before -> successors.put(before.id(), write));
        }
    }

    private Optional<LossWindow> window(Write write) {
        return history.lossWindows().stream()
                .filter(window -> window.mayHaveLost(write.began(), write.ended()))
                .findFirst();
    }

    /**
     * Whether the value of this write may have been read before a fail-over lost it, by one who held on, though its
     * writer was told afterwards that it was not applied.
     */
    boolean mayBeSeenBy(Write seen, Write reader) {
        return history.lossWindows().stream()
                .anyMatch(window -> window.mayHaveLost(seen.began(), seen.ended())
                        && history.grantedAt(reader)
                                .filter(at -> at < window.gone())
                                .isPresent());
    }

    /** Tells each lost write that an other one proves to be none of the last. */
    void checkOrder(Consumer<Violation> found) {
        for (LossWindow window : history.lossWindows()) {
            List<Write> survivors = survivors(window);
            lost.stream()
                    .filter(write -> window.mayHaveLost(write.began(), write.ended()))
                    .forEach(write -> survivors.stream()
                            .filter(later -> write.ended() < later.began())
                            .findFirst()
                            .ifPresent(later -> found.accept(new Violation(
                                    Kind.LOST_UPDATE,
                                    write.lock(),
                                    write.began(),
                                    window.gone(),
                                    write + " was lost by a fail-over, and " + later
                                            + ", which began when it had been acknowledged, was not"))));
        }
    }

    /** Those that the former server had acknowledged, and that were read afterwards by who had not read before. */
    private List<Write> survivors(LossWindow window) {
        List<Write> survivors = new ArrayList<>();
        for (String id : kept) {
            Write write = history.write(id).orElseThrow();
            Write reader = successors.get(id);
            boolean readLater = reader == null
                    || history.grantedAt(reader)
                            .filter(at -> at > window.gone())
                            .isPresent();
            if (readLater && write.applied() && write.ended() < window.gone()) {
                survivors.add(write);
            }
        }
        return survivors;
    }
}

package io.baton.zookeeper;

import io.baton.spi.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Orders lines whose sequence numbers are unusable, by the czxid of each entry. Each entry is read once, as entry names
 * are never reused.
 */
final class CzxidOrder {

    /** An entry, what it claims, and its czxid. */
    record Born(String name, Claim claim, long czxid) {}

    /** Receives the order. */
    interface Answer {
        /**
         * Receives the result.
         *
         * @param failed why the order could not be read; null if it could
         * @param born the entries that still exist, the first one first
         * @param complete whether all entries in question still exist
         */
        void accept(@Nullable Code failed, List<Born> born, boolean complete);
    }

    private final ZkSession session;
    private final Map<String, Map<String, Born>> known = new HashMap<>();

    CzxidOrder(ZkSession session) {
        this.session = session;
    }

    /**
     * Orders these entries of the line at this path. Calls {@code answer} at once if all czxids are cached, otherwise
     * later.
     */
    void order(String path, List<EntryName> entries, Answer answer) {
        Map<String, Born> before = known.getOrDefault(path, Map.of());
        Map<String, Born> now = new HashMap<>();
        known.put(path, now);
        List<EntryName> unknown = new ArrayList<>();
        for (EntryName entry : entries) {
            Born born = before.get(entry.name());
            if (born == null) {
                unknown.add(entry);
            } else {
                now.put(entry.name(), born);
            }
        }
        new Question(path, new HashMap<>(now), unknown.size(), answer).ask(unknown);
    }

    private final class Question {

        private final String path;
        private final Map<String, Born> found;
        private final Answer answer;
        private final int wanted;
        private int open;
        private @Nullable Code failed;

        Question(String path, Map<String, Born> found, int unknown, Answer answer) {
            this.path = path;
            this.found = found;
            this.open = unknown;
            this.wanted = found.size() + unknown;
            this.answer = answer;
        }

        void ask(List<EntryName> unknown) {
            if (unknown.isEmpty()) {
                complete();
            }
            for (EntryName entry : unknown) {
                session.wire().read(path + "/" + entry.name(), (code, node) -> {
                    if (code == Code.OK && node != null) {
                        var born = new Born(entry.name(), entry.claim(), node.czxid());
                        found.put(entry.name(), born);
                        known.computeIfAbsent(path, same -> new HashMap<>()).put(entry.name(), born);
                    } else if (code != Code.NONODE) {
                        failed = code;
                    }
                    if (--open == 0) {
                        complete();
                    }
                });
            }
        }

        private void complete() {
            List<Born> born = new ArrayList<>(found.values());
            born.sort(Comparator.comparingLong(Born::czxid));
            answer.accept(failed, born, found.size() == wanted);
        }
    }
}

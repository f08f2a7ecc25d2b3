package io.baton.zookeeper;

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

    /** An entry and its czxid. */
    record Born(String name, long czxid) {}

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
    private final Map<String, Map<String, Long>> known = new HashMap<>();

    CzxidOrder(ZkSession session) {
        this.session = session;
    }

    /**
     * Orders these entries of the line at this path. Calls {@code answer} at once if all czxids are cached, otherwise
     * later.
     */
    void order(String path, List<EntryName> entries, Answer answer) {
        Map<String, Long> before = known.getOrDefault(path, Map.of());
        Map<String, Long> now = new HashMap<>();
        known.put(path, now);
        List<EntryName> unknown = new ArrayList<>();
        for (EntryName entry : entries) {
            Long czxid = before.get(entry.name());
            if (czxid == null) {
                unknown.add(entry);
            } else {
                now.put(entry.name(), czxid);
            }
        }
        new Question(path, new HashMap<>(now), unknown.size(), answer).ask(unknown);
    }

    private final class Question {

        private final String path;
        private final Map<String, Long> found;
        private final Answer answer;
        private final int wanted;
        private int open;
        private @Nullable Code failed;

        Question(String path, Map<String, Long> found, int unknown, Answer answer) {
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
                        found.put(entry.name(), node.czxid());
                        known.computeIfAbsent(path, same -> new HashMap<>()).put(entry.name(), node.czxid());
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
            List<Born> born = new ArrayList<>();
            found.forEach((name, czxid) -> born.add(new Born(name, czxid)));
            born.sort(Comparator.comparingLong(Born::czxid));
            answer.accept(failed, born, found.size() == wanted);
        }
    }
}

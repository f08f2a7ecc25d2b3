package io.baton.zookeeper;

import io.baton.zookeeper.wire.Packet;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;

/** What a session says to show that it lives: quorum commits that check what is held, or else small reads. */
final class HeartbeatRequests implements Heartbeat.Heart {

    /** So many of those that may not be read are checked with one beat. */
    private static final int AT_ONCE = 64;

    private final ZkSession session;
    /** By the path of the entry. */
    private final Map<String, LinePlace> holding = new LinkedHashMap<>();
    // Those that may not be read, to be checked apart from the others; the one first that was checked longest ago.
    private final Set<LinePlace> apart = new LinkedHashSet<>();

    HeartbeatRequests(ZkSession session) {
        this.session = session;
    }

    /** This place's entry is to be checked with each beat. */
    void check(LinePlace place) {
        holding.put(place.entryPath(), place);
    }

    /** Whether this is the entry of a place that is clear, and has not been left. */
    boolean holds(String path) {
        return holding.containsKey(path);
    }

    /** No longer. */
    void uncheck(LinePlace place) {
        holding.remove(place.entryPath());
        readable(place);
    }

    /**
     * This node has been deleted. If it was a held entry, its place need not wait for the next beat to know; but whether
     * somebody deleted it, or the session has ended, only an answer tells.
     */
    void deleted(String path) {
        LinePlace place = holding.get(path);
        if (place != null) {
            session.wire().read(path, (code, node) -> {
                if (code == Code.NONODE) {
                    place.missing();
                }
            });
        }
    }

    @Override
    public void touch() {
        session.wire().read(session.address().root(), (code, node) -> {
            session.heartbeat().touchDone();
            session.rootRead(code);
        });
    }

    @Override
    public void beat() {
        var round = new Round();
        List<LinePlace> together = holding.values().stream()
                .filter(place -> !apart.contains(place))
                .toList();
        Packet.batches(together, LinePlace::entryPath).forEach(round::check);
        apart.stream().limit(AT_ONCE).toList().forEach(place -> round.check(List.of(place)));
        round.answered();
    }

    /** The commits of one beat. */
    private final class Round {

        private int open = 1;
        private boolean again;
        private boolean lost;
        private boolean refused;
        private boolean committed;

        void check(List<LinePlace> places) {
            open++;
            var checks = new ArrayList<>(session.tree().rootCheck());
            places.forEach(place -> checks.add(new ZkOp.Check(place.entryPath(), -1)));
            session.wire().multi(checks, (code, failedAt) -> {
                if (failedAt <= 0) { // all of it, or the root
                    session.proofAnswered(code);
                }
                lost |= code == Code.CONNECTIONLOSS;
                committed |= code == Code.OK;
                boolean unreadable = code == Code.NOAUTH && failedAt > 0;
                refused |= unreadable;
                if (!unreadable) {
                    again |= checked(code, failedAt, places);
                } else if (places.size() == 1) {
                    mayNotBeRead(places.get(0));
                } else {
                    // Only the first one is named: the others are not to wait until each has had its turn to be it.
                    check(places.subList(0, places.size() / 2));
                    check(places.subList(places.size() / 2, places.size()));
                }
                answered();
            });
        }

        void answered() {
            if (--open > 0) {
                return;
            }
            if (lost) {
                session.onReconnect(session::isOpen, () -> session.heartbeat().beatDone(true));
            } else if (refused && !committed) {
                // Whether the session lives must not hang on what else was asked with it.
                refused = false;
                check(List.of());
            } else {
                session.heartbeat().beatDone(again);
            }
        }
    }

    /** Whether some of the checks were not made and have to be made again. */
    private boolean checked(Code code, int failedAt, List<LinePlace> places) {
        if (code == Code.OK && places.size() == 1) {
            readable(places.get(0));
        }
        if (code != Code.NONODE) {
            return false;
        }
        if (failedAt > 0) {
            places.get(failedAt - 1).missing();
        } else {
            // The whole tree is gone, and everything that stood in it.
            places.stream().filter(place -> !place.line().exact()).forEach(LinePlace::missing);
            session.tree().makeRoot(made -> {});
        }
        return true;
    }

    /** It stands: a server looks for it first. So it is checked apart, and must not cost the others their proof. */
    private void mayNotBeRead(LinePlace place) {
        boolean known = apart.remove(place);
        if (holds(place.entryPath())) {
            apart.add(place); // behind the others
            if (!known) {
                session.reportTrouble(
                        mayNotRead(place), "ZooKeeper says NOAUTH; it is looked at apart from the others");
            }
        }
    }

    private void readable(LinePlace place) {
        if (apart.remove(place)) {
            session.resolveTrouble(mayNotRead(place));
        }
    }

    private static String mayNotRead(LinePlace place) {
        return "May not read the entry " + place.entryPath() + ", which is held";
    }
}

package io.baton.zookeeper;

import io.baton.zookeeper.wire.Packet;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;

/** The requests that prove a session alive: quorum commits that check the held entries, or else small reads. */
final class HeartbeatRequests implements Heartbeat.Heart {

    /** The number of unreadable entries checked with one beat. */
    private static final int AT_ONCE = 64;

    private final ZkSession session;
    /** By the path of the entry. */
    private final Map<String, LinePlace> holding = new LinkedHashMap<>();
    // Unreadable entries, which are checked apart from the others. The one checked longest ago comes first.
    private final Set<LinePlace> apart = new LinkedHashSet<>();

    HeartbeatRequests(ZkSession session) {
        this.session = session;
    }

    /** Adds this place's entry to the checks of each beat. */
    void check(LinePlace place) {
        holding.put(place.entryPath(), place);
    }

    /** Whether this is the entry of a place that is clear and has not been left. */
    boolean holds(String path) {
        return holding.containsKey(path);
    }

    /** Removes this place's entry from the checks. */
    void uncheck(LinePlace place) {
        holding.remove(place.entryPath());
        readable(place);
    }

    /**
     * Handles a node's deletion. A held entry's place need not wait for the next beat. Only an answer shows whether
     * another client deleted the entry or the session has ended.
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
        /** Whether a commit failed for an entry, which is missing or may not be read. */
        private boolean refused;

        private boolean committed;

        void check(List<LinePlace> places) {
            open++;
            var checks = new ArrayList<>(session.tree().rootCheck());
            places.forEach(place -> checks.add(new ZkOp.Check(place.entryPath(), -1)));
            session.wire().multi(checks, (code, failedAt, zxid) -> {
                if (failedAt <= 0) { // all of it, or the root
                    session.proofAnswered(code);
                }
                lost |= code == Code.CONNECTIONLOSS;
                committed |= code == Code.OK;
                boolean unreadable = code == Code.NOAUTH && failedAt > 0;
                refused |= unreadable;
                if (!unreadable) {
                    checked(code, failedAt, places);
                } else if (places.size() == 1) {
                    mayNotBeRead(places.get(0));
                } else {
                    checkHalves(places);
                }
                answered();
            });
        }

        private void checked(Code code, int failedAt, List<LinePlace> places) {
            if (code == Code.OK && places.size() == 1) {
                readable(places.get(0));
            } else if (code == Code.NONODE && failedAt > 0) {
                refused = true;
                places.get(failedAt - 1).missing();
                checkHalves(places.subList(failedAt, places.size())); // those ahead were found
            } else if (code == Code.NONODE) {
                rootMissing(places);
            }
        }

        /** A server names only the first entry that fails. Halves find the others without waiting for each of them. */
        private void checkHalves(List<LinePlace> places) {
            int half = places.size() / 2;
            Stream.of(places.subList(0, half), places.subList(half, places.size()))
                    .filter(part -> !part.isEmpty())
                    .forEach(this::check);
        }

        /** The whole tree has gone, with every entry in it. The next beat is due at once if the root can be made. */
        private void rootMissing(List<LinePlace> places) {
            places.stream().filter(place -> !place.line().exact()).forEach(LinePlace::missing);
            open++;
            session.tree().makeRoot(made -> {
                session.rootMade(made);
                again |= made == Code.OK || made == Code.NODEEXISTS;
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
                // The proof must not depend on the other checks of this beat.
                refused = false;
                check(List.of());
            } else {
                session.heartbeat().beatDone(again);
            }
        }
    }

    /** The entry exists: a server checks that first. It is checked apart, so that the others keep their proof. */
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

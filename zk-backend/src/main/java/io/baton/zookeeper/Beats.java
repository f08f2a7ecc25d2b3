package io.baton.zookeeper;

import io.baton.zookeeper.ZkWire.ZkOp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException.Code;

/** What a session says to show that it lives: quorum commits that check what is held, or else small reads. */
final class Beats implements Heartbeat.Heart {

    private final ZkSession session;
    /** By the path of the entry. */
    private final Map<String, LinePlace> holding = new LinkedHashMap<>();

    Beats(ZkSession session) {
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
            session.heartbeat().touched();
            session.rootRead(code);
        });
    }

    @Override
    public void beat() {
        List<List<LinePlace>> batches = Packet.batches(List.copyOf(holding.values()), LinePlace::entryPath);
        int[] open = {batches.size()};
        boolean[] again = {false};
        boolean[] lost = {false};
        for (List<LinePlace> batch : batches) {
            var checks = new ArrayList<>(session.tree().rootCheck());
            batch.forEach(place -> checks.add(new ZkOp.Check(place.entryPath(), -1)));
            session.wire().multi(checks, (code, failedAt) -> {
                again[0] |= checked(code, failedAt, batch);
                lost[0] |= code == Code.CONNECTIONLOSS;
                if (--open[0] == 0) {
                    answeredBeat(lost[0], again[0]);
                }
            });
        }
    }

    private void answeredBeat(boolean lost, boolean again) {
        if (lost) {
            session.again(session::open, () -> session.heartbeat().beaten(true));
        } else {
            session.heartbeat().beaten(again);
        }
    }

    /** Whether some of the checks were not made and have to be made again. */
    private boolean checked(Code code, int failedAt, List<LinePlace> places) {
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
}

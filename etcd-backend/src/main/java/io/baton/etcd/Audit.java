package io.baton.etcd;

import io.baton.etcd.EtcdWire.Kv;
import io.baton.etcd.EtcdWire.Range;
import io.baton.etcd.EtcdWire.Txn;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then whether the waiting places still stand behind whom they watch, and whether observers know who stands
 * in their line and what is in their tree: servers have lost events before. One read per line, at jittered times; where
 * nobody observes, none if the line has moved since the last look, unless somebody waited then who still does: the line
 * moves on without him if his entry has gone as well. One read per observed tree, of a part of it.
 */
final class Audit {

    private static final long EVERY_MILLIS = 30_000;

    private final EtcdSession session;
    private final Set<LinePlace> places;
    private final Set<HeadObservation> heads;
    private final Set<TreeObserver> trees;
    private final Set<Line> moved = new HashSet<>();
    private final Set<LinePlace> waitedBefore = new HashSet<>();
    private Loop.@Nullable Timer timer;

    Audit(EtcdSession session, Set<LinePlace> places, Set<HeadObservation> heads, Set<TreeObserver> trees) {
        this.session = session;
        this.places = places;
        this.heads = heads;
        this.trees = trees;
    }

    /** In contact, for the first time or again. */
    void connected() {
        plan();
    }

    private void plan() {
        moved.clear();
        stop();
        long jittered = EVERY_MILLIS / 2 + Math.floorMod(session.loop().randomLong(), EVERY_MILLIS);
        timer = session.loop().after(Duration.ofMillis(jittered), this::run);
    }

    /** A place of this line was told that the one ahead has gone. */
    void moved(Line line) {
        moved.add(line);
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void run() {
        Set<String> lines = new LinkedHashSet<>();
        if (session.inContact()) {
            List<LinePlace> waiting =
                    places.stream().filter(LinePlace::isWaiting).toList();
            waiting.stream()
                    .filter(place -> !moved.contains(place.line()) || waitedBefore.contains(place))
                    .forEach(place -> lines.add(place.prefix()));
            heads.forEach(head -> lines.add(head.prefix()));
            waitedBefore.clear();
            waitedBefore.addAll(waiting);
        }
        plan();
        lines.forEach(this::read);
        if (session.inContact()) {
            List.copyOf(trees).forEach(this::look);
        }
    }

    private void look(TreeObserver tree) {
        Census.Question question = tree.question();
        session.wire().txn(question.txn(), (fault, result) -> {
            if (result != null && trees.contains(tree)) {
                tree.audit(question, result);
            }
        });
    }

    private void read(String prefix) {
        session.wire().txn(Txn.read(Range.keysBelow(prefix)), (fault, result) -> {
            if (result != null) {
                compare(
                        prefix,
                        result.header().revision(),
                        result.parts().get(0).kvs());
            }
        });
    }

    private void compare(String prefix, long revision, List<Kv> entries) {
        Map<String, Long> created = new HashMap<>();
        entries.forEach(entry -> created.put(entry.key(), entry.created()));
        List.copyOf(places).stream()
                .filter(place -> place.prefix().equals(prefix))
                .forEach(place -> place.audit(created));
        List.copyOf(heads).stream()
                .filter(head -> head.prefix().equals(prefix))
                .forEach(head -> head.audit(revision, entries));
    }
}

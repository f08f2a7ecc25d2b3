package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Order;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a client asks, one thing after the other, of what the policy depends on. */
final class AgreementScripts {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int MOST = 128;

    private AgreementScripts() {}

    static void leases(AgreementClient c) {
        c.grant("A", LONG);
        c.grant("below the least", Duration.ofSeconds(1));
        c.grant("not whole", Duration.ofMillis(8_500));
        c.keepAlive("A");
        c.keepAlive("not whole");
        c.keepAlive("nobody");
        c.revoke("nobody");
        c.write(c.put("b", "1", "A"), c.put("a", "1", "A"), c.put("c", "1", "not whole"), c.put("d", "1", ""));
        c.write(c.put("e", "1", "A"));
        c.watch(Range.below(c.key("")), 0);
        c.watch(Range.presence(c.key("a")), 0);
        c.revoke("A");
        c.keepAlive("A");
        c.revoke("A");
        c.read(Range.below(c.key("")));
        c.revoke("below the least");
        c.write(c.delete("c"));
        c.revoke("not whole");
        c.read(Range.below(c.key("")));
        c.fence();
    }

    static void expiry(AgreementClient c) {
        c.grant("A", Duration.ofSeconds(2));
        c.write(c.put("a", "1", "A"), c.put("b", "1", "A"), c.put("c", "1", ""));
        AgreementWatch all = c.watch(Range.below(c.key("")), 0);
        c.awaitTold(all);
        c.keepAlive("A");
        c.revoke("A");
        c.write(c.put("a", "2", "A"));
        c.read(Range.below(c.key("")));
        c.fence();
    }

    static void moves(AgreementClient c) {
        c.grant("A", LONG);
        c.grant("B", LONG);
        c.write(c.put("moved", "1", "A"));
        c.write(c.put("stays", "1", "A"));
        c.write(c.put("freed", "1", "A"));
        c.watch(Range.below(c.key("")), 0);
        c.write(c.put("moved", "2", "B"));
        c.write(c.put("freed", "2", ""));
        c.read(Range.below(c.key("")));
        c.revoke("A");
        c.read(Range.below(c.key("")));
        c.write(c.put("moved", "3", "A"));
        c.read(Range.below(c.key("")));
        c.grant("C", LONG);
        c.write(c.put("moved", "4", "C"), c.put("freed", "3", "C"), c.put("new", "1", "B"));
        c.write(c.put("moved", "5", "B"), c.delete("freed"), c.put("new", "2", "C"));
        c.revoke("C");
        c.read(Range.below(c.key("")));
        c.keepAlive("B");
        c.revoke("B");
        c.read(Range.below(c.key("")));
        c.fence();
    }

    static void transactions(AgreementClient c) {
        String a = c.key("a");
        c.txn(new Txn(List.of(new Compare.Created(a, 0)), List.of(c.put("a", "1", ""), Range.key(a)), List.of()));
        c.txn(new Txn(
                List.of(new Compare.Created(a, 0)),
                List.of(c.put("a", "x", "")),
                List.of(Range.key(a), Range.below(c.key("")))));
        c.txn(new Txn(List.of(new Compare.Created(a, 0)), List.of(c.put("a", "x", "")), List.of()));
        c.txn(new Txn(List.of(new Compare.Created(a, 0)), List.of(), List.of(c.put("b", "else", ""))));
        c.write(c.put("a", "2", ""));
        Compare made = new Compare.Created(a, c.revision(1));
        Compare written = new Compare.Written(a, c.revision(3));
        c.txn(new Txn(List.of(made, written), List.of(Range.key(a)), List.of()));
        c.txn(new Txn(List.of(made, new Compare.Written(a, c.revision(1))), List.of(Range.key(a)), List.of()));
        c.txn(new Txn(List.of(new Compare.Written(a, 0)), List.of(), List.of(c.delete("b"), c.delete("never"))));
        c.txn(new Txn(List.of(new Compare.Written(c.key("never"), 0), written), List.of(c.delete("a")), List.of()));
        c.txn(new Txn(List.of(made), List.of(Range.key(a)), List.of(Range.presence(a))));
        c.write(c.delete("a"));
        c.write(c.delete("a"), c.put("z", "1", ""));
        c.write(
                Range.below(c.key("")),
                c.put("a", "3", ""),
                Range.below(c.key("")),
                c.delete("z"),
                Range.below(c.key("")));
        c.txn(new Txn(List.of(made), List.of(c.put("a", "x", "")), List.of(Range.key(a))));
        c.write();
        c.read(Range.below(c.key("")));
    }

    static void unknownLease(AgreementClient c) {
        c.grant("A", LONG);
        c.write(c.put("a", "1", "A"));
        c.write(c.put("b", "1", ""), c.put("a", "2", "nobody"));
        c.write(c.put("a", "2", "nobody"));
        Compare no = new Compare.Created(c.key("a"), 0);
        c.txn(new Txn(List.of(no), List.of(c.put("a", "2", "nobody")), List.of(Range.key(c.key("a")))));
        c.txn(new Txn(List.of(no), List.of(), List.of(c.delete("a"), c.put("b", "2", "nobody"))));
        c.read(Range.below(c.key("")));
    }

    static void ranges(AgreementClient c) {
        c.grant("A", LONG);
        for (String name : List.of("line/b", "line/c", "line/a", "line/é", "line0", "line", "other")) {
            c.write(c.put(name, "of " + name, name.equals("line/c") ? "A" : ""));
        }
        c.write(c.put("line/b", "again", ""));
        String line = c.key("line/");
        for (Range range : List.of(
                Range.below(line),
                Range.below(c.key("line")),
                Range.below(c.key("")),
                Range.below(c.key("nothing")),
                Range.key(c.key("line/b")),
                Range.presence(c.key("line/c")),
                Range.presence(c.key("line/d")),
                Range.newest(line, 0, 0),
                Range.newest(line, 1, 0),
                Range.newest(line, 2, 0),
                Range.newest(line, 9, 0),
                Range.newest(line, 2, c.revision(3)),
                Range.newest(line, 1, c.revision(1)),
                Range.newest(line, 1, c.revision(8)),
                Range.newest(c.key("other"), 1, c.revision(6)),
                Range.below(line).page("", 2, 0),
                new Range(line, true, Order.KEY, 2, c.revision(3), false, "", 0),
                new Range(line, true, Order.LAST_CREATED, 0, c.revision(4), true, "", 0))) {
            c.read(range);
        }
        c.write(
                c.delete("line/c"),
                c.put("line/z", "", ""),
                Range.newest(line, 1, 0),
                Range.newest(line, 2, c.revision(8)));
    }

    static void pages(AgreementClient c) {
        for (String name : List.of("p/a", "p/b", "p/c", "p/d", "q")) {
            c.write(c.put(name, "1", ""));
        }
        c.write(c.delete("p/b"), c.put("p/c", "2", ""), c.put("p/e", "1", ""));
        c.write(c.put("p/b", "2", ""), c.put("p/a", "2", ""));
        Range all = Range.below(c.key("p/"));
        Range keys = Range.keysBelow(c.key("p/"));
        for (long then = 0; then <= 8; then++) {
            long revision = then == 0 ? 0 : c.revision(then);
            for (String after : List.of("", c.key("p/b"), c.key("p/bb"), c.key("p/e"))) {
                c.read(all.page(after, 0, revision));
                c.read(all.page(after, 2, revision));
                c.read(keys.page(after, 1, revision));
            }
        }
        c.read(Range.lastWritten(c.key("q")));
        c.write(c.put("p/d", "2", ""));
        c.read(Range.lastWritten(c.key("p/")));
        c.read(Range.lastWritten(c.key("none")));
        c.write(c.put("p/d", "3", ""), all.page("", 1, c.revision(3)), all.page("", 1, c.revision(9)));
        c.compact(c.revision(6));
        for (long then : List.of(5L, 6L, 7L)) {
            c.read(all.page("", 2, c.revision(then)));
        }
        c.txn(Txn.read(all, all.page("", 2, c.revision(5))));
    }

    static void sameKeyAgain(AgreementClient c) {
        c.grant("A", LONG);
        c.watch(Range.key(c.key("a")), 0);
        c.watch(Range.presence(c.key("a")), 0);
        for (String lease : List.of("A", "", "A")) {
            c.write(c.put("a", "1", lease));
            c.write(c.put("a", "2", lease));
            c.read(Range.key(c.key("a")));
            c.write(c.delete("a"));
            c.read(Range.key(c.key("a")));
        }
        c.write(c.put("a", "3", "A"));
        c.revoke("A");
        c.write(c.put("a", "4", ""));
        c.read(Range.newest(c.key(""), 1, c.revision(3)));
        c.fence();
    }

    static void refused(AgreementClient c) {
        Compare no = new Compare.Created(c.key("a"), c.revision(99));
        c.write(c.put("a", "1", ""), c.put("a", "2", ""));
        c.write(c.put("a", "1", ""), c.delete("a"));
        c.write(c.delete("a"), c.put("a", "1", ""));
        c.txn(new Txn(List.of(no), List.of(c.put("a", "1", ""), c.put("a", "1", "")), List.of()));
        c.txn(new Txn(List.of(), List.of(c.put("a", "1", "")), List.of(c.delete("b"), c.put("b", "1", ""))));
        c.read(Range.below(c.key("")));
        c.txn(new Txn(List.of(no), List.of(c.put("a", "1", "")), List.of(c.put("a", "2", ""))));
        c.write(c.delete("a"), c.delete("a"));
        for (int count : List.of(MOST, MOST + 1)) {
            List<Request> puts = many(c, count);
            List<Compare> ifs = new ArrayList<>();
            puts.forEach(put -> ifs.add(new Compare.Created(((Put) put).key(), 0)));
            c.txn(new Txn(List.of(), puts, List.of()));
            c.txn(new Txn(ifs, List.of(), List.of()));
            c.txn(new Txn(List.of(), List.of(), puts));
            c.read(Range.presence(c.key("many/127")));
        }
    }

    private static List<Request> many(AgreementClient c, int count) {
        var puts = new ArrayList<Request>();
        for (int i = 0; i < count; i++) {
            puts.add(c.put("many/" + i, "", ""));
        }
        return puts;
    }

    static void watches(AgreementClient c) {
        c.grant("A", LONG);
        c.write(c.put("a", "1", "A"), c.put("b", "1", "A"));
        c.write(c.put("a", "2", "A"));
        c.write(c.put("other", "1", ""));
        c.write(c.delete("b"));
        for (long from : new long[] {0, c.revision(1), c.revision(2), c.revision(4), c.revision(5), c.revision(9)}) {
            c.watch(Range.below(c.key("")), from);
            c.watch(Range.presence(c.key("b")), from);
            c.watch(Range.keysBelow(c.key("")), from);
        }
        AgreementWatch closed = c.watch(Range.below(c.key("")), 0);
        c.awaitWatches();
        c.write(c.put("b", "2", "A"), c.put("c", "1", "A"), Range.below(c.key("")));
        c.write(c.delete("c"), c.put("a", "3", "A"), c.delete("missing"));
        c.write(c.delete("missing"));
        c.close(closed);
        c.awaitWatches();
        c.revoke("A");
        c.write(c.put("b", "4", ""));
        c.open().forEach(c::close);
        c.awaitWatches();
        c.write(c.put("b", "5", ""));
    }

    static void compaction(AgreementClient c) {
        c.write(c.put("a", "1", ""));
        c.write(c.put("b", "1", ""));
        c.watch(Range.below(c.key("")), 0);
        c.write(c.put("a", "2", ""));
        c.write(c.put("c", "1", ""));
        c.write(c.put("c", "2", ""));
        c.compact(c.revision(4));
        for (long from = 3; from <= 6; from++) {
            c.watch(Range.below(c.key("")), c.revision(from));
        }
        c.fence();
        c.awaitWatches();
        c.read(Range.below(c.key("")));
    }

    static void deletionCompacted(AgreementClient c) {
        c.grant("A", LONG);
        c.write(c.put("a", "1", ""), c.put("b", "1", ""));
        c.write(c.delete("a"), c.put("b", "2", ""));
        c.compact(c.revision(2));
        c.watch(Range.below(c.key("")), c.revision(2));
        c.fence();
    }

    static void contact(AgreementClient c) {
        c.write(c.put("a", "1", ""));
        c.watch(Range.below(c.key("")), 0);
        c.reconnect();
        c.read(Range.below(c.key("")));
        c.watch(Range.below(c.key("")), 0);
        c.fence();
        c.closeTheWire();
    }
}

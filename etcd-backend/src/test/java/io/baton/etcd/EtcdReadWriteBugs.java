package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.ReadWriteBugs;

/** Bugs of the kinds that read/write locks have had, in etcd's part of them. */
final class EtcdReadWriteBugs {

    private EtcdReadWriteBugs() {}

    static void plant(PlantedBugs bugs) {
        ReadWriteBugs.plant(bugs);
        inTheLine(bugs);
        inDowngrades(bugs);
    }

    private static void inTheLine(PlantedBugs bugs) {
        bugs.inStore(
                        "EntryNames",
                        "a writer does not wait for readers",
                        "return kind == Line.Kind.READ_WRITE && claim.equals(Claim.SHARED) ? EXCLUSIVE : \"\";",
                        "return kind == Line.Kind.READ_WRITE ? EXCLUSIVE : \"\";")
                .inStore(
                        "EntryNames",
                        "a reader waits for readers, too",
                        "return kind == Line.Kind.READ_WRITE && claim.equals(Claim.SHARED) ? EXCLUSIVE : \"\";",
                        "return \"\";")
                .inStore(
                        "EntriesAhead",
                        "a writer waits for the nearest reader only",
                        "predecessor = null; } unwatch(); list(); }",
                        "predecessor = null; } unwatch(); if (place.mutex()) { list(); } else if (life.waits()) { life.first(); } }")
                .inStore(
                        "LinePlace",
                        "entries of one session wait for each other",
                        "return mutex() ? prefix : key;",
                        "return prefix;");
    }

    private static void inDowngrades(PlantedBugs bugs) {
        // Only etcd's simulation refuses a downgrade, for want of space or of a permission.
        bugs.inCore(
                        "internal.DefaultWriteHold",
                        "a hold whose downgrade was refused stays in the line",
                        "var unused = to().releaseAsync();",
                        "")
                .inStore(
                        "EntriesAhead",
                        "a reader passes a writer that waits behind a downgraded entry",
                        "case SHARED -> ahead.size() == 1 && Downgrades.isMarked(ahead.get(0).value());",
                        "case SHARED -> !ahead.isEmpty() && Downgrades.isMarked(ahead.get(ahead.size() - 1).value());")
                .inStore(
                        "EntriesAhead",
                        "any writer ahead is taken for downgraded",
                        "case SHARED -> ahead.size() == 1 && Downgrades.isMarked(ahead.get(0).value());",
                        "case SHARED -> ahead.size() == 1 && ahead.get(0).value().length > 0;")
                .inStore(
                        "EntriesAhead",
                        "nobody tells a reader of a downgrade",
                        "? PredecessorWatch.onWrites(session.wire(), nearest, this)",
                        "? PredecessorWatch.on(session.wire(), nearest, this)")
                .inStore(
                        "EntryDowngrade",
                        "a downgrade in doubt is not asked for again",
                        "place.onReconnect(this::send);",
                        "")
                .inStore(
                        "EntryDowngrade",
                        "a downgrade in doubt is taken for one that was made",
                        "place.onReconnect(this::send);",
                        "done.complete(null);")
                .inStore(
                        "EntryDowngrade",
                        "a move to another lease undoes a downgrade",
                        "payload = Downgrades.mark(payload); // also for a move to another lease send();",
                        "byte[] before = payload; payload = Downgrades.mark(payload); send(); payload = before;");
    }
}

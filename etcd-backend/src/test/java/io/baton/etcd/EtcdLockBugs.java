package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs of the kinds that such locks have had, in etcd's part of them and in the core. */
final class EtcdLockBugs {

    private static final String OWN_ENTRY_AHEAD_GONE = "void ownEntryAheadRemoved(@Nullable LineRead read) {"
            + " if (read != null && read.of() == place && readsLine() && !reading) {"
            + " listed(Fault.NONE, read.result(), read.stream()); } else { list(); } }";

    private static final String LOOKS_WHEN_GONE =
            " if (predecessor != null && place.mutex()) { session.predecessorWatches().add(place.prefix(), predecessor);"
                    + " predecessor = null; } unwatch(); list(); ";

    private EtcdLockBugs() {}

    static void plant(PlantedBugs bugs) {
        inTheCore(bugs);
        inWaiting(bugs);
        behindOwnEntries(bugs);
        inTheWindow(bugs);
        inDoubt(bugs);
        inLeaving(bugs);
        inProofs(bugs);
        inRelocation(bugs);
        inRefusals(bugs);
        inTheSession(bugs);
        inLiveness(bugs);
    }

    private static void inTheCore(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.Transactions",
                        "writes without their guard",
                        "sending.send(session, conditions, checked, within)",
                        "sending.send(session, List.of(), checked, within)")
                .inCore(
                        "internal.AcquisitionMachine",
                        "a hold is not told that its entry has gone",
                        "case GONE, ENDED -> to(State.DONE, LOST);",
                        "case GONE, ENDED -> to(State.HELD);");
    }

    private static void inWaiting(PlantedBugs bugs) {
        bugs.inStore(
                        "EntriesAhead",
                        "no read once the watch is there",
                        "public void armed() { list(); }",
                        "public void armed() {}")
                .inStore(
                        "EntriesAhead",
                        "clear once the nearest one ahead has gone",
                        "session.predecessorWatches().add(place.prefix(), predecessor); predecessor = null; } unwatch(); list(); }",
                        "session.predecessorWatches().add(place.prefix(), predecessor); predecessor = null; } life.first(); }")
                .inStore(
                        "EntriesAhead",
                        "clear once somebody ahead has gone",
                        "} else if (ahead.removeAll(keys) && ahead.isEmpty()) {",
                        "} else if (ahead.removeAll(keys)) {")
                .inStore(
                        "EntriesAhead",
                        "the own entry is not looked for in a read",
                        "} else if (!stands(result.parts().get(1))) { place.missing();",
                        "} else if (false) { place.missing();")
                .inStore(
                        "EntriesAhead",
                        "who stands behind is waited for, too",
                        "nearest(wanted(stream), place.token() - 1)",
                        "nearest(wanted(stream), 0)")
                .inStore(
                        "EntriesAhead",
                        "a waiter does not watch again after a break",
                        "public void unwatched() { predecessor = null; place.onReconnect(this::list); }",
                        "public void unwatched() { predecessor = null; }")
                .inStore(
                        "Following",
                        "a line followed across a gap",
                        "if (stream == opening && state != State.OFF) { gap(); }",
                        "")
                .inStore(
                        "Following",
                        "a late event of an older entry under the same key counts",
                        "if (when > since) {",
                        "if (true) {")
                .inStore(
                        "Following",
                        "an event that came before the answer is not looked for",
                        "return gone != null && gone > revision;",
                        "return false;")
                .inStore(
                        "EntriesAhead",
                        "a line followed for a lone waiter is not read once that is so",
                        "public void open() { list(); }",
                        "public void open() {}")
                .inStore(
                        "Following",
                        "a stream counts before the server watches",
                        "return state == State.OPEN ? stream : NONE;",
                        "return state != State.OFF ? stream : NONE;")
                .inStore(
                        "Audit",
                        "events that the server forgot are not looked for",
                        "batches().forEach(batch -> inTurn(turn -> read(turn, batch)));",
                        "")
                .inStore(
                        "PredecessorWatchCache",
                        "a kept watch is used for whoever stands ahead next",
                        "if (kept == null || !kept.key().equals(key)) {",
                        "if (kept == null) {")
                .inStore(
                        "PredecessorWatchCache",
                        "a kept watch is used though it ended in a break",
                        "public void unwatched() { watch = null; }",
                        "public void unwatched() {}")
                .inStore(
                        "PredecessorWatch",
                        "a kept watch is not asked who went between join and answer",
                        "return lastRemoved <= revision;",
                        "return true;");
    }

    private static void behindOwnEntries(PlantedBugs bugs) {
        bugs.inStore(
                        "EntriesAhead",
                        "the next own entry is granted without a read",
                        OWN_ENTRY_AHEAD_GONE,
                        "void ownEntryAheadRemoved(@Nullable LineRead read) { if (readsLine()) { life.first(); } }")
                .inStore(
                        "EntriesAhead",
                        "a place behind an own entry is never woken",
                        OWN_ENTRY_AHEAD_GONE,
                        "void ownEntryAheadRemoved(@Nullable LineRead read) {}")
                .inStore(
                        "EntriesAhead",
                        "a join that read nobody is granted if the own entry ahead has gone by its answer",
                        "if (readsLine()) { list(); } else { life.behind(); }",
                        "if (readsLine()) { life.first(); } else { life.behind(); }")
                .inStore(
                        "OwnEntries",
                        "an entry that has gone stays in the order",
                        "boolean wasFirst = line.isFirst(place);",
                        "boolean wasFirst = line.isFirst(place); if (wasFirst) { return; }");
    }

    private static void inTheWindow(PlantedBugs bugs) {
        bugs.inStore("RequestWindow", "a slot is never given back", "unanswered--;", "")
                .inStore(
                        "RequestWindow",
                        "what is queued is sent twice",
                        "request.task.accept(this::txn);",
                        "request.task.accept(this::txn); request.task.accept(this::txn);")
                .inStore(
                        "RequestWindow",
                        "a request that cannot be sent at once is forgotten",
                        "while (unanswered < limit.current() && !paused && inContact.getAsBoolean()) {",
                        "if (!inContact.getAsBoolean()) { clear(); } while (unanswered < limit.current() && !paused) {");
    }

    private static void inDoubt(PlantedBugs bugs) {
        bugs.inStore(
                        "LinePlace",
                        "absence is final without a new epoch",
                        "session.settle(this::inDoubt, () -> resolve(this::startAnew), looking::send);",
                        "onReconnect(() -> resolve(this::startAnew));")
                .inStore(
                        "LinePlace",
                        "a lost reply to a join is taken for failure",
                        "case LOST -> resolveDoubt();",
                        "case LOST -> { life.undone(); onReconnect(this::start); }")
                .inStore(
                        "LinePlace",
                        "joins do not compare the epoch",
                        "List.of(session.epoch(), new Compare.Created(key, 0))",
                        "List.of(new Compare.Created(key, 0))")
                .inStore("Transaction", "writes do not compare the epoch", "ifs.add(epoch);", "")
                .inStore(
                        "Transaction",
                        "a lost write is looked for without a new epoch",
                        "context.settle(() -> readBack(known, \"there was no answer\", this::attempt));",
                        "context.onReconnect(ask::isPending, () -> readBack(known, \"there was no answer\", this::attempt));")
                .inStore(
                        "Transaction",
                        "a lost reply to a write is taken for failure",
                        "context.settle(() -> readBack(known, \"there was no answer\", this::attempt));",
                        "ask.complete(Optional.empty());")
                .inStore(
                        "Transaction",
                        "a lost reply to a write is taken for success",
                        "context.settle(() -> readBack(known, \"there was no answer\", this::attempt));",
                        "ask.complete(Optional.of(List.of()));");
    }

    private static void inLeaving(PlantedBugs bugs) {
        bugs.inCore(
                        "spi.support.PlaceMachine",
                        "who leaves before the join is answered stays",
                        "return state.left() ? removal(standing) : to(standing);",
                        "return to(standing);")
                .inStore(
                        "EntryRemoval",
                        "a lost reply to a release is taken for success",
                        "} else { place.onReconnect(place::remove); }",
                        "} else { life.removed(); }")
                .inStore(
                        "EntryRemoval",
                        "a release is not repeated after a break",
                        "} else { place.onReconnect(place::remove); }",
                        "}")
                .inStore(
                        "EntryRemoval",
                        "a release deletes by key, whichever entry bears it",
                        "new Txn(List.of(new Compare.Created(place.key(), place.token())), then, List.of())",
                        "new Txn(List.of(), then, List.of())");
    }

    private static void inProofs(PlantedBugs bugs) {
        bugs.inStore(
                        "EtcdSession",
                        "a read alone proves the session",
                        "if (isOpen() && evidence.confirmed(sent, header) && attached) {",
                        "if (isOpen() && evidence.granted(sent) && attached) {")
                .inStore(
                        "Evidence",
                        "the deadline counts from the answer to the read",
                        "better |= prove(renewal.sent());",
                        "better |= prove(stamp());");
    }

    private static void inRelocation(PlantedBugs bugs) {
        bugs.inStore(
                "LeaseMigration",
                "a move does not compare who created the entry",
                "ifs.add(new Compare.Created(place.key(), place.token()));",
                "");
    }

    private static void inRefusals(PlantedBugs bugs) {
        bugs.inStore(
                        "LeaseMigration",
                        "a lease that is not granted takes along the renewals answered meanwhile",
                        "evidence.answered(); if (granted == null) { notMoved(fault); } else {",
                        "evidence.answered(); if (granted == null) { evidence.leases(leases()); } else {")
                .inStore(
                        "HeartbeatRequests",
                        "one entry that may not be read costs all that were read with it",
                        "HeartbeatRequests.this.refused(some, fault);",
                        "List.copyOf(some.places()).forEach(place -> place.unreadable(fault));")
                .inStore(
                        "HeartbeatRequests",
                        "an entry that was left may not be read for ever",
                        "if (!standing.contains(place)) {",
                        "if (false) {")
                .inCore(
                        "spi.support.PlaceLife",
                        "a removal that was refused is given up",
                        "loop.after(Pauses.afterRefusals(refusals, loop), driver::remove);",
                        "")
                .inStore(
                        "LinePlace",
                        "a join that used up the space is thought to be refused",
                        "life.unanswered(); resolve(() -> life.gone(Errors.of(\"cannot join \" + line, fault)));",
                        "life.gone(Errors.of(\"cannot join \" + line, fault));");
    }

    private static void inTheSession(PlantedBugs bugs) {
        bugs.inStore(
                        "HeartbeatRequests",
                        "heartbeats do not look at what is held",
                        "if (!stands) { place.missing(); }",
                        "")
                .inStore(
                        "EtcdSession",
                        "places are not told that the session has ended",
                        "List.copyOf(places).forEach(place -> steps.add(() -> place.sessionLost(why)));",
                        "")
                .inStore("EtcdSession", "what is owed is forgotten in a break", "reconnectTasks::runAll, ", "")
                .inStore(
                        "PrefixWatch",
                        "a watch goes on from the revision of its created reply",
                        "created(Header header) {",
                        "created(Header header) { next = header.revision() + 1;")
                .inStore(
                        "PrefixWatch",
                        "a watch goes on one revision too late",
                        "next = one.getKey() + 1;",
                        "next = one.getKey() + 2;");
    }

    /** Nothing unsafe comes of these. */
    static void inLiveness(PlantedBugs bugs) {
        bugs.inStore(
                        "Heartbeat",
                        "no beat follows one that was answered",
                        "void beatDone() { inFlight = false; plan(); }",
                        "void beatDone() { inFlight = false; }")
                .inStore(
                        "Heartbeat",
                        "a hold that begins on an old proof waits for a regular beat",
                        "if (now && evidence.proof().sentNanos() - lastBeat < 0) { requestProofAnew(); }",
                        "if (false) { requestProofAnew(); }")
                .inStore(
                        "PredecessorWatch",
                        "a waiter is not told that the one ahead has gone",
                        "if (lastRemoved > since) { waiter.predecessorRemoved(); }",
                        "")
                .inStore(
                        "LinePlace",
                        "a place that has gone stays with its session",
                        "session.placeClosed(this); ownEntries.remove(this, removal.readBehind());",
                        "ownEntries.remove(this, removal.readBehind());")
                .inStore(
                        "EntriesAhead",
                        "a waiter looks two seconds after it was told",
                        "public void predecessorRemoved() {" + LOOKS_WHEN_GONE + "}",
                        "public void predecessorRemoved() { session.loop().after(java.time.Duration.ofSeconds(2), () -> {"
                                + LOOKS_WHEN_GONE + "}); }");
    }
}

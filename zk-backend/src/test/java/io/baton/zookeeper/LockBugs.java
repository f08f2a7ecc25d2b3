package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs of the kinds that such locks have had, in ZooKeeper's part of them and in the core. */
final class LockBugs {

    private LockBugs() {}

    static void plant(PlantedBugs bugs) {
        inTheAcquisition(bugs);
        inTheHold(bugs);
        inTheLine(bugs);
        amongOwnEntries(bugs);
        inTheWindow(bugs);
        inTheSession(bugs);
        inLiveness(bugs);
        inRefusals(bugs);
    }

    private static void inTheAcquisition(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.AcquisitionMachine",
                        "a waiter that gives up stays in the line",
                        "case TIMEOUT, CANCEL, CLOSE -> to(State.DONE, LEAVE, FAIL); case CONNECTED,",
                        "case TIMEOUT, CANCEL, CLOSE -> to(State.DONE, FAIL); case CONNECTED,")
                .inCore(
                        "internal.AcquisitionMachine",
                        "granted after a pause, without a look at the deadline",
                        "case UNPROVEN, PAST_DEADLINE -> to(State.UNPROVEN, PROVE);",
                        "case UNPROVEN, PAST_DEADLINE -> to(State.HELD, GRANT, ARM);")
                .inCore(
                        "internal.AcquisitionMachine",
                        "a hold is not told that its session has ended",
                        "case GONE, ENDED -> to(State.DONE, LOST);",
                        "case GONE -> to(State.DONE, LOST); case ENDED -> to(State.HELD);")
                .inCore(
                        "internal.Acquisition",
                        "the loss is signalled half a second after the deadline",
                        "Math.max(1, requireHold().remainingNanos())",
                        "Math.max(1, requireHold().remainingNanos() + 500_000_000)");
    }

    private static void inTheHold(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.FencedHold",
                        "the deadline is not looked at",
                        "if (seen.proof().remainingNanos(now) <= 0) {",
                        "if (seen.proof().remainingNanos(now) <= Long.MIN_VALUE) {")
                .inCore(
                        "internal.FencedHold",
                        "the deadline is read from the wall clock",
                        "if (seen.proof().remainingNanos(now) <= 0) {",
                        "if (seen.proof().remainingNanos(seen.proof().sentNanos()) <="
                                + " (loop.wallMillis() - seen.proof().sentWallMillis()) * 1_000_000L) {")
                .inCore(
                        "spi.Proof",
                        "a suspended machine is not noticed by the wall clock",
                        "gained > marginNanos ? gained : 0",
                        "0")
                .inCore(
                        "internal.Transactions",
                        "writes without their guard",
                        "sending.send(session, conditions, checked, within)",
                        "sending.send(session, List.of(), checked, within)");
    }

    private static void inTheLine(PlantedBugs bugs) {
        bugs.inStore(
                        "Watches",
                        "a watch set too late does not notice that the node was gone",
                        "} else if (code == Code.NONODE) { end(path, watch, Waiter::deleted);",
                        "} else if (code == Code.NONODE) { watch.state = State.ARMED;")
                .inStore(
                        "Watches",
                        "a watch that a foreign write used up is not set again",
                        "} else { if (watch.state == State.ARMED) { arm(path, watch); }",
                        "} else {")
                .inStore(
                        "PredecessorWatch",
                        "clear once the nearest one ahead has gone",
                        "boolean first = isFirst();",
                        "boolean first = true;")
                .inStore(
                        "PredecessorWatch",
                        "prepared, and nobody asks whether the own entry is still watched",
                        "&& session.watches().isSet(path(own))",
                        "")
                .inStore(
                        "PredecessorWatch",
                        "prepared though others stand ahead of the one ahead",
                        "if (numbered && !session.shared() && others.size() == 1) {",
                        "if (numbered && !session.shared()) {")
                .inStore(
                        "PredecessorWatch",
                        "first once the last but one has gone",
                        "further = null; prepare(); }",
                        "further = null; to.handedOver(); }")
                .inStore(
                        "PredecessorWatch",
                        "the last but one goes, and nobody looks",
                        "further = null; prepare(); }",
                        "further = null; }")
                .inStore("Watches", "a hand-off prepared before a break is made after it", "connection++;", "")
                .inStore(
                        "EntriesAhead",
                        "clear once somebody ahead has gone",
                        "} else if (ahead.isEmpty()) { place.clear();",
                        "} else { place.clear();")
                .inStore(
                        "EntriesAhead",
                        "clear though an entry of the own session ahead went with the session",
                        "if (ahead.isEmpty() && ownRemovedAhead) {",
                        "if (false) {")
                .inStore(
                        "EntriesAhead",
                        "the own entry is not looked for in the listing",
                        "if (!listing.names().contains(place.name())) { place.missing(); return; }",
                        "")
                .inStore(
                        "LinePlace",
                        "a lost reply to a join is taken for failure",
                        "life.unanswered(); onReconnect(this::resolve);",
                        "life.undone(); onReconnect(this::start);")
                .inStore(
                        "EntrySearch",
                        "a join in doubt is settled without a commit",
                        "session.wire().multi(session.tree().rootCheck(), (code, at, zxid) -> commit = code);",
                        "commit = Code.OK;")
                .inStore(
                        "EntrySearch",
                        "a join in doubt takes any entry of the session for its own",
                        "if (name.startsWith(prefix)) {",
                        "if (true) {")
                .inCore(
                        "spi.support.PlaceMachine",
                        "who leaves while in doubt is thought to be gone",
                        "case JOINING, DOUBT, CLOSED -> to(state);",
                        "case DOUBT -> to(state.in(Phase.CLOSED), CLOSE); case JOINING, CLOSED -> to(state);")
                .inCore(
                        "spi.support.PlaceMachine",
                        "who leaves before the join is answered stays",
                        "return state.left() ? removal(standing) : to(standing);",
                        "return to(standing);")
                .inStore(
                        "LinePlace",
                        "a lost reply to a release is taken for success",
                        "} onReconnect(this::remove); }",
                        "} life.removed(); }")
                .inStore(
                        "LinePlace", "a release is not repeated after a break", "} onReconnect(this::remove); }", "} }")
                .inStore(
                        "EntriesAhead",
                        "a waiter does not watch again after a break",
                        "public void unwatched() { place.onReconnect(this::list); }",
                        "public void unwatched() {}")
                .inStore(
                        "LineListing",
                        "numbers are believed past their end",
                        "if (!entry.numbered()) {",
                        "if (false) {");
    }

    private static void amongOwnEntries(PlantedBugs bugs) {
        bugs.inStore(
                        "OwnEntries",
                        "a waiter behind an entry of its own session is not woken",
                        "List.copyOf(own.successors).forEach(successor -> successor.predecessorRemoved(wasFirst));",
                        "")
                .inStore(
                        "PredecessorWatch",
                        "handed from one own entry to the next without a read",
                        "if (wasFirst) { to.firstIfItStands();",
                        "if (wasFirst) { to.handedOver();")
                .inStore(
                        "PredecessorWatch",
                        "handed on by an own entry that was not first",
                        "if (wasFirst) { to.firstIfItStands();",
                        "if (true) { to.firstIfItStands();")
                .inStore(
                        "LinePlace",
                        "handed on before the removal is confirmed",
                        "removing.enqueueFirst();",
                        "removing.enqueueFirst(); session.ownEntries().removed(path(name()), true);");
    }

    private static void inTheWindow(PlantedBugs bugs) {
        bugs.inStore("RequestWindow", "room in a window is never given back", "running--; startNext();", "")
                .inStore(
                        "LinePlace",
                        "a removal does not give its room in the window back",
                        "removing.finish(); if (code == Code.OK || code == Code.NONODE) {",
                        "if (code == Code.OK || code == Code.NONODE) {")
                .inStore(
                        "ZkSession",
                        "what is queued during a break is not begun after it",
                        "removals::startNext, joins::startNext,",
                        "")
                .inStore(
                        "LineListings",
                        "those who ask while a listing is under way are not served",
                        "if (takers.isEmpty()) {",
                        "if (true) {");
    }

    private static void inTheSession(PlantedBugs bugs) {
        bugs.inStore(
                        "ZkSession",
                        "a read alone proves the session",
                        "evidence.answered(sent); }",
                        "evidence.answered(sent); if (evidence.created(sent)) { proven(); } }")
                .inStore(
                        "Evidence",
                        "a commit proves without a tick before it",
                        "if (commit.nanos() - touch.ackNanos() < timing.tick()) {",
                        "if (commit.nanos() - touch.ackNanos() < 0) {")
                .inStore(
                        "Evidence",
                        "the deadline counts from the answer to the commit",
                        "best = touch.sent();",
                        "best = stamp();")
                .inStore(
                        "ZkSession",
                        "the timeout that was asked for is believed, not the one granted",
                        "if (other && !acceptTimeout(negotiated)) {",
                        "if (false && !acceptTimeout(negotiated)) {")
                .inStore(
                        "HeartbeatRequests",
                        "heartbeats do not look at what is held",
                        "places.forEach(place -> checks.add(new ZkOp.Check(place.entryPath(), -1)));",
                        "")
                .inStore(
                        "ZkSession",
                        "places are not told that the session has ended",
                        "places.all().forEach(place -> steps.add(() -> place.sessionLost(why)));",
                        "")
                .inStore("ZkSession", "what is owed is forgotten in a break", "reconnectTasks::runAll, ", "")
                .inStore(
                        "Transaction",
                        "a lost reply to a write is taken for success",
                        "} else if (code == Code.CONNECTIONLOSS) { ask.broken(\"the connection broke\", null); } else if (code == Code.THROTTLEDOP)",
                        "} else if (code == Code.CONNECTIONLOSS) { ask.complete(Optional.of(List.of())); } else if (code == Code.THROTTLEDOP)")
                .inStore(
                        "Transaction",
                        "a lost reply to a write is taken for failure",
                        "} else if (code == Code.CONNECTIONLOSS) { ask.broken(\"the connection broke\", null); } else if (code == Code.THROTTLEDOP)",
                        "} else if (code == Code.CONNECTIONLOSS) { attempt(); } else if (code == Code.THROTTLEDOP)");
    }

    /** Nothing unsafe comes of these. */
    static void inLiveness(PlantedBugs bugs) {
        bugs.inStore(
                        "Heartbeat",
                        "no beat follows one that was answered",
                        "lastBeat = loop.nanoTime() - timing.beat(); } plan(); }",
                        "lastBeat = loop.nanoTime() - timing.beat(); } }")
                .inStore(
                        "Heartbeat",
                        "the commit after an old proof waits for a regular beat",
                        "due = later(due, old - regular < 0 ? old : regular);",
                        "due = later(due, regular);")
                .inStore(
                        "Watches",
                        "a waiter is not told that the one ahead has gone",
                        "if (change == ZkWire.Change.DELETED) { end(path, watch, Waiter::deleted);",
                        "if (change == ZkWire.Change.DELETED) { watches.remove(path);")
                .inStore(
                        "LinePlace",
                        "a place that has gone stays with its session",
                        "public void closed(Phase before) { session.placeClosed(this);",
                        "public void closed(Phase before) {")
                .inStore(
                        "EntriesAhead",
                        "a waiter looks two seconds after it was told",
                        "public void moved() { list(); }",
                        "public void moved() { session.loop().after(java.time.Duration.ofSeconds(2), this::list); }");
    }

    private static void inRefusals(PlantedBugs bugs) {
        bugs.inStore(
                        "HeartbeatRequests",
                        "one entry that may not be read costs all holds their proof",
                        "boolean unreadable = code == Code.NOAUTH && failedAt > 0; refused |= unreadable;"
                                + " if (!unreadable) {",
                        "if (code == Code.NOAUTH) { answered(); return; } boolean unreadable = false; if (!unreadable) {")
                .inStore(
                        "HeartbeatRequests",
                        "an entry that may not be read costs its hold",
                        "apart.add(place);",
                        "place.missing();")
                .inStore(
                        "EntriesAhead",
                        "who waits gives up where a server is too busy to list the line",
                        "stand(listing, listing.stream(following)); } else if (Errors.passes(code)) {",
                        "stand(listing, listing.stream(following)); } else if (code == Code.CONNECTIONLOSS) {")
                .inStore(
                        "LinePlace",
                        "a join for which a server is too busy is refused",
                        "} else if (code == Code.THROTTLEDOP) { attempts--; life.undone(); again(code, this::start); }",
                        "}")
                .inStore(
                        "LinePlace",
                        "a removal for which a server is too busy is taken for done",
                        "if (code == Code.OK || code == Code.NONODE) { life.removed(); }",
                        "if (code == Code.OK || code == Code.NONODE || code == Code.THROTTLEDOP) { life.removed(); }")
                .inCore(
                        "spi.support.PlaceLife",
                        "a removal that was refused is given up",
                        "loop.after(Pauses.afterRefusals(refusals, loop), driver::remove);",
                        "");
    }
}

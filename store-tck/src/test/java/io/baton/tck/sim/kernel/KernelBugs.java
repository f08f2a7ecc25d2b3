package io.baton.tck.sim.kernel;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs for the simulation of kernel sessions to find: in the session, and in what a store does for it. */
final class KernelBugs {

    private KernelBugs() {}

    static PlantedBugs all() {
        var bugs = new PlantedBugs(KernelSimulations.class, "KERNEL", "store-tck");
        inPlaces(bugs);
        inTheSession(bugs);
        inTheStore(bugs);
        return bugs;
    }

    private static void inPlaces(PlantedBugs bugs) {
        bugs.inCore(
                        "spi.kernel.KernelPlace",
                        "quiet is forgotten",
                        "(standing.clear() || cleared) && !session.isQuiet()",
                        "standing.clear() || cleared")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a place that has lost its entry in a fail-over is kept",
                        "if (life.entered()) {\n                removedByOther();",
                        "if (life.entered()) {\n                life.behind();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a join that was not made is not repeated",
                        "life.undone();\n                life.start();",
                        "life.undone();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a join of this contact is taken for one in doubt",
                        "life.phase() == Phase.DOUBT",
                        "!name.isEmpty()")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a removal is not repeated after a break",
                        "} else if (life.isLeft()) {\n            sendRemoval();",
                        "} else if (life.isLeft()) {\n            life.behind();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a removal that had to wait is not repeated",
                        "if (life.entered()) {\n            remove();",
                        "if (life.mayJoin()) {\n            remove();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a downgrade that a fail-over has undone is not repeated",
                        "if (downgraded != null && !standing.downgraded()) {",
                        "if (downgraded != null && !downgraded.isDone() && !standing.downgraded()) {")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a downgrade that broke off is not known to be made",
                        "} else if (downgraded != null) {\n                downgraded(downgraded);",
                        "} else if (downgraded != null) {\n                downgraded.isDone();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a place has left as soon as its session is closed",
                        "return session.ended();",
                        "return CompletableFuture.completedFuture(null);")
                .inCore(
                        "spi.kernel.Departures",
                        "an entry that a transaction holds counts as removed",
                        "busy.contains(entry.name()) ? Leaver::busy : Leaver::removed",
                        "Leaver::removed")
                .inCore(
                        "spi.kernel.Departures",
                        "removals are not sent after a break",
                        "pending.clear();\n        underWay = false;",
                        "pending.clear();")
                .inCore(
                        "spi.kernel.Departures",
                        "removals that come while one is under way are forgotten",
                        "if (!pending.isEmpty()) {\n            send();",
                        "if (!pending.isEmpty()) {\n            pending.clear();");
    }

    private static void inTheSession(PlantedBugs bugs) {
        bugs.inCore(
                        "spi.kernel.StepCalls",
                        "a late answer of a former contact is believed",
                        "return call.contact == contact && call.lane.take(call);",
                        "return call.lane.take(call) || true;")
                .inCore(
                        "spi.kernel.Pulse",
                        "the deadline counts from the answer",
                        "sent.nanos() + ttl.toNanos() - marginNanos",
                        "loop.nanoTime() + ttl.toNanos() - marginNanos")
                .inCore(
                        "spi.kernel.Pulse",
                        "renewals are not repeated after a break",
                        "underWay = false;\n        again = false;\n    }",
                        "again = false;\n    }")
                .inCore(
                        "spi.kernel.KernelSession",
                        "what a lost event would have said is not looked for",
                        "place.stands(entry);",
                        "place.name();")
                .inCore(
                        "spi.kernel.UnwantedEntries",
                        "entries that nobody wants stay",
                        "for (Standing entry : unwanted) {",
                        "for (Standing entry : List.<Standing>of()) {")
                .inCore(
                        "spi.kernel.KernelSession",
                        "a contact without answers is kept",
                        "if (calls.isOverdue(patience.toNanos())) {",
                        "if (calls.isOverdue(patience.toNanos()) && contact != Contact.ATTACHED) {")
                .inCore(
                        "spi.kernel.KernelSession",
                        "an attach without an answer is waited for",
                        "if (calls.isOverdue(patience.toNanos())) {",
                        "if (calls.isOverdue(patience.toNanos()) && contact == Contact.ATTACHED) {")
                .inCore(
                        "spi.kernel.KernelSession",
                        "the answers of quiet stores are not asked for again",
                        "setQuiet(answer.quiet());\n        List<Runnable> steps",
                        "List<Runnable> steps")
                .inCore(
                        "spi.kernel.Verdicts",
                        "a transaction without a verdict counts as refused",
                        "each.request.notWritten();\n                send(n);",
                        "decided(each, false);")
                .inCore(
                        "spi.kernel.Verdicts",
                        "a transaction without a verdict counts as committed",
                        "each.request.notWritten();\n                send(n);",
                        "decided(each, true);")
                .inCore(
                        "spi.kernel.Verdicts",
                        "verdicts are acknowledged before they are known",
                        "return open.isEmpty() ? last : open.firstKey() - 1;",
                        "return last;")
                .inCore(
                        "spi.kernel.TopicFollower",
                        "a read that broke off counts as made",
                        "() -> read = false);",
                        "() -> {});")
                .inCore(
                        "spi.kernel.TopicFollower",
                        "what a fail-over has undone is kept",
                        "if (!sameHistory) {\n            read = false;\n        }",
                        "")
                .inCore(
                        "spi.kernel.KernelSession",
                        "what waited for contact is not done",
                        "whenAttached::runAll",
                        "() -> {}")
                .inCore(
                        "spi.kernel.KernelSession",
                        "the quiet that an attach tells of is passed over",
                        "setQuiet(answer.quiet());\n        trouble",
                        "trouble")
                .inCore(
                        "spi.kernel.KernelSession",
                        "the wire of a session that is over stays open",
                        "wire.close();",
                        "")
                .inCore(
                        "spi.kernel.KernelSession",
                        "a close waits for its answer for ever",
                        "closeLimit = loop.after(ttl, () -> finish(false));",
                        "")
                .inCore(
                        "spi.kernel.KernelSession",
                        "versions in beats are not looked at",
                        "steps.add(() -> answer.versions().forEach(this::changed));",
                        "")
                .inCore(
                        "spi.kernel.Pulse",
                        "a renewal that is refused is the last one",
                        "over(); session.beatRefused(why);",
                        "session.beatRefused(why);")
                .inCore(
                        "spi.kernel.Verdicts",
                        "a transaction that is repeated gets another number",
                        ".transact(\n                        n,",
                        ".transact(\n                        ++last,")
                .inCore(
                        "spi.kernel.Verdicts",
                        "a place that the own transaction removes is not told",
                        "transaction.removed.forEach(peer -> session.gone(peer.name()));",
                        "")
                .inCore(
                        "spi.kernel.TopicFollower",
                        "a read that was refused counts as made",
                        "reading = false; read = false; if (!stopped) {",
                        "reading = false; if (!stopped) {")
                .inCore(
                        "spi.kernel.KernelTree",
                        "changes that the store has forgotten are not made good",
                        "at = null;\n            readAgain();",
                        "")
                .inCore(
                        "spi.kernel.KernelTree",
                        "a tree is read from where it was after a break",
                        "void forget() {\n        at = null;",
                        "void forget() {");
    }

    private static void inTheStore(PlantedBugs bugs) {
        bugs.inStore(
                        "StepServer",
                        "epochs are not compared",
                        "if (connection.epoch != row.epoch()) {",
                        "if (connection.epoch < 0) {")
                .inStore("StepServer", "tokens of lost steps are given again", "state.lastToken += 1 << 20;", "")
                .inStore(
                        "StepServer",
                        "a fail-over is not followed by quiet",
                        "state.quietUntil = state.clock + longestTtl + CAP;",
                        "")
                .inStore(
                        "StepServer",
                        "the clock is believed, whatever it says",
                        "Math.max(0, Math.min(wall - state.lookedAt, CAP))",
                        "Math.max(0, wall - state.lookedAt)")
                .inStore(
                        "StepServer",
                        "verdicts are not kept",
                        "state.put(id, row.decided(n, verdict));",
                        "state.put(id, row);")
                .inStore(
                        "StepServer",
                        "an attach does not renew the session",
                        "row.nextEpoch().beaten(state.clock)",
                        "row.nextEpoch()")
                .inStore(
                        "StepServer",
                        "expiry has no margin for a clock that steps",
                        "each.getValue().beat() + each.getValue().ttl() + CAP",
                        "each.getValue().beat() + each.getValue().ttl()");
    }
}

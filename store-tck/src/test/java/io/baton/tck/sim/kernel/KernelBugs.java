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
                        "a clear of a former history is believed",
                        "        cleared = false;\n        gone = false;\n        if (standing == null)",
                        "        if (standing == null)")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a place that has lost its entry in a fail-over is kept",
                        "            if (life.entered()) {\n                removedByOther();",
                        "            if (life.entered()) {\n                life.behind();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a join that was not made is not repeated",
                        "                life.undone();\n                life.start();",
                        "                life.undone();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a join of this contact is taken for one in doubt",
                        "life.phase() == Phase.DOUBT",
                        "!name.isEmpty()")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a removal is not repeated after a break",
                        "        } else if (life.isLeft()) {\n            remove();",
                        "        } else if (life.isLeft()) {\n            life.behind();")
                .inCore(
                        "spi.kernel.KernelPlace",
                        "a removal that had to wait is not repeated",
                        "        if (life.entered()) {\n            remove();",
                        "        if (life.mayJoin()) {\n            remove();");
    }

    private static void inTheSession(PlantedBugs bugs) {
        bugs.inCore(
                        "spi.kernel.StepCalls",
                        "a late answer of a former contact is believed",
                        "return call.contact == contact && open.remove(call);",
                        "open.remove(call);\n        return true;")
                .inCore(
                        "spi.kernel.Pulse",
                        "the deadline counts from the answer",
                        "sent.nanos() + ttl.toNanos() - marginNanos",
                        "loop.nanoTime() + ttl.toNanos() - marginNanos")
                .inCore(
                        "spi.kernel.Pulse",
                        "renewals are not repeated after a break",
                        "        underWay = false;\n        again = false;\n    }",
                        "        again = false;\n    }")
                .inCore(
                        "spi.kernel.KernelSession",
                        "what a lost event would have said is not looked for",
                        "                    place.stands(entry);",
                        "                    place.name();")
                .inCore(
                        "spi.kernel.KernelSession",
                        "entries that nobody wants stay",
                        "unknown.values().forEach(entry -> remove(",
                        "unknown.values().stream().limit(0).forEach(entry -> remove(")
                .inCore(
                        "spi.kernel.KernelSession",
                        "a contact without answers is kept",
                        "calls.isOverdue(ttl.toNanos() / 2) && contact == Contact.ATTACHED",
                        "calls.isOverdue(ttl.toNanos() * 1000) && contact == Contact.ATTACHED")
                .inCore(
                        "spi.kernel.KernelSession",
                        "the answers of quiet stores are not asked for again",
                        "        quiet = isQuiet(answer.quiet());\n        renewed(sent);",
                        "        renewed(sent);")
                .inCore(
                        "spi.kernel.Verdicts",
                        "a transaction without a verdict counts as refused",
                        "                each.request.notWritten();\n                send(n);",
                        "                decided(each, false);")
                .inCore(
                        "spi.kernel.Verdicts",
                        "a transaction without a verdict counts as committed",
                        "                each.request.notWritten();\n                send(n);",
                        "                decided(each, true);")
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
                        "        if (!sameHistory) {\n            read = false;\n        }",
                        "")
                .inCore(
                        "spi.kernel.TopicFollower",
                        "a subscription ends with its contact",
                        "            read = false;\n        }\n        follow();",
                        "            read = false;\n            follow();\n        }");
    }

    private static void inTheStore(PlantedBugs bugs) {
        bugs.inStore(
                        "StepServer",
                        "epochs are not compared",
                        "if (connection.epoch != row.epoch) {",
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
                        "Math.max(0, wall - state.lookedAt)");
    }
}

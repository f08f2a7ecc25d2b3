package io.baton.tck.mutation;

/** Bugs of active and standby nodes in code that is common to all stores. */
public final class StandbyBugs {

    private StandbyBugs() {}

    /** Plants all bugs. */
    public static void plant(PlantedBugs bugs) {
        inFencing(bugs);
        inTheBreadcrumb(bugs);
        inPromoting(bugs);
        inDemoting(bugs);
        inWhatHangs(bugs);
        inHealth(bugs);
        inStandingAgain(bugs);
        inWhatIsShown(bugs);
    }

    private static void inFencing(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyTerm",
                        "a breadcrumb counts as fenced once any was",
                        "job.begin(Kind.FENCER, unlessTooLate(() -> fencer.fence(last)), timings.fence()); }",
                        """
                        job.begin(Kind.FENCER, unlessTooLate(() -> {
                            if (!ONCE.getAndSet(true)) {
                                fencer.fence(last);
                            }
                        }), timings.fence());
                    }
                    private static final java.util.concurrent.atomic.AtomicBoolean ONCE =
                            new java.util.concurrent.atomic.AtomicBoolean();
                    """)
                .inElections(
                        "StandbyTerm",
                        "a fencer that fails is taken for one that has succeeded",
                        "if (thrown == null) { fenced = found;",
                        "if (thrown == null || fenced == null) { fenced = found;")
                .inElections(
                        "StandbyTerm",
                        "after too many failures the former one counts as fenced",
                        "fencingFailures < timings.fencingAttempts() ? Event.UNFENCED : Event.EXHAUSTED",
                        "fencingFailures < timings.fencingAttempts() ? Event.UNFENCED : Event.FENCED")
                .inElections(
                        "StandbyTerm",
                        "a process of the same id counts as this one",
                        "last.run().equals(run)",
                        "last.id().equals(setup.id())")
                .inElections(
                        "StandbyTerm",
                        "a fencer is begun though too little is left",
                        "unlessTooLate(() -> fencer.fence(last))",
                        "() -> fencer.fence(last)")
                .inElections(
                        "StandbyMachine",
                        "a node leaves the line while its fencer goes on",
                        "case STOP -> to(Phase.CALLED_OFF, INTERRUPT);",
                        "case STOP -> to(Phase.STANDBY, INTERRUPT, END);")
                .inElections(
                        "StandbyGate",
                        "a node stands while its fencer goes on",
                        "healthy && !fencerStuck && !resting",
                        "healthy && !resting");
    }

    private static void inTheBreadcrumb(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyMachine",
                        "the breadcrumb is not written before the hook that promotes",
                        "case CLEAR -> to(Phase.CLAIMING, CLAIM);",
                        "case CLEAR -> to(Phase.PROMOTING, PROMOTE);")
                .inElections(
                        "StandbyMachine",
                        "the breadcrumb goes before the hook that demotes has returned",
                        "case FAILED, ACTIVE -> event == Event.STOP ? to(Phase.DEMOTING, DEMOTE)",
                        "case FAILED, ACTIVE -> event == Event.STOP ? to(Phase.DEMOTING, DEMOTE, SWEEP)")
                .inElections(
                        "StandbyMachine",
                        "the breadcrumb goes though the demotion has failed",
                        "case THREW -> to(Phase.STANDBY, END); case OVERDUE -> to(Phase.DEMOTING, INTERRUPT);",
                        "case THREW -> to(Phase.SWEEPING, SWEEP); case OVERDUE -> to(Phase.DEMOTING, INTERRUPT);")
                .inElections(
                        "StandbyMachine",
                        "the breadcrumb stays",
                        "case RETURNED -> to(Phase.SWEEPING, SWEEP); case THREW -> to(Phase.STANDBY, END);",
                        "case RETURNED, THREW -> to(Phase.STANDBY, END);")
                .inElections(
                        "Breadcrumbs",
                        "the breadcrumb is removed by a node that leads no more",
                        "line.write(List.of(leads), List.of(Op.delete(key)))",
                        "line.write(List.of(), List.of(Op.delete(key)))")
                .inElections(
                        "StandbyTerm",
                        "another one's breadcrumb goes once a node has cleaned up after itself",
                        "if (foreign) {",
                        "if (foreign && found == null) {");
    }

    private static void inPromoting(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyTerm",
                        "a node is promoted though too little is left",
                        "unlessTooLate(() -> setup.promote().run(term))",
                        """
                        () -> {
                            if (term.stopReason().isPresent()) {
                                throw new IllegalStateException("too late");
                            }
                            setup.promote().run(term);
                        }
                        """)
                .inElections(
                        "StandbyTerm",
                        "a node is promoted though it was told to stop",
                        "unlessTooLate(() -> setup.promote().run(term))",
                        """
                        () -> {
                            if (tooLate()) {
                                throw new IllegalStateException("too late");
                            }
                            setup.promote().run(term);
                        }
                        """)
                .inElections(
                        "StandbyTerm",
                        "a node whose demotion has failed is promoted as if it had not",
                        "Event.CLAIMED : owner.unclean() ? Event.UNCLEAN : Event.CLEAR",
                        "Event.CLAIMED : Event.CLEAR")
                .inElections(
                        "LeaderHandOver",
                        "a hand-over removes its own target",
                        "all.subList(1, all.indexOf(candidate)).stream()",
                        "all.subList(1, all.indexOf(candidate) + 1).stream()");
    }

    private static void inDemoting(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyMachine",
                        "a node is demoted while the hook that promotes still runs",
                        "case STOP -> to(Phase.CANCELLING, INTERRUPT);",
                        "case STOP -> to(Phase.DEMOTING, INTERRUPT, DEMOTE);")
                .inElections(
                        "StandbyMachine",
                        "a node leaves the line when its demotion begins",
                        "case FAILED, ACTIVE -> event == Event.STOP ? to(Phase.DEMOTING, DEMOTE)",
                        "case FAILED, ACTIVE -> event == Event.STOP ? to(Phase.DEMOTING, DEMOTE, END)")
                .inElections(
                        "StandbyTimings",
                        "a node stops only when nothing is left to stop in",
                        "return LOOK.plus(grace).plus(demote).plus(grace);",
                        "return LOOK;")
                .inElections(
                        "StandbyMachine",
                        "an active node that is told to stop goes on",
                        "case FAILED, ACTIVE -> event == Event.STOP ?",
                        "case FAILED, ACTIVE -> event == Event.STOP && phase == Phase.FAILED ?");
    }

    private static void inWhatHangs(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyMachine",
                        "a demotion that is made again and hangs is interrupted only",
                        "case OVERDUE -> to(Phase.OVERRUN, INTERRUPT, LEAVE); case STOP -> to(Phase.DEMOTING);",
                        "case OVERDUE -> to(Phase.CLEANING, INTERRUPT); case STOP -> to(Phase.DEMOTING);")
                .inElections(
                        "StandbyMachine",
                        "a promotion that hangs is interrupted only",
                        "INTERRUPT, LEAVE); case STOP -> to(Phase.CANCELLING, INTERRUPT);",
                        "INTERRUPT); case STOP -> to(Phase.CANCELLING, INTERRUPT);")
                .inElections(
                        "StandbyDuty",
                        "the last resort is not taken",
                        "return hands.leave(\"baton-last-resort-\" + name, task);",
                        "return true;")
                .inElections(
                        "StandbyJob",
                        "the last resort is not taken for a demotion",
                        "return kind == Kind.PROMOTION || kind == Kind.DEMOTION;",
                        "return kind == Kind.PROMOTION;");
    }

    private static void inHealth(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyGate",
                        "a node that was fit once counts as fit for ever",
                        "healthy = now; update();",
                        "healthy |= now; update();")
                .inElections(
                        "HealthMonitor",
                        "a check that does not return says nothing",
                        "onResult(\"the health check of before has not returned yet\"); return;",
                        "timer = loop.after(rules.every(), this::check); return;");
    }

    private static void inStandingAgain(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyGate",
                        "a node that had no success stands no more",
                        "resting = false; update();",
                        "resting = true;")
                .inElections(
                        "StandbyMachine",
                        "a node whose promotion has failed keeps the lead",
                        "case THREW -> to(Phase.FAILED, LEAVE);",
                        "case THREW -> to(Phase.FAILED);")
                .inElections(
                        "StandbyTerm",
                        "a node does not try again after the store has not answered",
                        "pause = loop.after(loop.jittered(least), () -> handle(Event.AGAIN));",
                        "")
                .inElections(
                        "StandbyJob",
                        "a fencer that hangs keeps the lead",
                        "timer = loop.after(grace, this::abandon);",
                        "");
    }

    private static void inWhatIsShown(PlantedBugs bugs) {
        bugs.inElections(
                        "StandbyMachine",
                        "a node says that it is active before it is",
                        "PROMOTING(ActiveStandby.State.PROMOTING),",
                        "PROMOTING(ActiveStandby.State.ACTIVE),")
                .inElections(
                        "StandbyNode",
                        "a node shows its leadership after it was told to stop",
                        "|| !term.isActive()",
                        "");
    }
}

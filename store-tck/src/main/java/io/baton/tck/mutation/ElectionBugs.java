package io.baton.tck.mutation;

/** Bugs of elections in code that is common to all stores. */
public final class ElectionBugs {

    private ElectionBugs() {}

    /** Plants all bugs. */
    public static void plant(PlantedBugs bugs) {
        inWhatTheWorkIsTold(bugs);
        inTheWork(bugs);
        inStandingAgain(bugs);
        inLeaving(bugs);
        inPausing(bugs);
        inHandingOver(bugs);
        inObserving(bugs);
    }

    private static void inWhatTheWorkIsTold(PlantedBugs bugs) {
        bugs.inElections(
                        "TermRunner",
                        "a leader is not told that it leads no more",
                        "case LOST, RELEASED -> { to.lost();",
                        "case LOST, RELEASED -> {")
                .inElections(
                        "TermRunner",
                        "a leader is not told that it is out of contact",
                        "WhenSuspended.STOP && !inContact) { to.endangered(); }",
                        "WhenSuspended.STOP && !inContact) {}")
                .inElections(
                        "TermRunner",
                        "a break is ridden out until nothing is left to stop in",
                        "term.remaining().minus(reserve())",
                        "term.remaining()")
                .inElections(
                        "TermRunner",
                        "nothing is done about work that does not stop",
                        "limit = loop.after(timeToStop(why), to::late);",
                        "")
                .inElections(
                        "TermRunner",
                        "work that does not stop is dealt with each time that somebody looks",
                        "lastResortTaken = true;",
                        "");
    }

    private static void inTheWork(PlantedBugs bugs) {
        bugs.inElections(
                        "DefaultCandidacy",
                        "the work is begun twice",
                        "case START -> requireTermRunner().start(work);",
                        "case START -> { requireTermRunner().start(work); requireTermRunner().start(work); }")
                .inElections(
                        "CandidacyMachine",
                        "a candidate stands again while the work of its last term goes on",
                        "case LOST -> to(State.DEPOSED, STOP, CALL_OFF);",
                        "case LOST -> to(State.IDLE, STOP, PAUSE);")
                .inElections(
                        "TermRunner",
                        "the entry goes when the work is told to stop",
                        "term.stop(why);",
                        "term.stop(why); term.hold().releaseAsync();")
                .inCore(
                        "internal.DefaultCoordinator",
                        "the coordinator ends without waiting for the work",
                        "closeHooks.drain(options.closeTimeout().dividedBy(2), ",
                        "closeHooks.drain(Duration.ZERO, ");
    }

    private static void inStandingAgain(PlantedBugs bugs) {
        bugs.inElections(
                        "CandidacyMachine",
                        "a candidate that was refused stands no more",
                        "case REFUSED -> to(State.IDLE, PAUSE);",
                        "case REFUSED -> to(State.IDLE);")
                .inElections(
                        "DefaultCandidacy",
                        "a candidate stands no more after an error",
                        "loop.after(pause, () -> handle(Event.BEGIN));",
                        "")
                .inElections(
                        "CandidacyMachine",
                        "a candidate stands no more after a loss",
                        "to(State.IDLE, RELEASE, PAUSE); case LATE -> to(State.DEPOSED, LAST_RESORT);",
                        "to(State.IDLE, RELEASE); case LATE -> to(State.DEPOSED, LAST_RESORT);");
    }

    private static void inLeaving(PlantedBugs bugs) {
        bugs.inElections(
                        "DefaultCandidacy",
                        "the entry of a candidate that withdraws stays",
                        "lastRemoval = acquisition.withdraw();",
                        "")
                .inElections(
                        "DefaultCandidacy",
                        "a resignation is over before the entry has gone",
                        "propagate(termRunner.removed(), removed);",
                        "removed.complete(null);");
    }

    private static void inPausing(PlantedBugs bugs) {
        bugs.inElections(
                        "PauseGate",
                        "who is about to lead goes by what it last heard of a pause",
                        "read(answer); if (wanted.getAsBoolean()) { to.run(); }",
                        "to.run();")
                .inElections(
                        "DefaultCandidacy",
                        "a candidate stands no more after a pause",
                        "waitsForResume = false; handle(Event.BEGIN);",
                        "waitsForResume = false;");
    }

    private static void inHandingOver(PlantedBugs bugs) {
        bugs.inElections(
                        "Term",
                        "who was handed the leadership leads under the term of the one before",
                        "return hold.token(); }",
                        """
                        if (own == 0) {
                            Term before = LAST.getAndSet(this);
                            boolean handed = before != null && before.reason.get() == StopReason.HANDED_OVER;
                            own = handed ? before.own : hold.token();
                        }
                        return own;
                    }
                    private static final AtomicReference<Term> LAST = new AtomicReference<>();
                    private long own;
                    """)
                .inElections(
                        "CandidacyMachine",
                        "a leader hands over while his work goes on",
                        "case AGREED -> to(State.HANDING_OVER, STOP);",
                        "case AGREED -> to(State.PASSING, STOP, PASS);")
                .inElections(
                        "CandidacyMachine",
                        "who has handed over stands no more",
                        "case PASSED -> leaving ? to(State.OVER, RELEASE, END) : to(State.IDLE, RELEASE, PAUSE);",
                        "case PASSED -> leaving ? to(State.OVER, RELEASE, END) : to(State.IDLE, RELEASE);")
                .inElections(
                        "LeaderHandOver",
                        "the entry of a leader stays where the other one has left his place",
                        "case GIVE_BACK -> to.transferred();",
                        "case GIVE_BACK -> { if (state == State.OVER) { to.transferred(); } }");
    }

    private static void inObserving(PlantedBugs bugs) {
        bugs.inElections(
                        "LeaderTracker",
                        "an observer never sees that nobody leads",
                        "listeners.forEach(each -> each.offer(now));",
                        "now.ifPresent(somebody -> listeners.forEach(each -> each.offer(now)));")
                .inCore(
                        "internal.HeadSubscription",
                        "an observer is told again who leads, in each session",
                        "!(begun && same(told, now))",
                        "true")
                .inCore(
                        "internal.SessionRegistry",
                        "an observer is forgotten with its session",
                        "each(SessionBound::lost);",
                        "all.clear();");
    }
}

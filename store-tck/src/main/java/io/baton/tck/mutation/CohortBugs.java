package io.baton.tck.mutation;

/** Bugs of the kinds that a place can have which several owners of one process share. */
public final class CohortBugs {

    private CohortBugs() {}

    /** Adds all of them. */
    public static void plant(PlantedBugs bugs) {
        inHandingOver(bugs);
        inWhatOthersGet(bugs);
        inWhoWaits(bugs);
    }

    private static void inHandingOver(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.Acquisition",
                        "a place is passed on without a proof of the session",
                        "if (state != State.HELD || sessionValidity() != Validity.PROVEN || requireHold().state() == HoldState.LOST) {",
                        "if (state != State.HELD) {")
                .inCore("internal.Acquisition", "owners of one place have the same turn", "turn++;", "")
                .inCore(
                        "internal.CohortMember",
                        "what the former owner has sent is not waited for",
                        "return released && hold != null && !hold.guardedWrites().areUnderWay();",
                        "return released;")
                .inCore(
                        "internal.CohortMember",
                        "what may still be applied is taken for answered",
                        "return hold != null && !hold.guardedWrites().areInDoubt();",
                        "return true;")
                .inCore(
                        "internal.Cohort",
                        "whoever releases gives the place away, whether it is the owner or not",
                        "if (owner != member || !member.isOver()) {",
                        "if (!member.isOver()) {");
    }

    private static void inWhatOthersGet(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.Cohort",
                        "a place that lingers is kept when somebody comes",
                        "stopObserving.run(); if (lingers()) { leave(); }",
                        "stopObserving.run();")
                .inCore(
                        "internal.Cohort",
                        "the place is never left for others",
                        "return askedToRelease || !(bounded || early);",
                        "return askedToRelease;")
                .inCore(
                        "internal.Cohort",
                        "without a permission to look, nobody is there",
                        "return others == Others.UNKNOWN && since(othersSince).compareTo(FIRST_LOOK) > 0;",
                        "return false;");
    }

    private static void inWhoWaits(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.Cohort",
                        "whoever gives up still gets a turn",
                        "if (waiting.remove(member)) { member.leave(why);",
                        "if (waiting.contains(member)) { member.leave(why);")
                .inCore(
                        "internal.Cohort",
                        "those that wait behind a hold that is lost are forgotten",
                        "releaseRequests = null; enterAgain();",
                        "releaseRequests = null;")
                .inCore(
                        "internal.Cohort",
                        "a place that nobody waits for any more is kept",
                        "if (waiting.isEmpty() && entering != null && entering == place && !held) {",
                        "if (false) {");
    }
}

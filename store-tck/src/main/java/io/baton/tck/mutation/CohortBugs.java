package io.baton.tck.mutation;

/** Bugs of the kinds that a place can have which several owners of one process share. */
public final class CohortBugs {

    private CohortBugs() {}

    /** Adds those that are soon found on every store. */
    public static void plant(PlantedBugs bugs) {
        bugs.inCore("internal.Acquisition", "owners of one place have the same turn", "turn++;", "")
                .inCore(
                        "internal.CohortMember",
                        "what the former owner has sent is not waited for",
                        "return released && hold != null && !hold.guardedWrites().areUnderWay();",
                        "return released;")
                .inCore(
                        "internal.CohortMember",
                        "nobody looks again once what was sent is answered",
                        "granted.guardedWrites().onNone(() -> all.loop().post(() -> cohort().passOn(this)));",
                        "")
                .inCore(
                        "internal.Cohort",
                        "whoever releases gives the place away, whether it is the owner or not",
                        "if (owner != member || !member.isOver()) {",
                        "if (!member.isOver()) {")
                .inCore(
                        "internal.Cohort",
                        "the place is never left for others",
                        "return !(bounded || early);",
                        "return false;")
                .inCore(
                        "internal.Cohort",
                        "whoever gives up still gets a turn",
                        "if (waiting.remove(member)) { member.leave(why);",
                        "if (waiting.contains(member)) { member.leave(why);")
                .inCore(
                        "internal.Cohort",
                        "those that wait behind a hold that is lost are forgotten",
                        "releaseRequests = null; changed(); enterAgain();",
                        "releaseRequests = null; changed();");
    }

    /** Adds those that are found on ZooKeeper, and take very many seeds on etcd. */
    public static void plantFurther(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.CohortMember",
                        "what may still be applied is taken for answered",
                        "return hold != null && !hold.guardedWrites().areInDoubt();",
                        "return true;")
                .inCore(
                        "internal.Cohort",
                        "a place that lingers is kept when somebody comes",
                        "if (lingers() && (somebody || toBeLeft)) {",
                        "if (lingers() && toBeLeft) {");
    }
}

package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs of the kinds that followers of trees on ZooKeeper have had. */
final class RecordBugs {

    private RecordBugs() {}

    static void plant(PlantedBugs bugs) {
        inWhatIsNew(bugs);
        inWhatIsTold(bugs);
        inWhatIsRead(bugs);
    }

    private static void inWhatIsNew(PlantedBugs bugs) {
        bugs.inStore(
                        "ZkRevision",
                        "a record is what it was if its version is",
                        "czxid == that.czxid && mzxid == that.mzxid;",
                        "version == that.version;")
                .inStore(
                        "TreeView",
                        "deletions by others do not raise the revision",
                        "Math.max(now.mzxid(), now.pzxid())",
                        "now.mzxid()")
                .inStore(
                        "TreeView",
                        "the revision is that of the newest record",
                        "revision = Math.max(revision, Math.max(now.mzxid(), now.pzxid()));",
                        "")
                .inStore(
                        "TreeView",
                        "another root is the same history",
                        "return wasThere && !told.history().equals(position().history());",
                        "return false;");
    }

    private static void inWhatIsTold(PlantedBugs bugs) {
        bugs.inStore(
                        "TreeFollowing",
                        "a batch is told before all of it has been read",
                        "boolean whole = reads.isIdle();",
                        "boolean whole = true;")
                .inStore(
                        "TreeFollowing",
                        "a snapshot is told before all of it has been listed",
                        "if (over || !listed) { return; } boolean whole",
                        "if (over) { return; } boolean whole")
                .inStore(
                        "TreeFollowing",
                        "each record is told as soon as it has been read",
                        "else if (whole || reads.rounds() > MANY_ROUNDS)",
                        "else if (begun || whole)")
                .inStore(
                        "TreeObserver",
                        "an older snapshot is accepted from a server that is behind",
                        "!from.hasDelivered() && !confirmed && session",
                        "closed && session")
                .inStore(
                        "TreeObserver",
                        "an older snapshot is read again, and the server not asked to catch up",
                        "session.wire().multi(session.tree().rootCheck(), (code, failedAt, zxid) -> {",
                        "session.wire().read(session.address().root(), (code, node) -> {");
    }

    private static void inWhatIsRead(PlantedBugs bugs) {
        bugs.inStore(
                        "TreeObserver",
                        "nothing is read again after a break",
                        "if (breaks == 0) { begin(); } else",
                        "if (following == null) { begin(); } else if (breaks > 0)")
                .inStore(
                        "TreeFollowing",
                        "events during a snapshot are forgotten",
                        "void changed(String path, Change change) { if (over) {",
                        "void changed(String path, Change change) { if (over || !begun) {")
                .inStore(
                        "TreeFollowing",
                        "the event of the root's deletion is ignored",
                        "if (path.equals(root)) { reads.readChanged(ROOT); }",
                        "if (path.equals(root)) { if (change != Change.DELETED) { reads.readChanged(ROOT); } }")
                .inStore(
                        "TreeFollowing",
                        "the listing is made before the watch is set",
                        "wire.follow(root, (code, nothing) -> watched = code); reads.readChanged(ROOT);",
                        "watched = Code.OK; reads.readChanged(ROOT); wire.children(root, (c, n) -> wire.follow(root, (d, x) -> {}));")
                .inStore("Audit", "trees are not audited", "begun.add(session.observers()::audit);", "");
    }
}

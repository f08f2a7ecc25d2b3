package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;

/** Bugs of the kinds that followers of records on etcd have had. */
final class EtcdRecordBugs {

    private EtcdRecordBugs() {}

    static void plant(PlantedBugs bugs) {
        inTheCore(bugs);
        inWatching(bugs);
        inReading(bugs);
        inTelling(bugs);
        inAuditing(bugs);
    }

    private static void inTheCore(PlantedBugs bugs) {
        bugs.inCore(
                        "internal.SessionRegistry",
                        "an observation ends with its session",
                        "if (another) { member.begin(now); }",
                        "")
                .inCore(
                        "internal.Observation",
                        "a snapshot is told as what was added to the one before",
                        "at = position; present.clear();",
                        "at = position;");
    }

    private static void inWatching(PlantedBugs bugs) {
        bugs.inStore(
                        "PrefixWatch",
                        "a watch goes on from the revision of its created reply",
                        "created(Header header) {",
                        "created(Header header) { next = header.revision() + 1;")
                .inStore(
                        "PrefixWatch",
                        "a watch goes on one revision too late",
                        "next = one.getKey() + 1;",
                        "next = one.getKey() + 2;")
                .inStore(
                        "PrefixWatch",
                        "a watch begins behind the revision that was told last",
                        "Range.below(prefix), next - 1, new Watcher()",
                        "Range.below(prefix), next, new Watcher()")
                .inStore(
                        "PrefixWatch",
                        "nothing is read again once the server has forgotten what was in between",
                        "if (why.code() == Code.COMPACTED || why.code() == Code.DENIED) { next = 0; }",
                        "if (why.code() == Code.COMPACTED) { next = context.knownRevision() + 1; }")
                .inStore(
                        "PrefixWatch",
                        "what is told again is passed on again",
                        "if (turn == now && one.getKey() >= next) {",
                        "if (turn == now) {")
                .inStore(
                        "PrefixWatch",
                        "a watch that the server has ended is not followed by another",
                        "context.retryLater(attempts++, this::begin);",
                        "");
    }

    private static void inReading(PlantedBugs bugs) {
        bugs.inStore(
                        "Pages",
                        "each page is read as the tree is then",
                        "Txn.read(below.page(after, limit, revision))",
                        "Txn.read(below.page(after, limit, 0))")
                .inStore(
                        "Pages",
                        "the position is that of the last page's answer",
                        "done.read(all, header);",
                        "done.read(all, result.header());")
                .inStore(
                        "Pages",
                        "the first page is taken for all",
                        "if (page.count() > page.kvs().size() && !page.kvs().isEmpty()) {",
                        "if (false) {");
    }

    private static void inTelling(PlantedBugs bugs) {
        bugs.inStore(
                        "TreeObserver",
                        "what one transaction has changed is told key by key",
                        "to.changed(put, gone, events.get(0).revision());",
                        "put.forEach(item -> to.changed(List.of(item), List.of(), events.get(0).revision()));"
                                + " gone.forEach(key -> to.changed(List.of(), List.of(key), events.get(0).revision()));")
                .inStore("TreeObserver", "deletions are not told", "gone.add(key);", "");
    }

    private static void inAuditing(PlantedBugs bugs) {
        bugs.inStore(
                        "Audit",
                        "events that the server forgot are not looked for",
                        "List.copyOf(trees).forEach(tree -> inTurn(turn -> read(turn, tree)));",
                        "")
                .inStore(
                        "KeyInventory",
                        "records are compared by name only",
                        "if (!expected.remove(kv.key(), kv.written())) {",
                        "if (expected.remove(kv.key()) == null) {")
                .inStore(
                        "PrefixWatch",
                        "what the audit finds has the watch go on where it was",
                        "busy = false; next = 0; begin();",
                        "busy = false; begin();");
    }
}

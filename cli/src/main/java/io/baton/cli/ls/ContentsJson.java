package io.baton.cli.ls;

import io.baton.QueueEntry;
import io.baton.cli.ContenderFormat;
import io.baton.cli.JsonObject;
import io.baton.cli.ls.StoreContents.Configuration;
import io.baton.cli.ls.StoreContents.Election;
import io.baton.cli.ls.StoreContents.Kind;
import io.baton.cli.ls.StoreContents.Lock;
import io.baton.cli.ls.StoreContents.ReadWriteLock;
import io.baton.cli.ls.StoreContents.Semaphore;
import io.baton.election.Leader;
import java.util.Map;

/** The contents of a store for programs: one object, in one line. */
final class ContentsJson {

    private ContentsJson() {}

    static String of(StoreContents contents) {
        return new JsonObject()
                .array("locks", contents.locks(), ContentsJson::lock)
                .array("rwlocks", contents.readWriteLocks(), ContentsJson::readWriteLock)
                .array("semaphores", contents.semaphores(), ContentsJson::semaphore)
                .array("elections", contents.elections(), ContentsJson::election)
                .array("configurations", contents.configurations(), ContentsJson::configuration)
                .raw("more", more(contents.more()))
                .end();
    }

    private static String more(Map<Kind, String> more) {
        var names = new JsonObject();
        more.forEach((kind, name) -> names.text(kind.name(), name));
        return names.end();
    }

    private static String lock(Lock lock) {
        return new JsonObject()
                .text("name", lock.name())
                .raw("holder", lock.first().map(ContentsJson::holder).orElse("null"))
                .number("waiting", lock.length() - 1)
                .end();
    }

    private static String holder(QueueEntry first) {
        return ContenderFormat.json(new JsonObject(), first).end();
    }

    private static String readWriteLock(ReadWriteLock lock) {
        return new JsonObject()
                .text("name", lock.name())
                .raw("holder", lock.first().map(ContentsJson::claimingHolder).orElse("null"))
                .number("contenders", lock.contenders())
                .end();
    }

    private static String claimingHolder(QueueEntry first) {
        return ContenderFormat.json(new JsonObject(), first)
                .text("claim", ContenderFormat.claim(first.claim()))
                .end();
    }

    private static String semaphore(Semaphore semaphore) {
        return new JsonObject()
                .text("name", semaphore.name())
                .number("holders", semaphore.holders())
                .number("waiting", semaphore.waiting())
                .end();
    }

    private static String election(Election election) {
        return new JsonObject()
                .text("name", election.name())
                .raw("leader", election.leader().map(ContentsJson::leader).orElse("null"))
                .number("candidates", election.candidates())
                .number("nodes", election.nodes())
                .end();
    }

    private static String leader(Leader leader) {
        return new JsonObject()
                .number("term", leader.term())
                .unlessEmpty("id", leader.id())
                .unlessEmpty("address", leader.address())
                .end();
    }

    private static String configuration(Configuration configuration) {
        return new JsonObject()
                .text("space", configuration.space())
                .raw("change", configuration.change() == 0 ? "null" : Long.toString(configuration.change()))
                .number("keys", configuration.keys())
                .number("instances", configuration.instances())
                .end();
    }
}

package io.baton.tck.sim.kernel;

import io.baton.CoordinationException;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A client's transactions: some under its hold, some of which remove its entry. */
final class StepWriter {

    private final KernelClient client;
    private final KernelRun run;
    private final SplittableRandom chance;
    private final List<Write> writes = new ArrayList<>();

    StepWriter(KernelClient client, KernelRun run, SplittableRandom chance) {
        this.client = client;
        this.run = run;
        this.chance = chance;
    }

    /** A transaction, and what was said of it. */
    private static final class Write {
        private final String text;
        private final @Nullable Peer under;
        private final boolean removes;
        private @Nullable Throwable failure;

        Write(String text, @Nullable Peer under, boolean removes) {
            this.text = text;
            this.under = under;
            this.removes = removes;
        }
    }

    void write(Session session, @Nullable Peer hold) {
        Peer under = chance.nextInt(3) == 0 ? hold : null;
        boolean removes = under != null && chance.nextInt(4) == 0;
        var write = new Write(client.name + "-" + writes.size(), under, removes);
        writes.add(write);
        List<Condition> conditions = under == null ? List.of() : List.of(new Condition.Stands(under));
        List<Peer> removed = removes ? List.of(under) : List.of();
        var key = new RecordKey(KernelClient.TREE, "r" + chance.nextInt(3));
        int generation = run.server.generation;
        var answer = session.transact(conditions, List.of(Op.put(key, write.text)), removed);
        client.expectEnd(write.text, answer, (committed, failure) -> {
            if (failure != null) {
                write.failure = Futures.cause(failure);
                run.counts.add("writes: " + write.failure.getClass().getSimpleName());
            } else if (generation == run.server.generation) {
                answered(write, committed);
            } else {
                run.expect(committed || under != null, () -> write.text + " was refused without a condition");
            }
        });
    }

    private void answered(Write write, boolean committed) {
        run.counts.add(committed ? "writes" : "writes refused");
        Peer under = write.under;
        run.expect(
                committed == run.isApplied(write.text),
                () -> write.text + (committed ? " was not applied" : " was applied, and is said to be refused"));
        run.expect(
                !committed || !write.removes || !client.believesIn(under),
                () -> write.text + " has removed " + under + ", which is believed to stand");
        run.expect(
                committed || (under != null && !run.server.state().stands(under)),
                () -> write.text + " was refused, and its condition holds");
    }

    void judge() {
        for (Write write : writes) {
            Throwable failure = write.failure;
            boolean applied =
                    failure == null || failure instanceof OutcomeUnknownException || !run.isApplied(write.text);
            run.sim.check(applied, () -> write.text + " was said not to be applied: " + failure);
            run.sim.check(
                    failure instanceof CoordinationException || failure == null, () -> write.text + ": " + failure);
        }
    }
}

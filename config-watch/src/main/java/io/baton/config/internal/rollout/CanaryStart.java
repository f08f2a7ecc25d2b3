package io.baton.config.internal.rollout;

import io.baton.Guard;
import io.baton.Op;
import io.baton.config.Canary;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.FleetMember;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Ids;
import io.baton.config.internal.record.RetryLoop;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.record.SpaceRead;
import io.baton.config.internal.record.TooLargeException;
import io.baton.config.internal.write.Draft;
import io.baton.config.internal.write.Plan;
import io.baton.recipe.Futures;
import io.baton.spi.Guarantees;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Writes a change as a canary. Values and history stay as they are until its promotion; only marks of secret keys are
 * set at once. On the loop.
 */
public final class CanaryStart implements RetryLoop.Attempt {

    /** The allowed difference between clocks. */
    private static final Duration OVERDUE = Duration.ofMinutes(1);

    private final Space space;
    private final ConfigSpace store;
    private final Draft draft;
    private final Map<String, String> labels;
    private final int percent;
    private final Duration lasts;
    private final RetryLoop<Canary> tries;
    private String id = "";
    private boolean sent;
    private boolean unknown;

    private CanaryStart(
            Space space, Draft draft, Map<String, String> labels, int percent, Duration lasts, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.draft = draft;
        this.labels = Map.copyOf(labels);
        this.percent = percent;
        this.lasts = lasts;
        this.tries = new RetryLoop<>(store, timeout);
    }

    /** Writes it within this time. Any thread; completes on the loop. */
    public static CompletableFuture<Canary> of(
            Space space, Draft draft, Map<String, String> labels, int percent, Duration lasts, Duration timeout) {
        CanaryStart start = new CanaryStart(space, draft, labels, percent, lasts, timeout);
        return start.tries.of(start);
    }

    @Override
    public String unknown() {
        return sent || unknown ? "canary " + id : "";
    }

    @Override
    public void begin() {
        if (id.isEmpty()) {
            id = Ids.brief(store.loop());
        }
        var names = draft.keys();
        names.add(CanaryRecord.KEY);
        Futures.onDone(
                space.fleet().thenCompose(fleet -> space.read(names).thenApply(present -> new Ground(present, fleet))),
                (ground, failure) -> {
                    if (failure != null) {
                        tries.failed(this, failure, this::begin);
                    } else {
                        write(ground.present(), ground.fleet());
                    }
                });
    }

    /** The data that it is made of. */
    private record Ground(SpaceRead present, List<FleetMember> fleet) {}

    private void write(SpaceRead present, List<FleetMember> fleet) {
        if (tries.isDone()) {
            return;
        }
        CanaryRecord record;
        List<Guard> guards = new ArrayList<>();
        List<Op> ops = new ArrayList<>();
        try {
            Optional<CanaryRecord> other = present.record(CanaryRecord.KEY).map(CanaryRecord::of);
            if (other.isPresent() && !replaces(other.get())) {
                standing(other.get());
                return;
            }
            record = record(present, fleet);
        } catch (ConfigException refused) {
            tries.fail(refused);
            return;
        }
        var guarded = new TreeSet<>(Plan.keys(draft, present).keySet());
        guarded.addAll(draft.expected().keySet());
        guarded.forEach(key -> guards.add(present.guard(key)));
        guards.add(present.guard(CanaryRecord.KEY));
        guards.add(present.headGuard());
        ops.add(Op.put(space.key(CanaryRecord.KEY), record.encode()));
        SpaceHead head = present.head().secrets(Plan.secrets(draft, present.head()));
        if (!head.equals(present.head())) {
            ops.add(Op.put(space.key(SpaceHead.KEY), head.encode()));
        }
        send(record, guards, ops);
    }

    /**
     * An overdue canary, which no instance may use, can be replaced. It remains if all instances that tried it are
     * gone.
     */
    private boolean replaces(CanaryRecord other) {
        long now = store.loop().wallMillis();
        return !other.id().equals(id) && other.overdue(Instant.ofEpochMilli(now).minus(OVERDUE));
    }

    private void standing(CanaryRecord other) {
        if (other.id().equals(id)) {
            tries.complete(other.shown());
        } else {
            tries.fail(new ConfigConflictException(
                    "there is a canary already, " + other.id() + " of " + other.author() + "; one at a time"));
        }
    }

    /** Makes the record, checked as the later change for all instances. */
    private CanaryRecord record(SpaceRead present, List<FleetMember> fleet) {
        Guarantees limits = store.guarantees();
        Guarantees later = limits.withMaxOps(limits.maxOps() - 2);
        long now = store.loop().wallMillis();
        var keys = new TreeMap<String, CanaryRecord.Key>();
        planned(present, now, later).keys().forEach((key, what) -> {
            if (draft.texts().containsKey(key)) {
                keys.put(key, new CanaryRecord.Key(what.before(), what.now(), present.revision(key), what.secret()));
            }
        });
        if (keys.isEmpty()) {
            throw new ConfigException("nothing to write: a canary has a value to try");
        }
        CanaryRecord all = new CanaryRecord(
                0,
                id,
                draft.author(),
                draft.comment(),
                Instant.ofEpochMilli(now),
                lasts,
                new TreeMap<>(labels),
                percent,
                null,
                0,
                "",
                keys);
        var chosen = new TreeMap<String, String>();
        fleet.stream()
                .filter(member -> all.chooses(member.process(), member.id(), member.labels()))
                .forEach(member -> chosen.put(member.process(), member.id()));
        CanaryRecord record = all.amongThese(chosen);
        checkSize(record);
        return record;
    }

    /** The change for all that it is to become fits; this record also has the processes that it chooses. */
    private void checkSize(CanaryRecord record) {
        long bytes = (long) record.encode().length + CanaryHold.MOST_BYTES;
        int most = store.guarantees().maxBytes();
        if (bytes > most) {
            throw new ConfigException("the canary is too large: with each text as it is and is to be, the "
                    + record.shown().chosen().size() + " processes that try it, and room for a reason to hold it, it"
                    + " takes " + bytes + " bytes, and this store takes " + most);
        }
    }

    private Plan planned(SpaceRead present, long now, Guarantees limits) {
        try {
            return Plan.of(draft, present, id, now, limits);
        } catch (TooLargeException all) {
            throw new ConfigException(all.what() + "; a canary is one transaction");
        }
    }

    private void send(CanaryRecord record, List<Guard> guards, List<Op> ops) {
        sent = true;
        Futures.onDone(store.write(guards, ops), (applied, failure) -> {
            sent = false;
            if (failure != null) {
                unknown |= RetryLoop.uncertain(Futures.cause(failure));
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                tries.complete(record.shown());
            } else {
                tries.retryLater(this::begin);
            }
        });
    }
}

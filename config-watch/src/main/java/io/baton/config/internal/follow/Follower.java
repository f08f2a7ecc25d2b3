package io.baton.config.internal.follow;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.SpaceHead;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.TreeFollower;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives updates from the store and classifies them. On the loop, except {@link #seen} and {@link #unconfirmedFor}.
 */
public final class Follower implements TreeFollower {

    private static final Logger log = LoggerFactory.getLogger(Follower.class);

    private final ClientLoop loop;
    private final Consumer<StoreUpdate> to;
    private final Consumer<Boolean> onConfirmed;
    private final Runnable onClosed;
    private Continuity course;
    private boolean current;
    private boolean inContact;
    private volatile Seen seen;
    private volatile Since since;

    /** The newest position received from the store. */
    public record Seen(Position at, long change) {}

    /** Since when that is unconfirmed; without meaning if {@code confirmed}. */
    private record Since(boolean confirmed, long nanos) {}

    /**
     * Starts at the store's position when an earlier process ended.
     *
     * @param onConfirmed receives whether the position seen is known to be the newest, on each change of that
     */
    public Follower(
            ClientLoop loop,
            Position before,
            Consumer<StoreUpdate> to,
            Consumer<Boolean> onConfirmed,
            Runnable onClosed) {
        this.loop = loop;
        this.to = to;
        this.onConfirmed = onConfirmed;
        this.onClosed = onClosed;
        this.course = Continuity.from(before);
        this.seen = new Seen(new Position("", 0), 0);
        this.since = new Since(false, loop.nanoTime());
    }

    /** Sets the position known from this long ago, unless something newer was received. */
    public void begin(Seen known, Duration age) {
        if (!course.begun()) {
            seen = known;
            since = new Since(false, loop.nanoTime() - age.toNanos());
        }
    }

    public Seen seen() {
        return seen;
    }

    /** Returns how long ago the position seen was last confirmed as the newest. */
    public Duration unconfirmedFor() {
        Since last = since;
        return last.confirmed() ? Duration.ZERO : Duration.ofNanos(Math.max(0, loop.nanoTime() - last.nanos()));
    }

    @Override
    public void snapshot(List<Item> all, Position at) {
        StoreUpdate.Gap gap = course.gap(at);
        Position before = course.at();
        course = course.to(at);
        Optional<Item> head = all.stream()
                .filter(item -> item.key().name().equals(SpaceHead.KEY))
                .findFirst();
        seen = new Seen(at, change(head, 0));
        current = true;
        confirm();
        to.accept(StoreUpdate.Whole.of(gap, before, at, all));
    }

    @Override
    public void changed(List<Item> put, List<RecordKey> gone, long revision) {
        Position at = new Position(course.at().history(), revision);
        course = course.to(at);
        StoreUpdate.Part part = StoreUpdate.Part.of(at, put, gone);
        if (part.changes().containsKey(SpaceHead.KEY)) {
            seen = new Seen(at, change(part.changes().getOrDefault(SpaceHead.KEY, Optional.empty()), seen.change()));
        } else {
            seen = new Seen(at, seen.change());
        }
        to.accept(part);
    }

    @Override
    public void connected() {
        inContact = true;
        confirm();
    }

    @Override
    public void interrupted() {
        current = false;
        markUnconfirmed();
    }

    @Override
    public void resumed() {
        current = course.begun();
        confirm();
    }

    @Override
    public void suspended() {
        inContact = false;
        markUnconfirmed();
    }

    @Override
    public void lost() {
        current = false;
        suspended();
    }

    @Override
    public void closed() {
        onClosed.run();
        suspended();
    }

    private void confirm() {
        if (inContact && current) {
            boolean changed = !since.confirmed();
            since = new Since(true, 0);
            if (changed) {
                onConfirmed.accept(true);
            }
        }
    }

    private void markUnconfirmed() {
        if (since.confirmed()) {
            since = new Since(false, loop.nanoTime());
            onConfirmed.accept(false);
        }
    }

    /** The code that applies the update reports an unreadable record in more detail. */
    private static long change(Optional<Item> head, long otherwise) {
        try {
            return SpaceHead.of(head).change();
        } catch (ConfigException notOurs) {
            log.debug("{}", notOurs.getMessage());
            return otherwise;
        }
    }
}

package io.baton.internal.line;

import io.baton.internal.session.SessionBound;
import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Session;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A listener of the first entry of a line. The first state in a new session is reported if it differs. On the loop. */
public final class HeadSubscription implements SessionBound {

    private final Line line;
    private final Consumer<Optional<Entry>> to;
    private boolean begun;
    private @Nullable Entry told;
    private @Nullable Following following;

    public HeadSubscription(Line line, Consumer<Optional<Entry>> to) {
        this.line = line;
        this.to = to;
    }

    @Override
    public void begin(Session session) {
        stop();
        Following next = new Following();
        following = next;
        next.end = session.observe(line, next);
    }

    @Override
    public void stop() {
        Following last = following;
        following = null;
        if (last != null) {
            last.end.run();
        }
    }

    @Override
    public void lost() {
        following = null;
    }

    private static boolean same(@Nullable Entry one, @Nullable Entry other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        // Without the order, which a store may come to count differently.
        return one.peer().name().equals(other.peer().name())
                && one.token() == other.token()
                && Arrays.equals(one.payload(), other.payload());
    }

    private final class Following implements HeadListener {

        private Runnable end = () -> {};

        @Override
        public void head(Optional<Entry> first) {
            Entry now = first.orElse(null);
            if (following == this && !(begun && same(told, now))) {
                begun = true;
                told = now;
                to.accept(first);
            }
        }
    }
}

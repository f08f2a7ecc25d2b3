package io.baton.internal.session;

import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Session;
import io.baton.spi.support.RunAll;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All parts of one kind that begin anew in each session. On the loop, except {@link #add}. */
public final class SessionRegistry<T extends SessionBound> implements SessionScoped {

    private final ClientLoop loop;
    private final Set<T> all = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean inContact;
    private boolean closed;

    public SessionRegistry(ClientLoop loop) {
        this.loop = loop;
    }

    /** Begins a part, until the subscription is closed. Any thread. */
    public Subscription add(T added) {
        if (!loop.post(() -> begin(added))) {
            added.stop();
        }
        return () -> loop.post(() -> end(added));
    }

    /** Begins a part. */
    public void begin(T added) {
        if (closed) {
            added.stop();
            return;
        }
        all.add(added);
        Session now = session;
        if (now != null) {
            RunAll.all(inContact ? added::connected : () -> {}, () -> added.begin(now));
        }
    }

    /** Stops a part, unless that was done before. */
    public void end(T ended) {
        if (all.remove(ended)) {
            ended.stop();
        }
    }

    /** Returns whether this is closed, and nothing begins any more. */
    public boolean isClosed() {
        return closed;
    }

    /** Removes a part that has stopped by itself. */
    public void forget(T ended) {
        all.remove(ended);
    }

    @Override
    public void connected(Session now) {
        boolean another = session != now;
        session = now;
        inContact = true;
        // What throws begins all the same: it would hear of nothing in this session.
        each(member -> RunAll.all(member::connected, () -> {
            if (another) {
                member.begin(now);
            }
        }));
    }

    @Override
    public void suspended() {
        inContact = false;
        each(SessionBound::suspended);
    }

    @Override
    public void proven() {
        each(SessionBound::proven);
    }

    @Override
    public void lost() {
        inContact = false;
        session = null;
        each(SessionBound::lost);
    }

    @Override
    public void close() {
        closed = true;
        List<T> ended = List.copyOf(all);
        all.clear();
        RunAll.each(ended, each -> each.stop());
    }

    /** Calls each present part, even after one throws; a call may begin other parts, and end some. */
    private void each(Consumer<T> action) {
        RunAll.each(all, member -> {
            if (all.contains(member)) {
                action.accept(member);
            }
        });
    }
}

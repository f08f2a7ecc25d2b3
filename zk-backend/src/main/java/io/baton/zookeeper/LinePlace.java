package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.Standing;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One contender's place in a line.
 *
 * <p>Joining is a create and a listing, sent back to back on one connection, so the listing shows the entry: one round
 * trip. If nobody stands ahead the place is clear; otherwise the nearest one ahead is watched, and when it has gone one
 * listing tells who is nearest now. In a line that is {@link Following followed}, neither watch nor listing is needed.
 * An entry whose creation got no answer is looked for by its id, which was chosen before: a quorum commit first, so that
 * nothing of it can still be on its way, then a listing.
 */
final class LinePlace implements Place, Watches.Waiter, Following.Follower {

    private enum State {
        /** Nothing sent, or known to have had no effect. */
        ABSENT,
        /** The create is under way. */
        JOINING,
        /** The create may have been applied. */
        DOUBT,
        /** The entry is in the line; others stand ahead, or that is being found out. */
        STANDING,
        /** Nobody stands ahead. */
        CLEAR,
        /** The entry is gone, or will be with its session. */
        OVER
    }

    private static final int MAX_ATTEMPTS = 20;

    private final ZkSession session;
    private final Line line;
    private final Naming naming;
    private final byte[] payload;
    private final Standing to;
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    private State state = State.ABSENT;
    private Following following;
    private boolean leaving;
    private boolean toldWaits;
    private boolean keen;
    private int attempts;
    private String prefix = "";
    private @Nullable EntryName mine;
    private long token;
    private long order;
    // Who is waited for: the nearest one ahead, or all of them, as the stream of events has left them.
    private @Nullable String predecessor;
    private final Set<String> ahead = new HashSet<>();

    LinePlace(ZkSession session, Line line, byte[] payload, Standing to) {
        this.session = session;
        this.line = line;
        this.naming = Naming.of(line.dialect());
        this.payload = payload;
        this.to = to;
        this.following = session.followings().of(linePath());
    }

    Line line() {
        return line;
    }

    String linePath() {
        return session.address().path(line.path());
    }

    /** The full path of the entry; only of a place that is clear. */
    String entryPath() {
        return path(name());
    }

    /** How the path of an entry begins that stands in the line, or may do so; empty if there is none. */
    Optional<String> remains() {
        boolean none = state == State.ABSENT || state == State.OVER;
        return none ? Optional.empty() : Optional.of(path(prefix));
    }

    void start() {
        if (state != State.ABSENT) {
            return;
        }
        if (leaving) {
            settle();
        } else if (!session.connected()) {
            again(this::start);
        } else {
            create();
        }
    }

    @Override
    public CompletionStage<Void> leave() {
        if (!leaving) {
            leaving = true;
            dropOut();
            switch (state) {
                case ABSENT -> settle();
                case STANDING, CLEAR -> delete();
                case JOINING, DOUBT, OVER -> {} // once it is known whether there is an entry
            }
        }
        return left;
    }

    /** The session is over, and the entry with it. */
    void over(CoordinationException why) {
        if (state != State.OVER) {
            tellGone(why);
            settleWithSession();
        }
    }

    /** There is no entry, and will be none. */
    private void gone(CoordinationException why) {
        if (state != State.OVER) {
            tellGone(why);
            settle();
        }
    }

    /** A check made with the heartbeat did not find the entry. */
    void missing() {
        if (state != State.OVER) {
            gone(new LockLostException("the entry " + path(name()) + " was removed by somebody else"));
        }
    }

    /** Entries with these paths are known to have been removed. */
    void removed(List<String> paths) {
        if ((state == State.STANDING || state == State.CLEAR) && paths.contains(path(name()))) {
            gone(new LockLostException("the entry " + path(name()) + " was removed"));
        }
    }

    /** Whether it stands behind others, and waits for them to go. */
    boolean isWaiting() {
        return state == State.STANDING && !leaving;
    }

    /** A listing made in passing, to catch what the server failed to tell. */
    void audit(Set<String> names) {
        if (!isWaiting()) {
            return;
        }
        if (predecessor != null && !(names.contains(name()) && names.contains(predecessor))) {
            unwatch();
            list();
        } else if (!ahead.isEmpty() && !(names.contains(name()) && names.containsAll(ahead))) {
            following.gap();
        }
    }

    @Override
    public void vanished() {
        predecessor = null;
        list();
    }

    @Override
    public void unwatched() {
        predecessor = null;
        again(this::list);
    }

    @Override
    public void unreadable() {
        String ahead = predecessor == null ? linePath() : path(predecessor);
        predecessor = null;
        giveUp(Refusal.of("cannot wait in " + line, Code.NOAUTH, ahead));
    }

    @Override
    public void removed(String name) {
        if (state != State.STANDING || leaving) {
            return;
        }
        if (name.equals(name())) {
            // By somebody, or with the session: the answer to a listing tells which.
            following.leave(this);
            ahead.clear();
            list();
        } else if (ahead.remove(name)) {
            keen(ahead.size() == 1);
            if (ahead.isEmpty() && session.beats().holds(path(name))) {
                // One of ours that nobody has given back: perhaps the session is being ended, and we with it.
                following.leave(this);
                list();
            } else if (ahead.isEmpty()) {
                clear();
            }
        }
    }

    @Override
    public void gap() {
        ahead.clear();
        if (session.connected()) {
            list();
        } else {
            again(this::list);
        }
    }

    private void create() {
        state = State.JOINING;
        attempts++;
        prefix = naming.prefix(
                Naming.id(session.loop().randomLong(), session.loop().randomLong()));
        session.tree().checkAcl(line.path(), this::giveUp);
        following = session.followings().of(linePath());
        following.joining();
        long stream = following.stream();
        session.wire().create(path(prefix), payload, CreateMode.EPHEMERAL_SEQUENTIAL, (code, node) -> {
            if (code == Code.OK && node != null) {
                entered(node);
            } else {
                notEntered(code);
            }
        });
        session.wire().children(linePath(), (code, names) -> {
            if (state == State.STANDING) {
                listed(code, names, stream);
            }
        });
    }

    private void entered(ZkWire.Node node) {
        mine = ownName(node.path());
        token = node.czxid();
        state = State.STANDING;
        if (leaving) {
            delete();
        }
    }

    private void notEntered(Code code) {
        if (code == Code.CONNECTIONLOSS) {
            state = State.DOUBT;
            again(this::resolve);
        } else if (code == Code.NONODE && attempts < MAX_ATTEMPTS) {
            state = State.ABSENT;
            session.tree().makeLine(line.path(), this::lineMade);
        } else {
            gone(Refusal.of("cannot join " + line, code, line.path()));
        }
    }

    private void lineMade(Code code) {
        if (code == Code.NOAUTH) {
            gone(Refusal.of("cannot join " + line, code, linePath()));
        } else {
            session.pause(attempts - 1, this::start);
        }
    }

    /** Finds out whether the entry exists: what was on its way is settled by a commit after it. */
    private void resolve() {
        if (state != State.DOUBT) {
            return;
        }
        boolean[] committed = {false};
        session.wire()
                .multi(session.tree().rootCheck(), (code, at) -> committed[0] = code == Code.OK || code == Code.NONODE);
        session.wire().children(linePath(), (code, names) -> {
            boolean answered = code == Code.OK || code == Code.NONODE;
            if (!committed[0] || !answered) {
                again(this::resolve);
            } else {
                resolved(names == null ? List.of() : names);
            }
        });
    }

    private void resolved(List<String> names) {
        for (String name : names) {
            if (name.startsWith(prefix)) {
                readOwn(name, names);
                return;
            }
        }
        state = State.ABSENT;
        start();
    }

    private void readOwn(String name, List<String> names) {
        session.tree().checkAcl(line.path(), this::giveUp);
        session.wire().read(path(name), (code, node) -> {
            if (code == Code.OK && node != null && node.owner() == session.number()) {
                entered(node);
                if (state == State.STANDING && !leaving) {
                    stand(names, Following.NONE);
                }
            } else if (code == Code.OK || code == Code.NONODE) {
                // Somebody else's, or gone again: there is no entry of ours.
                state = State.ABSENT;
                start();
            } else {
                again(this::resolve);
            }
        });
    }

    private void list() {
        if (state == State.STANDING && !leaving) {
            long stream = following.stream();
            session.wire().children(linePath(), (code, names) -> listed(code, names, stream));
        }
    }

    /** A listing, and the stream that was open when it was asked for. */
    private void listed(Code code, @Nullable List<String> names, long stream) {
        if (state != State.STANDING || leaving) {
            return;
        }
        if (code == Code.OK && names != null) {
            stand(names, stream);
        } else if (code == Code.CONNECTIONLOSS) {
            again(this::list);
        } else if (code == Code.NONODE) {
            missing();
        } else {
            giveUp(Refusal.of("cannot list " + line, code, line.path()));
        }
    }

    private void stand(List<String> names, long stream) {
        if (!names.contains(name())) {
            missing();
            return;
        }
        Lineup lineup;
        try {
            lineup = Lineup.of(naming, names);
        } catch (ForeignEntryException foreign) {
            giveUp(foreign.told("cannot stand in " + line));
            return;
        }
        if (lineup.numbered()) {
            order = own().sequence();
            standBehind(lineup.ahead(own()), stream);
        } else {
            session.births().order(linePath(), lineup.entries(), this::ordered);
        }
    }

    /** The order by the transactions that made the entries, where the sequence numbers no longer tell it. */
    private void ordered(@Nullable Code failed, List<Births.Born> born, boolean complete) {
        if (state != State.STANDING || leaving) {
            return;
        }
        if (failed != null) {
            listed(failed, null, Following.NONE);
            return;
        }
        List<String> ahead = born.stream()
                .filter(other -> other.czxid() < token)
                .map(Births.Born::name)
                .toList();
        order = token;
        if (ahead.isEmpty() && !complete) {
            list(); // somebody has gone since the listing: what it says of us is older than that
        } else {
            standBehind(ahead, Following.NONE);
        }
    }

    /** Behind these, the nearest last. */
    private void standBehind(List<String> others, long stream) {
        if (!toldWaits) {
            following.joined(others.size());
        }
        if (others.isEmpty()) {
            clear();
            return;
        }
        keen(others.size() == 1);
        if (!toldWaits) {
            toldWaits = true;
            to.waits();
        }
        if (leaving) {
            return;
        }
        if (following.follow(this, stream, others.size())) {
            ahead.addAll(others);
        } else {
            predecessor = others.get(others.size() - 1);
            session.watches().add(path(predecessor), this);
        }
    }

    private void clear() {
        state = State.CLEAR;
        session.audit().moved(line);
        following.leave(this);
        keen(true);
        session.beats().check(this);
        to.clear(new Entry(new Peer(line, name(), order), token, payload, session.id()));
    }

    private void unwatch() {
        if (predecessor != null) {
            session.watches().remove(path(predecessor), this);
            predecessor = null;
        }
    }

    /** Our entry stands, but we cannot stay: it goes, and the contender is told why. */
    private void giveUp(CoordinationException why) {
        if (!leaving) {
            to.gone(why);
            leave();
        } else {
            delete();
        }
    }

    private void delete() {
        if (state != State.STANDING && state != State.CLEAR) {
            return;
        }
        session.wire().delete(path(name()), (code, nothing) -> {
            if (code == Code.OK || code == Code.NONODE) {
                settle();
            } else {
                again(this::delete);
            }
        });
    }

    private void again(Runnable task) {
        session.again(() -> state != State.OVER, task);
    }

    private void tellGone(CoordinationException why) {
        if (!leaving) {
            leaving = true;
            dropOut();
            to.gone(why);
        }
    }

    private void settle() {
        state = State.OVER;
        session.settled(this);
        left.complete(null);
    }

    /** As {@link #settle}, once the session is certain to have ended. */
    private void settleWithSession() {
        state = State.OVER;
        session.settled(this);
        session.ended().whenComplete((done, unknown) -> {
            if (unknown == null) {
                left.complete(null);
            } else {
                left.completeExceptionally(unknown);
            }
        });
    }

    /** Neither waits nor holds any more. */
    private void dropOut() {
        unwatch();
        following.leave(this);
        ahead.clear();
        if (state == State.CLEAR) {
            session.beats().uncheck(this);
        }
        keen(false);
    }

    private void keen(boolean now) {
        if (keen != now) {
            keen = now;
            session.keen(now);
        }
    }

    private String path(String name) {
        return linePath() + "/" + name;
    }

    private String name() {
        return own().name();
    }

    private EntryName ownName(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        try {
            EntryName own = naming.parse(name);
            if (own != null) {
                return own;
            }
        } catch (ForeignEntryException impossible) {
            throw new IllegalStateException(impossible);
        }
        throw new IllegalStateException("not an entry: " + name);
    }

    private EntryName own() {
        if (mine == null) {
            throw new IllegalStateException("not in the line " + line);
        }
        return mine;
    }
}

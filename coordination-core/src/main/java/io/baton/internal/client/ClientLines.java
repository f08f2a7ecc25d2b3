package io.baton.internal.client;

import io.baton.Hold;
import io.baton.Subscription;
import io.baton.internal.line.DefaultMembership;
import io.baton.internal.line.HeadSubscription;
import io.baton.internal.line.LineEntries;
import io.baton.internal.line.MembersSubscription;
import io.baton.internal.lock.Acquisitions;
import io.baton.internal.lock.DefaultLineAcquisition;
import io.baton.internal.lock.FencedHold;
import io.baton.internal.session.Requests;
import io.baton.internal.session.SessionRegistry;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.LineAccess;
import io.baton.recipe.LineAcquisition;
import io.baton.recipe.LineMember;
import io.baton.recipe.LineMembers;
import io.baton.recipe.Membership;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Store;
import io.baton.spi.support.RepeatedRefusal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The lines of one client. Any thread, unless it says otherwise. */
final class ClientLines implements LineAccess {

    private final Store store;
    private final ClientLoop loop;
    private final Acquisitions acquisitions;
    private final LineEntries entries;
    private final SessionRegistry<HeadSubscription> heads;
    private final SessionRegistry<DefaultMembership> memberships;
    private final SessionRegistry<MembersSubscription> members;
    private final Troubles troubles;

    ClientLines(
            Store store,
            ClientLoop loop,
            Acquisitions acquisitions,
            Requests requests,
            SessionRegistry<HeadSubscription> heads,
            SessionRegistry<DefaultMembership> memberships,
            SessionRegistry<MembersSubscription> members,
            Troubles troubles) {
        this.store = store;
        this.loop = loop;
        this.acquisitions = acquisitions;
        this.entries = new LineEntries(requests);
        this.heads = heads;
        this.memberships = memberships;
        this.members = members;
        this.troubles = troubles;
    }

    @Override
    public void check(Line line) {
        store.check(line);
    }

    @Override
    public LineAcquisition acquire(Resource resource, UnaryOperator<byte[]> payload, LineAcquisition.Listener to) {
        return new DefaultLineAcquisition(acquisitions.beginAcrossSessions(resource, payload), to);
    }

    @Override
    public Membership join(Line line, Membership.Listener to) {
        var refused = refusal("Cannot stand in " + line);
        var added = new DefaultMembership(line, loop, store.guarantees().maxBytes(), to, refused, memberships::forget);
        memberships.add(added);
        return added;
    }

    @Override
    public CompletableFuture<List<LineMember>> members(Resource resource) {
        return Futures.callOnLoop(
                loop,
                () -> entries.all(resource.line(), resource)
                        .thenApply(all -> all.stream().map(LineMember::new).toList()));
    }

    @Override
    public Subscription observeMembers(Resource resource, Consumer<LineMembers> listener) {
        var refused = refusal("Cannot tell who stands in " + resource.line());
        return members.add(new MembersSubscription(resource.line(), loop, listener, refused));
    }

    private RepeatedRefusal refusal(String what) {
        return new RepeatedRefusal(() -> what, troubles::report, troubles::resolved);
    }

    @Override
    public CompletableFuture<List<Peer>> peers(Line line, Object what) {
        return entries.peers(line, what);
    }

    @Override
    public CompletableFuture<List<Entry>> entries(Line line, Object what) {
        return entries.all(line, what);
    }

    @Override
    public Subscription observeHead(Line line, Consumer<Optional<Entry>> listener) {
        return heads.add(new HeadSubscription(line, listener));
    }

    @Override
    public Peer entryOf(Hold hold) {
        return granted(hold).peer();
    }

    @Override
    public CompletableFuture<Void> release(Hold hold) {
        return granted(hold).startRelease();
    }

    @Override
    public void markReleased(Hold hold) {
        granted(hold).release();
    }

    private static FencedHold granted(Hold hold) {
        return FencedHold.of(hold).orElseThrow(() -> new IllegalArgumentException(hold + " is no hold of Baton's"));
    }
}

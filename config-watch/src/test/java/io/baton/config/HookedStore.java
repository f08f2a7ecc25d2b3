package io.baton.config;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.spi.TreeListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** A store in which something can be made to happen to transactions; they are counted from 1. */
public final class HookedStore implements Store {

    /** What becomes of a transaction, given what applies it. */
    public interface Hook extends Function<Supplier<CompletionStage<Boolean>>, CompletionStage<Boolean>> {}

    private final Store store;
    private final Function<Integer, Hook> hooks;
    private final Reads reads;
    private int transactions;

    /** What becomes of a read, given what reads. */
    public interface Reads {
        CompletionStage<Optional<Item>> read(RecordKey key, Function<RecordKey, CompletionStage<Optional<Item>>> read);
    }

    public HookedStore(Store store, Function<Integer, Hook> hooks, Reads reads) {
        this.store = store;
        this.hooks = hooks;
        this.reads = reads;
    }

    @Override
    public Guarantees guarantees() {
        return store.guarantees();
    }

    @Override
    public void check(Line line) {
        store.check(line);
    }

    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        return new Hooked(store.open(spec, loop, to));
    }

    private final class Hooked implements Session {

        private final Session session;

        Hooked(Session session) {
            this.session = session;
        }

        @Override
        public CompletionStage<Boolean> transact(
                List<Condition> conditions, List<Op> ops, List<Peer> removed, Duration within) {
            return hooks.apply(++transactions).apply(() -> session.transact(conditions, ops, removed, within));
        }

        @Override
        public String id() {
            return session.id();
        }

        @Override
        public Link link() {
            return session.link();
        }

        @Override
        public Proof proof() {
            return session.proof();
        }

        @Override
        public Duration timeout() {
            return session.timeout();
        }

        @Override
        public void requestProof() {
            session.requestProof();
        }

        @Override
        public Place join(Line line, Claim claim, byte[] payload, PlaceListener to) {
            return session.join(line, claim, payload, to);
        }

        @Override
        public CompletionStage<Boolean> isFree(Line line, Claim claim) {
            return session.isFree(line, claim);
        }

        @Override
        public Runnable observePeers(Line line, Consumer<List<Peer>> to) {
            return session.observePeers(line, to);
        }

        @Override
        public CompletionStage<List<Peer>> peers(Line line) {
            return session.peers(line);
        }

        @Override
        public CompletionStage<Optional<Entry>> details(Peer peer) {
            return session.details(peer);
        }

        @Override
        public CompletionStage<Optional<Item>> get(RecordKey key) {
            return reads.read(key, session::get);
        }

        @Override
        public Runnable observe(String tree, TreeListener to) {
            return session.observe(tree, to);
        }

        @Override
        public Runnable observe(Line line, HeadListener to) {
            return session.observe(line, to);
        }

        @Override
        public CompletionStage<Void> close() {
            return session.close();
        }
    }
}

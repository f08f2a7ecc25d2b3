package io.baton.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.options.GetOption;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * jetcd: one client and one lease per client, as whoever locks twice with one lease gets the lock twice. The server's Lock
 * service does the work. A release is always confirmed before it returns.
 */
final class JetcdSide implements Side {

    private static final long TTL_SECONDS = 10;
    private static final ByteSequence NAME = ByteSequence.from("jetcd/contended", UTF_8);

    private final List<Client> clients = new ArrayList<>();
    private final List<LockTurn> turns = new ArrayList<>();

    private JetcdSide() {}

    static JetcdSide connect(String servers, int clients, int workers) throws Exception {
        if (workers != clients) {
            throw new IllegalArgumentException("with jetcd, two threads of one lease would both hold");
        }
        var side = new JetcdSide();
        for (int i = 0; i < clients; i++) {
            Client client = RawEtcd.client(servers);
            side.clients.add(client);
            long lease = client.getLeaseClient().grant(TTL_SECONDS).get().getID();
            client.getLeaseClient().keepAlive(lease, new Unheard());
            side.turns.add(new JetcdTurn(client.getLockClient(), lease));
        }
        return side;
    }

    @Override
    public List<LockTurn> turns() {
        return turns;
    }

    @Override
    public int inLine() throws Exception {
        GetOption all = GetOption.builder().isPrefix(true).withCountOnly(true).build();
        return (int) clients.get(0).getKVClient().get(NAME, all).get().getCount();
    }

    @Override
    public void settle() {}

    @Override
    public void close() {
        clients.forEach(Client::close);
    }

    private static final class JetcdTurn implements LockTurn {

        private final Lock lock;
        private final long lease;
        private @Nullable ByteSequence key;

        JetcdTurn(Lock lock, long lease) {
            this.lock = lock;
            this.lease = lease;
        }

        @Override
        public void take(boolean shared) throws Exception {
            key = answer(lock.lock(NAME, lease)).getKey();
        }

        @Override
        public void give() throws Exception {
            ByteSequence held = key;
            if (held == null) {
                throw new IllegalStateException("not held");
            }
            key = null;
            answer(lock.unlock(held));
        }

        private static <T> T answer(CompletableFuture<T> future) throws InterruptedException, ExecutionException {
            return future.get();
        }
    }

    /** The client renews the lease as long as somebody listens. */
    private static final class Unheard implements StreamObserver<LeaseKeepAliveResponse> {

        @Override
        public void onNext(LeaseKeepAliveResponse renewed) {}

        @Override
        public void onError(Throwable broken) {}

        @Override
        public void onCompleted() {}
    }
}

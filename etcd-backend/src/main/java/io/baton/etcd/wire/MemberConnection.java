package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.spi.Loop;
import io.baton.spi.support.HttpText;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one member, and to no other, for questions about that member. It connects with the first question, and
 * anew with the next one after the connection was lost, or none could be had. Any thread may ask; the answers come on the
 * loop.
 */
public final class MemberConnection {

    /** An answer; the value is there if, and only if, there was no fault. */
    public record Answer<R>(Status status, @Nullable R value) {

        /** How the question went. */
        public Fault fault() {
            return ErrorClassifier.of(status);
        }
    }

    private final Host host;
    private final Settings settings;
    private final boolean secure;
    private final Loop loop;
    private final Duration patience;

    // On the loop.
    private final List<BiConsumer<Status, @Nullable Connection>> waiting = new ArrayList<>();
    private @Nullable Connection connection;

    private MemberConnection(Host host, EtcdAddress address, Settings settings, Loop loop, Duration patience) {
        this.host = host;
        this.settings = settings;
        this.secure = address.secure();
        this.loop = loop;
        this.patience = patience;
    }

    /** To each of the members that the address names, in its order. Each question is given up after this time. */
    public static List<MemberConnection> of(EtcdAddress address, Settings settings, Loop loop, Duration patience) {
        return address.hosts().stream()
                .map(host -> new MemberConnection(host, address, settings, loop, patience))
                .toList();
    }

    /** Which member it is to, as the address names it. */
    public String host() {
        return host.toString();
    }

    /** Asks; always answered. */
    public <Q, R> CompletableFuture<Answer<R>> ask(MethodDescriptor<Q, R> method, Q question) {
        var answer = new CompletableFuture<Answer<R>>();
        loop.execute(() -> whenOpen((failed, to) -> {
            if (to == null) {
                answer.complete(new Answer<>(failed, null));
            } else {
                to.ask(method, question, patience, (status, value) -> {
                    var said = new Answer<R>(status, value);
                    if (said.fault().code() == Code.LOST) {
                        forget(to);
                    }
                    answer.complete(said);
                });
            }
        }));
        return answer;
    }

    /** What else is under way on it goes on. The next question looks the address up again. */
    private void forget(Connection lost) {
        if (connection == lost) {
            connection = null;
            lost.channel().shutdown();
        }
    }

    /** Whether a question was answered so because the servers do not know the user, or the password is wrong. */
    public static boolean refusesUser(Fault fault) {
        return fault.message().contains(Login.REFUSES);
    }

    /** What it tells over HTTP, at its port for clients or another one. Blocks. */
    public Optional<HttpText> http(String path, OptionalInt port) {
        boolean encrypted = secure && port.isEmpty();
        String name = host.name().contains(":") ? "[" + host.name() + "]" : host.name();
        URI from = URI.create((encrypted ? "https" : "http") + "://" + name + ":" + port.orElse(host.port()) + path);
        return HttpText.get(
                from, encrypted ? settings.tls().map(RenewedTls::plainContext) : Optional.empty(), patience);
    }

    /** What is wrong with a member that has answered so. Blocks for a few seconds at most. */
    public Diagnosis diagnosis(Status status) {
        Diagnosis first = Diagnosis.of(host, status, secure);
        return first.kind() == Diagnosis.Kind.HANGS_UP
                ? TlsMismatchProbe.look(host, secure).orElse(first)
                : first;
    }

    /** Ends it. Questions under way fail. On the loop. */
    public void close() {
        if (connection != null) {
            connection.end("the connection was closed");
        }
    }

    private void whenOpen(BiConsumer<Status, @Nullable Connection> then) {
        if (connection != null) {
            then.accept(Status.OK, connection);
            return;
        }
        waiting.add(then);
        if (waiting.size() == 1) {
            AddressResolver.of(host, 0, patience, loop, this::found);
        }
    }

    private void found(Status status, @Nullable InetSocketAddress at) {
        Status how = status;
        if (at != null) {
            try {
                connection = open(at);
            } catch (Throwable broken) {
                how = Status.UNAVAILABLE
                        .withDescription(String.valueOf(broken.getMessage()))
                        .withCause(broken);
            }
        }
        Connection to = connection;
        Status failed = how;
        List<BiConsumer<Status, @Nullable Connection>> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(one -> one.accept(failed, to));
    }

    private Connection open(InetSocketAddress at) {
        // A wrong password is no reason to wait for another one: it is what the question is answered with.
        var login = new Login(settings.user(), refused -> false);
        var channel = Channels.to(host, at, settings.tls().map(RenewedTls::context), patience);
        return new Connection(host, channel, login, loop, (useless, why) -> {});
    }
}

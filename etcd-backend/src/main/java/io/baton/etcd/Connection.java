package io.baton.etcd;

import io.baton.etcd.EtcdAddress.Host;
import io.baton.etcd.EtcdWire.Fault;
import io.baton.spi.Loop;
import io.etcd.jetcd.api.WatchRequest;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/**
 * A channel to one member, and what is under way on it. It is used until it breaks for the first time: the library would
 * mend it, and with it lose track of what was answered by whom.
 */
final class Connection {

    /** Asks a member that has no leader to say so at once, and to end watches when it loses its leader. */
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    /** Told that a member has given an answer which only another member can better. */
    interface Useless {
        void tell(Connection connection, String why);
    }

    private final Host host;
    private final ManagedChannel channel;
    private final Login login;
    private final Loop loop;
    private final Useless useless;
    private final Set<Call<?, ?>> calls = new LinkedHashSet<>();
    private final Set<LiveWatch> watches = new LinkedHashSet<>();
    private boolean ended;

    /** Connects with the first request. */
    Connection(Host host, ManagedChannel channel, Login login, Loop loop, Useless useless) {
        this.host = host;
        this.channel = channel;
        this.login = login;
        this.loop = loop;
        this.useless = useless;
    }

    Host host() {
        return host;
    }

    ManagedChannel channel() {
        return channel;
    }

    Login login() {
        return login;
    }

    Loop loop() {
        return loop;
    }

    /**
     * Asks, and is answered within this time. What is refused for its token alone, and so was not done, is asked once
     * more with another.
     */
    <Q, R> void ask(MethodDescriptor<Q, R> method, Q request, Duration within, Call.Done<R> done) {
        long sent = loop.nanoTime();
        String token = login.token();
        askOnce(method, request, within, (status, answer) -> {
            Duration left = within.minusNanos(loop.nanoTime() - sent);
            if (status.isOk() || !login.helps(Faults.text(status)) || left.isNegative()) {
                done.accept(status, answer);
                return;
            }
            login.renew(token, this, left, how -> {
                Duration rest = within.minusNanos(loop.nanoTime() - sent);
                if (how.isOk() && !ended && !rest.isNegative()) {
                    askOnce(method, request, rest, done);
                } else {
                    done.accept(how.isOk() ? Status.UNAVAILABLE.withDescription("no contact") : how, null);
                }
            });
        });
    }

    /** Asks with the token as it is now. */
    <Q, R> void askOnce(MethodDescriptor<Q, R> method, Q request, Duration within, Call.Done<R> done) {
        var call = new Call<Q, R>(this, method, within, done);
        calls.add(call);
        call.send(request, headers());
    }

    LiveWatch watch(WatchRequest request, Duration within, EtcdWire.Watcher to) {
        var watch = new LiveWatch(this, request, within, to);
        watches.add(watch);
        watch.start();
        return watch;
    }

    /** Runs this once when the transport, which is there now, breaks. */
    void onBreak(Runnable broken) {
        channel.notifyWhenStateChanged(ConnectivityState.READY, () -> deliver(broken));
    }

    /** Ends it, and all that is under way. */
    void end(String why) {
        ended = true;
        Status status = Status.UNAVAILABLE.withDescription(why);
        List.copyOf(calls).forEach(call -> call.abandon(status));
        List.copyOf(watches).forEach(watch -> watch.abandon(why));
        channel.shutdownNow();
    }

    /** Ends it, and tells nobody, also if it is about to tell that it ends. */
    void drop() {
        ended = true;
        List.copyOf(calls).forEach(Call::close);
        List.copyOf(watches).forEach(LiveWatch::close);
        channel.shutdownNow();
    }

    /** From the library's threads to the loop. */
    void deliver(Runnable task) {
        try {
            loop.deliver(() -> {
                if (!ended) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException closed) {
            // The coordinator has gone, and with it everybody who could care, or end the channel.
            channel.shutdownNow();
        }
    }

    void ended(Call<?, ?> call) {
        calls.remove(call);
    }

    void ended(LiveWatch watch) {
        watches.remove(watch);
    }

    /** What was answered, for whether this member is of any use. */
    void heard(Fault fault) {
        if (!ended && Faults.useless(fault.message())) {
            useless.tell(this, host + " says " + fault.message());
        }
    }

    /** What every request says beside itself. */
    Metadata headers() {
        var headers = new Metadata();
        headers.put(HAS_LEADER, "true");
        login.sign(headers);
        return headers;
    }
}

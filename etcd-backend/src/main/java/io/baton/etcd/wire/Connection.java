package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.spi.Loop;
import io.etcd.jetcd.api.WatchCreateRequest;
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

    /** So many tokens a request is asked again with; each change of what users may do can end one. */
    private static final int TOKENS = 5;

    /** Told that a member has given an answer which only another member can better. */
    interface Useless {
        void onUseless(Connection connection, String why);
    }

    private final Host host;
    private final ManagedChannel channel;
    private final Login login;
    private final Loop loop;
    private final Useless useless;
    private final Set<Call<?, ?>> calls = new LinkedHashSet<>();
    private final WatchStreams watches = new WatchStreams(this);
    private boolean foundUseless;
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
     * Asks, and is answered within this time. What is refused for its token alone, and so was not done, is asked again
     * with another; if that is so again and again, or time runs out, there is no answer, as the refusal says nothing about
     * what this client may do.
     */
    <Q, R> void ask(MethodDescriptor<Q, R> method, Q request, Duration within, Call.Done<R> done) {
        ask(method, request, within, within, TOKENS, done);
    }

    private <Q, R> void ask(
            MethodDescriptor<Q, R> method,
            Q request,
            Duration patience,
            Duration within,
            int tokens,
            Call.Done<R> done) {
        long sent = loop.nanoTime();
        String token = login.token();
        askOnce(method, request, within, (status, answer) -> {
            if (status.isOk() || !login.newTokenHelps(ErrorClassifier.text(status), token)) {
                done.accept(status, answer);
                return;
            }
            Duration left = within.minusNanos(loop.nanoTime() - sent);
            if (tokens == 0 || left.isNegative()) {
                done.accept(
                        Status.UNAVAILABLE.withDescription("no valid token in time: " + ErrorClassifier.text(status)),
                        null);
                return;
            }
            // Others wait for it, too, who have more time.
            login.renew(token, this, patience, how -> {
                Duration rest = within.minusNanos(loop.nanoTime() - sent);
                if (how.isOk() && !ended && !rest.isNegative()) {
                    ask(method, request, patience, rest, tokens - 1, done);
                } else {
                    done.accept(how.isOk() ? Status.UNAVAILABLE.withDescription("no contact") : how, null);
                }
            });
        });
    }

    /** Asks with the token as it is now. */
    private <Q, R> void askOnce(MethodDescriptor<Q, R> method, Q request, Duration within, Call.Done<R> done) {
        send(method, request, headers(), within, done);
    }

    /** Asks for a token: without one, as servers of 3.4 refuse that, too, with one that they do not know any more. */
    <Q, R> void askWithoutToken(MethodDescriptor<Q, R> method, Q request, Duration within, Call.Done<R> done) {
        send(method, request, unsigned(), within, done);
    }

    private <Q, R> void send(
            MethodDescriptor<Q, R> method, Q request, Metadata headers, Duration within, Call.Done<R> done) {
        var call = new Call<Q, R>(this, method, within, done);
        calls.add(call);
        call.send(request, headers);
    }

    LiveWatch watch(WatchCreateRequest request, Duration within, EtcdWire.Watcher to) {
        var watch = new LiveWatch(this, watches, request, within, to);
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
        watches.abandon(why);
        channel.shutdownNow();
    }

    /** Ends it, and tells nobody, also if it is about to tell that it ends. */
    void drop() {
        ended = true;
        List.copyOf(calls).forEach(Call::close);
        watches.close();
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

    /** What was answered, for whether this member is of any use; the first such answer is enough. */
    void onFault(Fault fault) {
        if (!ended && !foundUseless && ErrorClassifier.useless(fault.message())) {
            foundUseless = true;
            useless.onUseless(this, host + " says " + fault.message());
        }
    }

    /** The servers do not know us any more; it is told once. */
    void loginRefused(String why) {
        if (!ended && !foundUseless) {
            foundUseless = true;
            useless.onUseless(this, why);
        }
    }

    /** What every request says beside itself. */
    Metadata headers() {
        Metadata headers = unsigned();
        login.sign(headers);
        return headers;
    }

    private static Metadata unsigned() {
        var headers = new Metadata();
        headers.put(HAS_LEADER, "true");
        return headers;
    }
}

package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.spi.Loop;
import io.baton.spi.support.RunAll;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/**
 * A channel to one member, with the requests in flight on it. It is used until it breaks for the first time. If the
 * library reconnected it, the wire could not attribute answers to members.
 */
final class Connection {

    /** Makes a member without a leader report that at once, and end its watches when it loses its leader. */
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    /** The number of tokens with which a request is repeated. Each change of the users' permissions can end one. */
    private static final int TOKENS = 5;

    /** Called when a member's answer shows that only another member can serve. */
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
     * Sends a request and passes on its answer within this time. A request refused only for its token was not applied,
     * and is repeated with another token. After several refusals, or when time runs out, it fails as unavailable: the
     * refusal does not concern this client's permissions.
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
            // Other requests, with more time left, wait for the token, too.
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

    /** Sends with the current token. */
    private <Q, R> void askOnce(MethodDescriptor<Q, R> method, Q request, Duration within, Call.Done<R> done) {
        send(method, request, headers(), within, done);
    }

    /** Requests a token, without the current one: servers of 3.4 refuse even this request with an unknown token. */
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

    /** Runs this once when the open transport breaks. */
    void onBreak(Runnable broken) {
        channel.notifyWhenStateChanged(ConnectivityState.READY, () -> deliver(broken));
    }

    /** Ends the connection. All its calls and watches end as lost. */
    void end(String why) {
        ended = true;
        Status status = Status.UNAVAILABLE.withDescription(why);
        var steps = new ArrayList<Runnable>();
        List.copyOf(calls).forEach(call -> steps.add(() -> call.abandon(status)));
        steps.add(() -> watches.abandon(why));
        steps.add(channel::shutdownNow);
        RunAll.all(steps);
    }

    /** Ends the connection without callbacks, even if an end is in progress. */
    void drop() {
        ended = true;
        List.copyOf(calls).forEach(Call::close);
        watches.close();
        channel.shutdownNow();
    }

    /** Passes a task from the library's threads to the loop. */
    void deliver(Runnable task) {
        try {
            loop.deliver(() -> {
                if (!ended) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException closed) {
            // The coordinator has been closed, so the channel is not needed any more.
            channel.shutdownNow();
        }
    }

    void ended(Call<?, ?> call) {
        calls.remove(call);
    }

    /** Checks whether a failure shows that this member cannot serve. Only the first such failure is reported. */
    void onFault(Fault fault) {
        if (!ended && !foundUseless && ErrorClassifier.useless(fault.message())) {
            foundUseless = true;
            useless.onUseless(this, host + " says " + fault.message());
        }
    }

    /** The servers refuse the user or its password. Reported once. */
    void loginRefused(String why) {
        if (!ended && !foundUseless) {
            foundUseless = true;
            useless.onUseless(this, why);
        }
    }

    /** The headers of every request. */
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

package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Secret;
import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.spi.Loop;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is refused for its token, and when the loop comes to look at the answers: a machine that has too much to do finds
 * that time has run out with the answer beside it.
 */
class ConnectionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Of a request without a token: the certificate's user may not, or there is none. Of one with a token: it is stale. */
    private static final List<Status> REFUSALS = List.of(
            Status.PERMISSION_DENIED.withDescription("etcdserver: permission denied"),
            Status.INVALID_ARGUMENT.withDescription("etcdserver: user name is empty"),
            Status.UNAUTHENTICATED.withDescription("etcdserver: invalid auth token"));

    private static final Status DENIED = REFUSALS.get(0);
    private static final Status NOBODY = REFUSALS.get(1);
    private static final Status STALE = REFUSALS.get(2);

    private final BusyLoop loop = new BusyLoop();
    private final HandChannel channel = new HandChannel();
    private final List<Status> told = new ArrayList<>();
    private final List<CoordinationException> refused = new ArrayList<>();
    private final Login login = new Login(Optional.of(new Login.User("app", Secret.of("swordfish"))), refused::add);
    private final Connection connection =
            new Connection(new Host("nowhere", 1), channel, login, loop, (which, why) -> {});

    @Test
    void ask_refusedForWantOfAToken_isAskedAgainWithOne() {
        ask();
        answer(NOBODY, null);
        answer(Status.OK, token("t1"));
        assertThat(channel.asked).containsExactly("Range", "Authenticate", "Range with t1");

        answer(Status.OK, RangeResponse.getDefaultInstance());

        assertThat(told).containsExactly(Status.OK);
    }

    @Test
    void ask_refusedWithAToken_isRefused() {
        ask();
        answer(NOBODY, null);
        answer(Status.OK, token("t1"));

        answer(DENIED, null);

        assertThat(told).containsExactly(DENIED);
        assertThat(channel.asked).hasSize(3);
    }

    @Test
    void ask_refusalForWantOfATokenIsLookedAtTooLate_isNoAnswerAndNoLogin() {
        for (Status refusal : REFUSALS) {
            ask();
            answerSeenLate(refusal, null);

            assertNoAnswer();
            assertThat(channel.asked).containsExactly("Range");
            channel.asked.clear();
            told.clear();
        }
    }

    @Test
    void ask_tokenIsLookedAtTooLate_isNoAnswerAndNotAskedAgain() {
        ask();
        answer(NOBODY, null);
        answerSeenLate(Status.OK, token("t1"));

        assertNoAnswer();
        assertThat(channel.asked).containsExactly("Range", "Authenticate");
    }

    @Test
    void ask_refusedWithOneTokenAfterTheOther_isNoAnswer() {
        ask();
        answer(NOBODY, null);
        for (int i = 1; told.isEmpty() && i < 20; i++) {
            answer(Status.OK, token("t" + i));
            answer(STALE, null);
        }

        assertNoAnswer();
        assertThat(channel.asked).endsWith("Authenticate", "Range with t5");
    }

    @Test
    void end_aCallbackThrows_theOthersAreAnsweredAllTheSame() {
        connection.ask(KVGrpc.getRangeMethod(), ProtoCodec.range(Range.key("/app/a")), PATIENCE, (status, answer) -> {
            throw new IllegalStateException("broken on purpose");
        });
        ask();

        assertThatThrownBy(() -> connection.end("broken")).isInstanceOf(IllegalStateException.class);

        assertNoAnswer();
        assertThat(channel.shutDown).isTrue();
    }

    private void assertNoAnswer() {
        assertThat(refused).isEmpty();
        assertThat(told).hasSize(1);
        assertThat(ErrorClassifier.of(told.get(0)).code()).isEqualTo(Code.LOST);
        for (boolean user : List.of(true, false)) {
            var first = new ConnectFailurePolicy(EtcdAddress.parse(URI.create("etcd://nowhere/app")), user);
            assertThat(first.denied(told.get(0))).as("a reason to give up").isEmpty();
        }
    }

    private void ask() {
        connection.ask(
                KVGrpc.getRangeMethod(),
                ProtoCodec.range(Range.key("/app/a")),
                PATIENCE,
                (status, answer) -> told.add(status));
    }

    private void answer(Status status, @Nullable Object answer) {
        channel.answer(status, answer);
        loop.run();
    }

    /** It is there in time, but the loop has other things to do until time has run out. */
    private void answerSeenLate(Status status, @Nullable Object answer) {
        channel.answer(status, answer);
        loop.now += PATIENCE.toNanos() + 1;
        loop.run();
    }

    private static AuthenticateResponse token(String token) {
        return AuthenticateResponse.newBuilder().setToken(token).build();
    }

    /** Runs what it was given when the test says so. It never comes to its timers. */
    private static final class BusyLoop implements Loop {

        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private long now = 1_000_000_000;

        void run() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long wallMillis() {
            return now / 1_000_000;
        }

        @Override
        public long randomLong() {
            return 4;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            return () -> {};
        }
    }

    /** A channel to a member whose every word is the test's. */
    private static final class HandChannel extends ManagedChannel {

        private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

        /** What was asked, and with which token. */
        private final List<String> asked = new ArrayList<>();

        private final Deque<HandCall<?, ?>> open = new ArrayDeque<>();
        private boolean shutDown;

        /** Answers the oldest request. */
        void answer(Status status, @Nullable Object answer) {
            open.remove().answer(status, answer);
        }

        @Override
        public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
            return new HandCall<>(this, method);
        }

        @Override
        public String authority() {
            return "nowhere";
        }

        @Override
        public ManagedChannel shutdown() {
            return this;
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public ManagedChannel shutdownNow() {
            shutDown = true;
            return this;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }

    /** One request. */
    private static final class HandCall<Q, R> extends ClientCall<Q, R> {

        private final HandChannel channel;
        private final MethodDescriptor<Q, R> method;
        private @Nullable Listener<R> listener;

        HandCall(HandChannel channel, MethodDescriptor<Q, R> method) {
            this.channel = channel;
            this.method = method;
        }

        @SuppressWarnings("unchecked") // the test answers what was asked
        void answer(Status status, @Nullable Object answer) {
            if (answer != null) {
                listener.onMessage((R) answer);
            }
            listener.onClose(status, new Metadata());
        }

        @Override
        public void start(Listener<R> to, Metadata headers) {
            listener = to;
            String token = headers.get(HandChannel.TOKEN);
            channel.asked.add(method.getBareMethodName() + (token == null ? "" : " with " + token));
            channel.open.add(this);
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
    }
}

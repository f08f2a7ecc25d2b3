package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.MemberConnection.Answer;
import io.baton.spi.EventLoop;
import io.baton.spi.Loop;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MemberConnectionTest {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final AtomicInteger timers = new AtomicInteger();
    private final EventLoop loop = new EventLoop("member-connection");

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void ask_nameThatWasNotKnown_isLookedUpAgain() throws Exception {
        MemberConnection member = to("etcd://no-such-host.invalid:1");
        assertThat(ask(member).fault().code()).isEqualTo(Code.LOST);
        int once = timers.get();
        assertThat(ask(member).fault().code()).isEqualTo(Code.LOST);
        assertThat(timers.get()).as("limits of lookups").isEqualTo(2 * once).isPositive();
    }

    @Test
    void ask_connectionThatCannotBeMade_isAnsweredAndTheNextOneToo() throws Exception {
        // More milliseconds than can be counted.
        MemberConnection member = to("etcd://127.0.0.1:1", Duration.ofSeconds(Long.MAX_VALUE));
        for (int i = 0; i < 2; i++) {
            Answer<StatusResponse> answer = ask(member);
            assertThat(answer.fault().code()).isEqualTo(Code.LOST);
            assertThat(answer.fault().message()).contains("overflow");
        }
    }

    @Test
    void close_questionsUnderWay_fail() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            MemberConnection member = to("etcd://127.0.0.1:" + silent.getLocalPort(), Duration.ofSeconds(50));
            CompletableFuture<Answer<StatusResponse>> answer =
                    member.ask(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance());
            silent.accept();
            loop.execute(member::close);
            assertThat(answer.get(30, TimeUnit.SECONDS).fault().message()).isEqualTo("the connection was closed");
        }
    }

    private Answer<StatusResponse> ask(MemberConnection member) throws Exception {
        CompletableFuture<Answer<StatusResponse>> answer =
                member.ask(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance());
        return answer.get(30, TimeUnit.SECONDS);
    }

    private MemberConnection to(String uri) {
        return to(uri, Duration.ofSeconds(5));
    }

    private MemberConnection to(String uri, Duration patience) {
        EtcdAddress address = EtcdAddress.parse(URI.create(uri));
        return MemberConnection.of(address, Settings.NONE, counting(), patience).get(0);
    }

    /** The loop, with its timers counted, none of which waits for long. */
    private Loop counting() {
        return new ForwardingLoop(loop) {

            @Override
            public Timer after(Duration delay, Runnable task) {
                timers.incrementAndGet();
                return super.after(delay.compareTo(LONGEST) < 0 ? delay : LONGEST, task);
            }
        };
    }
}

package io.baton.etcd.inspect;

import io.baton.etcd.wire.Diagnosis;
import io.baton.etcd.wire.MemberConnection;
import io.baton.etcd.wire.MemberConnection.Answer;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.support.HttpText;
import io.baton.spi.support.ParallelCalls;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Queries members about themselves, all at the same time. Blocks. */
public final class MemberInquiry {

    private static final String THREAD = "baton-etcd-inspection";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private MemberInquiry() {}

    /** Returns the facts of each member; {@code metricsPort} is the port of their metrics, if not the client port. */
    public static List<MemberFacts> facts(List<MemberConnection> members, OptionalInt metricsPort)
            throws InterruptedException {
        return ParallelCalls.map(members, THREAD, member -> facts(member, metricsPort));
    }

    private static MemberFacts facts(MemberConnection member, OptionalInt metricsPort) {
        Answer<StatusResponse> first = status(member);
        if (first.value() == null) {
            Diagnosis why = member.diagnosis(first.status());
            return new MemberFacts(
                    member.host(),
                    Optional.of(why),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        // Measured the second time, on an open connection.
        long sent = System.nanoTime();
        Answer<StatusResponse> second = status(member);
        Duration took = Duration.ofNanos(System.nanoTime() - sent);
        return new MemberFacts(
                member.host(),
                Optional.empty(),
                Optional.of(first.value()),
                second.value() == null ? Optional.empty() : Optional.of(took),
                member.http("/metrics", metricsPort).map(HttpText::text).map(MetricsText::parse),
                clock(member));
    }

    private static Answer<StatusResponse> status(MemberConnection member) {
        return member.ask(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance())
                .join();
    }

    /** The date of its answers is truncated to seconds. */
    private static Optional<ClockReading> clock(MemberConnection member) {
        long before = System.currentTimeMillis();
        Optional<HttpText> answer = member.http("/version", OptionalInt.empty());
        long after = System.currentTimeMillis();
        return answer.flatMap(HttpText::date)
                .map(date -> new ClockReading(
                        member.host(),
                        Duration.ofMillis(date.toEpochMilli() + SECOND.toMillis() / 2 - (before + after) / 2),
                        Duration.ofMillis((SECOND.toMillis() + after - before) / 2 + 1)));
    }
}

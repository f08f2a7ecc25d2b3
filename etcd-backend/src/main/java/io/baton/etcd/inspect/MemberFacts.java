package io.baton.etcd.inspect;

import io.baton.etcd.wire.Diagnosis;
import io.baton.spi.inspect.ClockReading;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * The facts that one member reports about itself.
 *
 * @param server its address in the store's URI
 * @param trouble why it gives no contact; empty if it does
 * @param status its state; empty without contact
 * @param roundTrip the time of a request and its answer
 * @param metrics its metrics; empty if they cannot be read
 * @param clock a reading of its clock; empty if it cannot be read
 */
public record MemberFacts(
        String server,
        Optional<Diagnosis> trouble,
        Optional<StatusResponse> status,
        Optional<Duration> roundTrip,
        Optional<MetricsText> metrics,
        Optional<ClockReading> clock) {

    /** Whether it is an etcd member, even one that does not serve now. */
    public boolean isEtcd() {
        return trouble.filter(why -> why.kind() != Diagnosis.Kind.AILING).isEmpty();
    }

    /** Whether it answers but has no leader. */
    boolean leaderless() {
        return trouble.filter(why -> why.text().endsWith("says etcdserver: no leader"))
                .isPresent();
    }

    /** Returns the role that it reports: {@code leader}, {@code follower} or {@code learner}; empty without contact. */
    public Optional<String> role() {
        return status.map(says -> says.getIsLearner()
                ? "learner"
                : says.getLeader() == says.getHeader().getMemberId() ? "leader" : "follower");
    }

    /** Returns its version; empty if unknown. */
    public Optional<String> version() {
        return status.map(StatusResponse::getVersion).filter(text -> !text.isEmpty());
    }
}

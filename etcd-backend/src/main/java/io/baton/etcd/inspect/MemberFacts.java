package io.baton.etcd.inspect;

import io.baton.etcd.wire.Diagnosis;
import io.baton.spi.inspect.ClockReading;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * What one member tells of itself.
 *
 * @param server its address, as the store's URI names it
 * @param trouble why it gives no contact; empty if it does
 * @param status its state; empty without contact
 * @param roundTrip how long a question and its answer took
 * @param metrics what it counts; empty if it does not tell
 * @param clock what its clock shows; empty if it does not tell
 */
public record MemberFacts(
        String server,
        Optional<Diagnosis> trouble,
        Optional<StatusResponse> status,
        Optional<Duration> roundTrip,
        Optional<MetricsText> metrics,
        Optional<ClockReading> clock) {

    /** Whether it is an etcd, if perhaps one that does not serve now. */
    public boolean isEtcd() {
        return trouble.filter(why -> why.kind() != Diagnosis.Kind.AILING).isEmpty();
    }

    /** Whether it answers, but knows no leader. */
    boolean leaderless() {
        return trouble.filter(why -> why.text().endsWith("says etcdserver: no leader"))
                .isPresent();
    }

    /** What it is in its cluster, by its own word. */
    public Optional<String> role() {
        return status.map(says -> says.getIsLearner()
                ? "learner"
                : says.getLeader() == says.getHeader().getMemberId() ? "leader" : "follower");
    }

    /** Which version it runs. */
    public Optional<String> version() {
        return status.map(StatusResponse::getVersion).filter(text -> !text.isEmpty());
    }
}

package io.baton.zookeeper.inspect;

import io.baton.zookeeper.wire.Diagnosis;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The facts that one server reports about itself.
 *
 * @param server its address in the store's URI
 * @param trouble why it gives no contact; empty if it does
 * @param srvr its answer to {@code srvr}
 * @param conf its configuration
 * @param packet the largest packet that it is known to read, in bytes
 * @param shortest the shortest session timeout that it grants
 * @param longest the longest session timeout that it grants
 */
public record ServerFacts(
        String server,
        Optional<Diagnosis> trouble,
        Optional<SrvrAnswer> srvr,
        Optional<ServerConf> conf,
        OptionalInt packet,
        Optional<Duration> shortest,
        Optional<Duration> longest) {

    /** Whether it gives contact. */
    public boolean serves() {
        return trouble.isEmpty();
    }

    /** Whether it is a ZooKeeper, even one that does not serve now. */
    public boolean isZooKeeper() {
        return serves() || trouble.get().kind() == Diagnosis.Kind.AILING;
    }

    /** Returns the tickTime implied by its session limits, which are 2 and 20 ticks unless configured. */
    Optional<Duration> likelyTick() {
        return shortest.filter(
                        least -> longest.filter(least.multipliedBy(10)::equals).isPresent())
                .map(least -> least.dividedBy(2));
    }
}

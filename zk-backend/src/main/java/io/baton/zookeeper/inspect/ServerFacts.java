package io.baton.zookeeper.inspect;

import io.baton.zookeeper.wire.Diagnosis;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What one server tells of itself.
 *
 * @param server its address, as the store's URI names it
 * @param trouble why it gives no contact; empty if it does
 * @param srvr what it says to {@code srvr}
 * @param conf what it tells of its configuration
 * @param packet the largest packet that it is known to read
 * @param shortest the shortest session timeout that it grants
 * @param longest the longest one
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

    /** Whether it is a ZooKeeper, if perhaps one that does not serve now. */
    public boolean isZooKeeper() {
        return serves() || trouble.get().kind() == Diagnosis.Kind.AILING;
    }

    /** Whether it is no member of an ensemble, by its own word. */
    boolean isStandalone() {
        return srvr.filter(says -> says.mode().equals("standalone")).isPresent();
    }

    /** The timeout that it grants to a session that asks for this one; empty if its limits are not known. */
    Optional<Duration> granted(Duration asked) {
        return shortest.flatMap(least -> longest.map(most -> {
            Duration raised = asked.compareTo(least) < 0 ? least : asked;
            return raised.compareTo(most) > 0 ? most : raised;
        }));
    }

    /** The tickTime that its session limits suggest: they are 2 and 20 ticks, unless they are set. */
    Optional<Duration> likelyTick() {
        return shortest.filter(
                        least -> longest.filter(least.multipliedBy(10)::equals).isPresent())
                .map(least -> least.dividedBy(2));
    }
}

package io.baton.zookeeper.inspect;

import org.apache.zookeeper.StatsTrack;

/**
 * A quota, and what is used of it. A limit of -1 is none.
 *
 * @param path which node it is set on
 * @param limits how many nodes, and how many bytes, it and all below it may have
 * @param used how many they have
 */
public record QuotaState(String path, StatsTrack limits, StatsTrack used) {

    /** Whether servers that enforce quotas refuse what goes beyond it; of others the server's log tells only. */
    boolean hard() {
        return limits.getCountHardLimit() >= 0 || limits.getByteHardLimit() >= 0;
    }

    /** How much of it is used; of several limits, of that of which most is. */
    double share() {
        return Math.max(
                Math.max(share(used.getCount(), limits.getCount()), share(used.getCount(), limits.getCountHardLimit())),
                Math.max(share(used.getBytes(), limits.getBytes()), share(used.getBytes(), limits.getByteHardLimit())));
    }

    /** How much of the hard limits is used. */
    double hardShare() {
        return Math.max(
                share(used.getCount(), limits.getCountHardLimit()), share(used.getBytes(), limits.getByteHardLimit()));
    }

    @Override
    public String toString() {
        return (path.isEmpty() ? "/" : path) + " has " + used.getCount() + " nodes with " + used.getBytes()
                + " bytes, of "
                + text(limits.getCount(), limits.getCountHardLimit()) + " nodes and "
                + text(limits.getBytes(), limits.getByteHardLimit()) + " bytes";
    }

    private static double share(long used, long limit) {
        return limit < 0 ? 0 : limit == 0 ? 1 : (double) used / limit;
    }

    private static String text(long soft, long hard) {
        return hard >= 0 ? hard + " (hard)" : soft >= 0 ? String.valueOf(soft) : "any number of";
    }
}

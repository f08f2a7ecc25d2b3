package io.baton.zookeeper.inspect;

import org.apache.zookeeper.StatsTrack;

/**
 * A quota and its usage. A limit of -1 is none.
 *
 * @param path the node that it is set on
 * @param limits the limits of nodes and bytes, for the node and all below it
 * @param used the nodes and bytes in use
 */
public record QuotaState(String path, StatsTrack limits, StatsTrack used) {

    /**
     * Whether servers that enforce quotas refuse requests beyond it. Other quotas only cause a line in the server's
     * log.
     */
    boolean hard() {
        return limits.getCountHardLimit() >= 0 || limits.getByteHardLimit() >= 0;
    }

    /** Returns the used share; of several limits, the largest share. */
    double share() {
        return Math.max(
                Math.max(share(used.getCount(), limits.getCount()), share(used.getCount(), limits.getCountHardLimit())),
                Math.max(share(used.getBytes(), limits.getBytes()), share(used.getBytes(), limits.getByteHardLimit())));
    }

    /** Returns the used share of the hard limits. */
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

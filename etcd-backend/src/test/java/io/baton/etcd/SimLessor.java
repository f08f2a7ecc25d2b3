package io.baton.etcd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The clock of the leases, as one member keeps it while it takes itself for the leader. */
final class SimLessor {

    private static final long RETRY = 3_000_000_000L;

    private final SimMember member;
    private final Map<Long, Long> expiries = new TreeMap<>();
    private final Map<Long, Long> revoking = new TreeMap<>();
    private final Map<Long, List<Runnable>> waiting = new TreeMap<>();
    private boolean primary;

    SimLessor(SimMember member) {
        this.member = member;
    }

    boolean primary() {
        return primary;
    }

    /** Every lease is given its full time, and a little more. */
    void promote(long extend) {
        primary = true;
        expiries.clear();
        revoking.clear();
        member.store().leases().forEach((lease, ttl) -> expiries.put(lease, member.clock() + ttl.toNanos() + extend));
    }

    void demote() {
        primary = false;
        expiries.clear();
        revoking.clear();
        var all = new ArrayList<Runnable>();
        waiting.values().forEach(all::addAll);
        waiting.clear();
        all.forEach(Runnable::run);
    }

    void granted(long lease, long ttl) {
        if (primary) {
            expiries.put(lease, member.clock() + ttl);
        }
    }

    void revoked(long lease) {
        expiries.remove(lease);
        revoking.remove(lease);
        List<Runnable> waited = waiting.remove(lease);
        if (waited != null) {
            waited.forEach(Runnable::run);
        }
    }

    /** Whether, by this clock, the lease has time left. */
    boolean lives(long lease) {
        return expiries.getOrDefault(lease, Long.MIN_VALUE) > member.clock();
    }

    /** Gives it its full time anew, if it has not expired; if it has, {@code again} runs once that has been settled. */
    boolean renew(long lease, Runnable again) {
        if (lives(lease)) {
            expiries.put(
                    lease, member.clock() + member.store().leases().get(lease).toNanos());
            return true;
        }
        waiting.computeIfAbsent(lease, any -> new ArrayList<>()).add(again);
        return false;
    }

    /** Whose time has come, and whose revocation has not been asked for lately. */
    List<Long> due() {
        long now = member.clock();
        List<Long> due = expiries.keySet().stream()
                .filter(lease -> !lives(lease) && revoking.getOrDefault(lease, now) <= now)
                .toList();
        due.forEach(lease -> revoking.put(lease, now + RETRY));
        return due;
    }
}

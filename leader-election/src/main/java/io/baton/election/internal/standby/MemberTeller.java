package io.baton.election.internal.standby;

import io.baton.election.StandbyMember;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Membership;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a node's state to the store, for people. Each change is published soon. A mere change in a problem's
 * wording is published at intervals, as it may change each time. Nothing waits for it. On the loop.
 */
final class MemberTeller {

    /** The interval at which the same problem may be published in other words. */
    static final Duration QUIET = Duration.ofSeconds(10);

    private final Membership presence;
    private final ClientLoop loop;
    private final Supplier<StandbyMember> present;
    private Loop.Timer later = () -> {};
    private boolean over;
    private long toldAt;
    private @Nullable StandbyMember told;

    /**
     * Publishes nothing yet.
     *
     * @param present the node's state at this moment
     */
    MemberTeller(Membership presence, ClientLoop loop, Supplier<StandbyMember> present) {
        this.presence = presence;
        this.loop = loop;
        this.present = present;
    }

    /** Handles a possible change. */
    void update() {
        if (over) {
            return;
        }
        later.cancel();
        StandbyMember now = present.get();
        StandbyMember before = told;
        if (before == null || !differInWordsOnly(now, before)) {
            publish(now);
        } else if (!now.trouble().equals(before.trouble())) {
            Duration rest = QUIET.minusNanos(loop.nanoTime() - toldAt);
            if (rest.isNegative() || rest.isZero()) {
                publish(now);
            } else {
                later = loop.after(rest, this::update);
            }
        }
    }

    /** Returns whether both are equal, except for wording and time. */
    private static boolean differInWordsOnly(StandbyMember one, StandbyMember other) {
        return withoutWords(one).equals(withoutWords(other));
    }

    private static List<Object> withoutWords(StandbyMember member) {
        return List.of(
                member.id(),
                member.run(),
                member.address(),
                member.priority(),
                member.state(),
                member.readiness(),
                member.health(),
                member.again(),
                member.trouble().isPresent());
    }

    private void publish(StandbyMember now) {
        told = now;
        toldAt = loop.nanoTime();
        presence.publish(MemberText.encode(now));
    }

    /** Removes the closed node from view. */
    void end() {
        over = true;
        later.cancel();
        var unused = presence.close();
    }
}

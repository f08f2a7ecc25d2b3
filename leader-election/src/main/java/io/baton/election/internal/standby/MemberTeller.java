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
 * Tells the store how a node does, for people who look: each change soon, and mere words about a trouble, which may be
 * others each time, now and then. Nothing waits for it. On the loop.
 */
final class MemberTeller {

    /** How long the same trouble is not told in other words. */
    static final Duration QUIET = Duration.ofSeconds(10);

    private final Membership presence;
    private final ClientLoop loop;
    private final Supplier<StandbyMember> present;
    private Loop.Timer later = () -> {};
    private boolean over;
    private long toldAt;
    private @Nullable StandbyMember told;

    /**
     * Tells nothing yet.
     *
     * @param present how the node does at this moment
     */
    MemberTeller(Membership presence, ClientLoop loop, Supplier<StandbyMember> present) {
        this.presence = presence;
        this.loop = loop;
        this.present = present;
    }

    /** Something may have changed. */
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

    /** Whether both say the same, but for what may differ each time. */
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

    /** The node is closed, and is not to be seen any more. */
    void end() {
        over = true;
        later.cancel();
        var unused = presence.close();
    }
}

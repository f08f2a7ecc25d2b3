package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.spi.Claim;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Removes own entries that nobody wants: those whose removal the store has forgotten. */
final class UnwantedEntries {

    private final KernelSession session;
    private final Map<String, Removal> removals = new LinkedHashMap<>();
    private int contacts;

    UnwantedEntries(KernelSession session) {
        this.session = session;
    }

    /** A contact has begun, and these stand. */
    void settle(Collection<Standing> unwanted) {
        contacts++;
        Map<String, Removal> before = new LinkedHashMap<>(removals);
        removals.clear();
        for (Standing entry : unwanted) {
            Removal known = before.get(entry.name());
            removals.put(entry.name(), known == null ? new Removal(entry) : known);
        }
        before.values().stream()
                .filter(removal -> !removals.containsValue(removal))
                .forEach(Removal::removed);
        List.copyOf(removals.values()).forEach(Removal::send);
    }

    private final class Removal implements Departures.Leaver {

        private final Departure entry;
        private final RepeatedRefusal refusal;
        private int attempts;

        Removal(Standing standing) {
            entry = new Departure(standing.line(), standing.name(), standing.token(), Claim.EXCLUSIVE);
            refusal = session.repeatedRefusal("Cannot remove an entry in " + standing.line());
        }

        void send() {
            session.departures().add(entry, this);
        }

        @Override
        public void removed() {
            removals.remove(entry.name());
            refusal.resolved();
        }

        @Override
        public void busy() {
            attempts++;
            sendAfter(Pauses.before(attempts, session.loop()));
        }

        @Override
        public void removalRefused(CoordinationException why) {
            attempts++;
            refusal.refused(String.valueOf(why.getMessage()));
            sendAfter(Pauses.afterRefusals(attempts, session.loop()));
        }

        /** In this contact; the next one begins anew. */
        private void sendAfter(Duration pause) {
            int own = contacts;
            session.loop().after(pause, () -> {
                if (own == contacts) {
                    send();
                }
            });
        }
    }
}

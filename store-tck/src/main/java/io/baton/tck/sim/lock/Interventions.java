package io.baton.tck.sim.lock;

/** Receives interventions by hand in a simulated run, for the checks to consider. */
public interface Interventions {

    /** Ignores all interventions. */
    Interventions NONE = new Interventions() {
        @Override
        public void deletedByHand(long token) {}

        @Override
        public void endingByHand(long session) {}

        @Override
        public void endedByHand(long session) {}

        @Override
        public boolean valid(long token) {
            return false;
        }
    };

    /** This entry is about to be deleted. */
    void deletedByHand(long token);

    /** The store was asked to end this session. Its owner may learn of that before the entries go. */
    void endingByHand(long session);

    /** This session is about to end, with all its entries. */
    void endedByHand(long session);

    /** Whether a valid hold has this token. */
    boolean valid(long token);
}

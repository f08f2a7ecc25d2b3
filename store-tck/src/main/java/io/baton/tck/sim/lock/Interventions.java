package io.baton.tck.sim.lock;

/** What somebody does by hand in a simulated run, to be known to those who judge it. */
public interface Interventions {

    /** Of nobody's concern. */
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

    /** Somebody is about to delete this entry. */
    void deletedByHand(long token);

    /** Somebody has asked the store to end this session. Its owner may be told before the entries go. */
    void endingByHand(long session);

    /** Somebody is about to end this session, and all its entries with it. */
    void endedByHand(long session);

    /** Whether somebody holds validly with this token. */
    boolean valid(long token);
}

package io.baton.election;

/** The work of a node that becomes active or stops being active. */
@FunctionalInterface
public interface StandbyHook {

    /**
     * Called on a thread of its own; never while another hook or the fencer of the same node runs. When its budget is
     * used up, or it is to be given up, it is interrupted, and has to return.
     *
     * @param leadership the term; its guard is what writes of the active carry
     * @throws Exception if it has failed: a promotion is then taken back, and after a demotion the node counts as one
     *     that has not gone cleanly
     */
    void run(Leadership leadership) throws Exception;
}

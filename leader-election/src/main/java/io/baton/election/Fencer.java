package io.baton.election;

/**
 * Stops a former active node for certain, by cutting its power, its network, or its access to the data. That node may
 * have run on this machine, which a restarted process must not switch off; compare the address.
 */
@FunctionalInterface
public interface Fencer {

    /**
     * Fences. Returns only when the former active node is certain to have stopped. Runs on a thread of its own before
     * promotion, and again after a failure or a promotion that did not come about, so it must be safe to repeat. It is
     * interrupted when its budget is used up.
     *
     * @param last the node that was active last and has not stopped cleanly; never this node itself. It may have this
     *     node's id: an earlier process, to be fenced unless it is certain to have ended, or a node that was given the
     *     same id by mistake
     * @throws Exception if fencing fails; it is tried again
     */
    void fence(Breadcrumb last) throws Exception;
}

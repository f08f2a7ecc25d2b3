package io.baton.election;

/**
 * Makes sure that a former active one does nothing any more: by cutting its power, its network, or its access to the
 * data. That one may have been on this very machine, which a restarted process must not switch off: compare the address.
 */
@FunctionalInterface
public interface Fencer {

    /**
     * Fences. Returns only when the former active one is certain to do nothing any more. Called on a thread of its own,
     * before promotion, and again after it has failed or a promotion has not come about; so it must do no harm to do it
     * twice. It is interrupted when its budget is used up.
     *
     * @param last who was active last and has not gone cleanly; never this very node. Its id may be one's own: of an
     *     earlier process, which is to be fenced unless it is certain to have ended, or of somebody who was given the
     *     same id by mistake
     * @throws Exception if it cannot be done; it is tried again
     */
    void fence(Breadcrumb last) throws Exception;
}

package io.baton.election;

/** The states of a {@link Candidacy}. */
public enum CandidacyState {
    /** In the line, or on the way there; another candidate may lead. */
    WAITING,
    /** In no line, as it was refused; it tries again. {@link Candidacy#trouble()} says why. */
    REFUSED,
    /** In no line, as the election is paused; it stands again once {@linkplain LeaderElection#resume resumed}. */
    PAUSED,
    /** It does not lead, and the store is out of reach: its place in the line may be gone. */
    OUT_OF_CONTACT,
    /** It leads, and the work goes on; also without contact, while it is certain to lead. */
    LEADING,
    /** The work was told to stop; the candidate leads until it has, or until its deadline. */
    STOPPING,
    /** The leadership is lost, and the work has not stopped yet: another candidate may lead beside it. */
    DEPOSED,
    /** Closed, for good. */
    CLOSED
}

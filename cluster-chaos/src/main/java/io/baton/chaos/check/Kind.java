package io.baton.chaos.check;

/** What can go wrong. */
public enum Kind {
    /** Two looked, and each saw its hold of the same lock valid while the other's was. */
    OVERLAP,
    /** One was granted before another, who had not released, had reached the end of the time it was told to be certain of. */
    BROKEN_PROMISE,
    /** A token that does not rise, or is given twice: grants are out of the order of the entries. */
    TOKEN_ORDER,
    /** The permits of holds that were certain at one moment are more than the semaphore has. */
    TOO_MANY_PERMITS,
    /** A place went from owner to owner within its process more often than agreed while another waited in line. */
    TOO_MANY_HAND_OVERS,
    /** A lock was granted before its time to rest was over. */
    SHORT_REST,
    /** A write was applied after one with a larger token. */
    WRITE_ORDER,
    /** Two applied writes built on the same value, or the counter is not the number of writes. */
    LOST_UPDATE,
    /** A write was applied though its writer was told that it was not. */
    FALSE_OUTCOME,
    /** The counter to which all add is not the number of additions. */
    WRONG_SUM,
    /** A number of the sequence came twice, or after a larger one. */
    REPEATED_NUMBER,
    /** Parties of one round of a barrier were told different verdicts, or one party was two. */
    SPLIT_VERDICT,
    /** A round of a barrier passed before all had come, or began before the one before had ended. */
    EARLY_PASS,
    /** A latch released a waiter before enough ids had counted down, or does not count an id that did. */
    WRONG_LATCH,
    /** Clients that asked one question got different answers, or an answer that no handler gave. */
    WRONG_ANSWER,
    /** A reading of a group lacks a member that was in. */
    UNSEEN_MEMBER,
    /** Nobody was granted in time after the cluster and the clients were well again. */
    UNAVAILABLE,
    /** Somebody asked and had no answer when all was over. */
    WAITS_FOREVER,
    /** An entry stood in line after its session must have ended. */
    LEFT_ENTRY,
    /** A hold was lost though no fault may have cost it. */
    NEEDLESS_LOSS,
    /** A hold was lost, and its listener was not told. */
    SILENT_LOSS,
    /** A client failed in a way that it should not, or died. */
    TROUBLE
}

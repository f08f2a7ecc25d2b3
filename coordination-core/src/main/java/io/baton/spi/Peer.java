package io.baton.spi;

/**
 * A contender in a line, as a listing shows it.
 *
 * @param line its line
 * @param name the store's name for the entry; unique for all time
 * @param order the place in the line; smaller stands ahead
 * @param claim what it claimed when it joined; a downgrade does not show here
 */
public record Peer(Line line, String name, long order, Claim claim) {

    /** A contender that claims the line for itself alone. */
    public Peer(Line line, String name, long order) {
        this(line, name, order, Claim.EXCLUSIVE);
    }
}

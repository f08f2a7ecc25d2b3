package io.baton.etcd;

import io.baton.spi.Claim;
import io.baton.spi.Line;

/**
 * Says what the entries of a line claim, by the names of their keys below the line. In the line of a mutex any name is
 * an exclusive claim. In a line of readers and writers, the names begin with {@code r/} and {@code w/}, in one of
 * permits with their number, as {@code 3/}. Names that begin otherwise are the smallest claim of the line.
 */
final class EntryNames {

    private static final String SHARED = "r/";
    private static final String EXCLUSIVE = "w/";

    private EntryNames() {}

    /** Returns how the names of entries with this claim begin. */
    static String beginning(Line.Kind kind, Claim claim) {
        return switch (kind) {
            case MUTEX -> "";
            case READ_WRITE -> claim.equals(Claim.SHARED) ? SHARED : EXCLUSIVE;
            case PERMITS -> claim.permits() + "/";
        };
    }

    /** Returns how the names of entries begin that conflict with this claim. */
    static String conflicting(Line.Kind kind, Claim claim) {
        return kind == Line.Kind.READ_WRITE && claim.equals(Claim.SHARED) ? EXCLUSIVE : "";
    }

    /** Returns the claim of the entry with this name. */
    static Claim claim(Line.Kind kind, String name) {
        return switch (kind) {
            case MUTEX -> Claim.EXCLUSIVE;
            case READ_WRITE -> name.startsWith(EXCLUSIVE) ? Claim.EXCLUSIVE : Claim.SHARED;
            case PERMITS -> Claim.permits(permits(name));
        };
    }

    private static int permits(String name) {
        try {
            return Math.max(1, Integer.parseInt(name.substring(0, Math.max(0, name.indexOf('/')))));
        } catch (NumberFormatException foreign) {
            return 1;
        }
    }
}

package io.baton.recipes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A member of a {@link Group}, as others see it.
 *
 * @param id the id that Baton gave it when it joined; it stays the same in later sessions and after updates
 * @param data what it says of itself; not to be modified
 * @param host its host name; empty if unknown
 * @param pid its process id; 0 if unknown
 */
public record GroupMember(String id, byte[] data, String host, long pid) {

    /** Returns what it says of itself as UTF-8 text. */
    public String text() {
        return new String(data, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GroupMember its
                && id.equals(its.id)
                && Arrays.equals(data, its.data)
                && host.equals(its.host)
                && pid == its.pid;
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "member " + id + " (" + text() + ")";
    }
}

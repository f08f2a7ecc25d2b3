package io.baton.spi;

import java.util.Optional;

/** Receives the first contender of a line, on the loop. */
public interface HeadListener {

    /**
     * This entry stands first now; empty if the line is empty. Called once with the present state, then in order for
     * each change of the entry or its payload. While in contact, a state is skipped only if it is shorter than the read
     * of an entry; while out of contact, any may be. The entry's session may be blank.
     */
    void head(Optional<Entry> first);
}

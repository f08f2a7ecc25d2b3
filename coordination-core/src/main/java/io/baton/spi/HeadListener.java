package io.baton.spi;

import java.util.Optional;

/** Told who stands first in a line, on the loop. */
public interface HeadListener {

    /**
     * Who stands first now; empty if nobody does. Told once to begin with, and then each time it, or its payload, has
     * changed, in order. In contact nobody is left out who stood first for longer than it takes to read his entry, and
     * neither is that nobody did; what happened while out of contact may be. The entry need not tell its session.
     */
    void head(Optional<Entry> first);
}

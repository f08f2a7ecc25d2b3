package io.baton.internal.lock;

import io.baton.Hold;
import java.util.function.Function;

/** How a program is given the holds that it acquires. Any thread. */
public interface HoldHandles {

    /** It is given the hold itself. */
    HoldHandles NONE = () -> granted -> granted;

    /** How what the calling thread asks for from here is given to it. */
    Function<FencedHold, Hold> here();
}

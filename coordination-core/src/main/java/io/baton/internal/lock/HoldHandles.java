package io.baton.internal.lock;

import io.baton.Hold;
import java.util.function.Function;

/** Wraps holds for the program that acquires them. Any thread. */
public interface HoldHandles {

    /** Hands out the hold itself. */
    HoldHandles NONE = () -> granted -> granted;

    /** Returns the wrapper for a hold that the calling thread requests here. */
    Function<FencedHold, Hold> here();
}

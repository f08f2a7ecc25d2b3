package io.baton.testkit.proxy;

import java.time.Duration;

/** What a message does to its connection, or to the network, when it sets a fault off. */
public final class Fault {

    enum Kind {
        CUT,
        END,
        HOLD,
        DELAY
    }

    private static final Fault CUT = new Fault(Kind.CUT, Duration.ZERO);
    private static final Fault END = new Fault(Kind.END, Duration.ZERO);
    private static final Fault HOLD = new Fault(Kind.HOLD, Duration.ZERO);

    private final Kind kind;
    private final Duration delay;

    private Fault(Kind kind, Duration delay) {
        this.kind = kind;
        this.delay = delay;
    }

    /** Resets the message's connection on both sides and drops the bytes under way. */
    public static Fault cut() {
        return CUT;
    }

    /** Closes the message's connection in order on both sides and drops the bytes under way. */
    public static Fault end() {
        return END;
    }

    /** Holds the message's direction as {@link TcpProxy#hold(Direction...)} does; {@link TcpProxy#release} ends it. */
    public static Fault hold() {
        return HOLD;
    }

    /** Delays the rest of this direction of the message's connection. */
    public static Fault delay(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay must not be negative: " + delay);
        }
        return new Fault(Kind.DELAY, delay);
    }

    Kind kind() {
        return kind;
    }

    Duration delay() {
        return delay;
    }

    @Override
    public String toString() {
        return kind == Kind.DELAY ? "DELAY " + delay : kind.toString();
    }
}

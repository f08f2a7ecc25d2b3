package io.baton.testkit.proxy;

import java.time.Duration;

/** What becomes of a connection, or of the network, when a message sets a fault off. */
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

    /** The message's connection is reset on both sides, and what was on the way is dropped. */
    public static Fault cut() {
        return CUT;
    }

    /** The message's connection is ended in order on both sides, and what was on the way is dropped. */
    public static Fault end() {
        return END;
    }

    /** As {@link TcpProxy#hold(Direction...)} of the message's direction; {@link TcpProxy#release} ends it. */
    public static Fault hold() {
        return HOLD;
    }

    /** The rest of this direction of the message's connection comes later, by as much. */
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

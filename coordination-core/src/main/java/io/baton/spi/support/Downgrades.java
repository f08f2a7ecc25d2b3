package io.baton.spi.support;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Downgrades of exclusive entries to shared claims. The entry itself stays, with its name and its place. A line at the
 * end of its payload shows contenders with shared claims that they need not wait for it. Such an entry is always the
 * first exclusive one of its line, as it was clear.
 */
public final class Downgrades {

    private static final byte[] MARK = "\ndowngraded=true\n".getBytes(StandardCharsets.UTF_8);

    private Downgrades() {}

    /** Returns the payload with the mark of a downgraded entry. */
    public static byte[] mark(byte[] payload) {
        if (isMarked(payload)) {
            return payload.clone();
        }
        byte[] marked = Arrays.copyOf(payload, payload.length + MARK.length);
        System.arraycopy(MARK, 0, marked, payload.length, MARK.length);
        return marked;
    }

    /** Whether the payload has the mark of a downgraded entry. */
    public static boolean isMarked(byte[] payload) {
        int from = payload.length - MARK.length;
        return from >= 0 && Arrays.equals(payload, from, payload.length, MARK, 0, MARK.length);
    }

    /**
     * Checks that a place can be downgraded.
     *
     * @param clear whether the place is clear, and neither left nor lost
     * @throws UnsupportedOperationException if the line has no shared claims
     * @throws IllegalStateException if the place is not clear, or its claim is not exclusive
     */
    public static void check(Line line, Claim claim, boolean clear) {
        if (line.kind() != Line.Kind.READ_WRITE) {
            throw new UnsupportedOperationException("contenders of " + line + " cannot share it");
        }
        if (!clear || !claim.equals(Claim.EXCLUSIVE)) {
            throw new IllegalStateException("only an exclusive holder of " + line + " can downgrade its claim");
        }
    }

    /** Returns the failure of a downgrade whose place was left or lost before the store had confirmed it. */
    public static CoordinationException ended(Line line) {
        return new LockLostException("the entry in " + line + " was released or lost before its downgrade");
    }
}

package io.baton.testkit.database;

import java.nio.ByteBuffer;

/** Reads the packets of answers to statements as text, one after the other, as far as that tells which is the last. */
final class MariaDbAnswer {

    /** Three bytes of a length, and the number of the packet. */
    static final int HEADER = 4;

    /** The largest length. */
    static final int LONGEST = 0xffffff;

    private static final int OK = 0x00;
    private static final int ERROR = 0xff;
    private static final int END = 0xfe;
    private static final int LONGEST_END = 8;
    private static final int MORE_RESULTS = 1 << 3;

    private enum Part {
        RESULT,
        COLUMNS,
        END_OF_COLUMNS,
        ROWS
    }

    private final boolean withoutEof;
    private Part part = Part.RESULT;
    private long columns;

    /** Reads those of a connection whose rows end with a kind of {@code OK}, or with an {@code EOF} as of old. */
    MariaDbAnswer(boolean withoutEof) {
        this.withoutEof = withoutEof;
    }

    /** Whether a packet without its header grants something or refuses it, and is no question. */
    static boolean isVerdict(ByteBuffer payload) {
        int first = first(payload);
        return first == OK || first == ERROR;
    }

    /** Whether this packet, without its header, is the last one of its answer. */
    boolean completes(ByteBuffer payload) {
        if (first(payload) == ERROR) {
            part = Part.RESULT;
            return true;
        }
        switch (part) {
            case RESULT -> {
                if (first(payload) == OK) {
                    return isLast(payload);
                }
                columns = number(payload);
                part = Part.COLUMNS;
            }
            case COLUMNS -> {
                columns--;
                if (columns == 0) {
                    part = withoutEof ? Part.ROWS : Part.END_OF_COLUMNS;
                }
            }
            case END_OF_COLUMNS -> part = Part.ROWS;
            case ROWS -> {
                // A row begins with the same byte if its first value is very long.
                int longest = withoutEof ? LONGEST - 1 : LONGEST_END;
                if (first(payload) == END && payload.remaining() <= longest) {
                    part = Part.RESULT;
                    return isLast(payload);
                }
            }
        }
        return false;
    }

    private boolean isLast(ByteBuffer end) {
        boolean old = first(end) == END && !withoutEof;
        end.get();
        if (old) {
            end.getShort(); // warnings
        } else {
            skipNumber(end); // rows that were changed
            skipNumber(end); // the last id
        }
        return (Short.reverseBytes(end.getShort()) & MORE_RESULTS) == 0;
    }

    private static int first(ByteBuffer payload) {
        return Byte.toUnsignedInt(payload.get(payload.position()));
    }

    /** A number of one byte, or of as many as the first one says. */
    private static long number(ByteBuffer from) {
        int bytes = more(from);
        int first = Byte.toUnsignedInt(from.get());
        long number = bytes == 0 ? first : 0;
        for (int i = 0; i < bytes; i++) {
            number |= Byte.toUnsignedLong(from.get()) << (8 * i);
        }
        return number;
    }

    private static void skipNumber(ByteBuffer from) {
        from.position(from.position() + 1 + more(from));
    }

    /** How many bytes a number has behind the first one. */
    private static int more(ByteBuffer number) {
        return switch (first(number)) {
            case 0xfc -> 2;
            case 0xfd -> 3;
            case 0xfe -> 8;
            default -> 0;
        };
    }
}

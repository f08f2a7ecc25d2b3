package io.baton.testkit.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;

/**
 * One direction of one connection: takes in what its source sends and hands it on to its sink when the conditions allow.
 *
 * <p>Every chunk becomes due on its own, a delay after it has arrived, so that requests sent one after the other without
 * waiting stay as close together as they were. The end of the stream is a chunk like any other: a held lane keeps it.
 */
final class Lane {

    /** What is kept at most; beyond that the source is no longer read, and its own buffers fill up. */
    private static final int LIMIT = 1 << 20;

    /** How the lane stands after a step. */
    enum Progress {
        OPEN,
        /** All was handed on, or the sink takes nothing more. */
        DONE,
        /** The source was reset, and it is the sink's turn to see that. */
        RESET
    }

    private enum Kind {
        BYTES,
        END,
        RESET
    }

    private record Chunk(Kind kind, ByteBuffer bytes, long dueNanos) {}

    private final Direction direction;
    private final Conditions conditions;
    private final Meter meter;
    private final ProxyLoop loop;
    private final Runnable onDue;
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private boolean alarmed;
    private int kept;
    private boolean sourceEnded;
    private boolean sinkBroken;

    Lane(Direction direction, Conditions conditions, Meter meter, ProxyLoop loop, Runnable onDue) {
        this.direction = direction;
        this.conditions = conditions;
        this.meter = meter;
        this.loop = loop;
        this.onDue = onDue;
    }

    /** Whether the source will send nothing more, whatever of it is still to be handed on. */
    boolean sourceEnded() {
        return sourceEnded;
    }

    /** Takes in what has arrived. */
    void read(Endpoint source) {
        try {
            int n = 1;
            while (n > 0 && wants()) {
                ByteBuffer buffer = loop.buffer();
                n = source.channel().read(buffer);
                if (n > 0) {
                    add(Kind.BYTES, ByteBuffer.allocate(n).put(buffer.flip()).flip());
                } else if (n < 0) {
                    end(Kind.END);
                }
            }
        } catch (IOException reset) {
            end(Kind.RESET);
        }
        source.want(SelectionKey.OP_READ, wants());
    }

    /** Hands on what is due, if the lane is not held. */
    Progress write(Endpoint sink) {
        boolean full = false;
        while (!full && !chunks.isEmpty() && !conditions.held(direction) && !sinkBroken) {
            Chunk head = chunks.element();
            if (head.dueNanos() - System.nanoTime() > 0) {
                alarm(head);
                break;
            }
            if (head.kind() == Kind.RESET) {
                return Progress.RESET;
            }
            full = !handOn(head, sink);
        }
        sink.want(SelectionKey.OP_WRITE, full);
        return sinkBroken || (sourceEnded && chunks.isEmpty()) ? Progress.DONE : Progress.OPEN;
    }

    /** True if the whole chunk has gone. */
    private boolean handOn(Chunk head, Endpoint sink) {
        try {
            if (head.kind() == Kind.END) {
                sink.channel().shutdownOutput();
            } else {
                int offered = head.bytes().remaining();
                // Counted first: whoever has received a byte finds it counted.
                meter.forwarded(direction, offered);
                int taken = sink.channel().write(head.bytes());
                meter.forwarded(direction, taken - offered);
                kept -= taken;
            }
        } catch (IOException broken) {
            sinkBroken = true;
            chunks.clear();
            return true;
        }
        if (head.bytes().hasRemaining()) {
            return false;
        }
        chunks.remove();
        return true;
    }

    /** Whether the sink refused what was handed on: whoever is behind it has gone without waiting for the end. */
    boolean sinkBroken() {
        return sinkBroken;
    }

    /** Whether it would take in more. */
    boolean wants() {
        return !sourceEnded && !sinkBroken && kept < LIMIT;
    }

    private void end(Kind kind) {
        sourceEnded = true;
        add(kind, ByteBuffer.allocate(0));
    }

    private void add(Kind kind, ByteBuffer bytes) {
        chunks.add(new Chunk(kind, bytes, conditions.dueNanos(direction)));
        kept += bytes.remaining();
    }

    private void alarm(Chunk head) {
        if (!alarmed) {
            alarmed = true;
            loop.at(head.dueNanos(), () -> {
                alarmed = false;
                onDue.run();
            });
        }
    }
}

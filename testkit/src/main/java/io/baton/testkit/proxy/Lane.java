package io.baton.testkit.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One direction of one connection. It reads from its source and forwards to its sink when the network's state allows.
 *
 * <p>Each chunk becomes due after its own delay, counted from its arrival, so pipelined requests stay close together.
 * The end of the stream is a chunk like any other; a held lane keeps it. With a framing, a chunk is a message and may
 * set a fault off.
 */
final class Lane {

    /** The most bytes kept. Beyond it the lane stops reading, and the source's own buffers fill up. */
    private static final int LIMIT = 1 << 20;

    /** The state of the lane after a step. */
    enum Progress {
        OPEN,
        /** The source has ended and all was forwarded, or a write to the sink failed. */
        DONE,
        /** The source was reset, so the sink has to be reset; or a fault resets the connection. */
        RESET,
        /** A fault ends the connection in order. */
        END
    }

    private enum Kind {
        BYTES,
        END,
        RESET
    }

    /** A chunk that is a message has a name. */
    private record Chunk(
            Kind kind,
            ByteBuffer bytes,
            long dueNanos,
            @Nullable String name) {}

    private final Direction direction;
    private final NetworkState conditions;
    private final ProxyMeter meter;
    private final ProxyLoop loop;
    private final Faults faults;
    private final Runnable onDue;
    private final Splitter splitter;
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private boolean alarmed;
    private int kept;
    private boolean sourceEnded;
    private boolean sinkBroken;
    private boolean headCounted;
    private @Nullable Trigger trigger;
    private @Nullable Chunk struckAt;
    private long goesOnNanos = System.nanoTime();

    Lane(
            Direction direction,
            NetworkState conditions,
            ProxyMeter meter,
            ProxyLoop loop,
            Faults faults,
            Framing.@Nullable Conversation conversation,
            Runnable onDue) {
        this.direction = direction;
        this.conditions = conditions;
        this.meter = meter;
        this.loop = loop;
        this.faults = faults;
        this.onDue = onDue;
        this.splitter = new Splitter(direction, conversation, (bytes, name) -> add(Kind.BYTES, bytes, name));
    }

    /** Whether the source will send no more bytes; some may still have to be forwarded. */
    boolean sourceEnded() {
        return sourceEnded;
    }

    /** Reads what has arrived. */
    void read(Endpoint source) {
        try {
            int n = 1;
            while (n > 0 && wants()) {
                ByteBuffer buffer = loop.buffer();
                n = source.channel().read(buffer);
                if (n > 0) {
                    splitter.add(buffer.flip());
                } else if (n < 0) {
                    end(Kind.END);
                }
            }
        } catch (IOException reset) {
            end(Kind.RESET);
        }
        source.want(SelectionKey.OP_READ, wants());
    }

    /** Forwards what is due, unless the lane is held. */
    Progress write(Endpoint sink) {
        boolean full = false;
        while (!full && !chunks.isEmpty() && !conditions.held(direction) && !sinkBroken) {
            Chunk head = chunks.element();
            if (waits(head)) {
                break;
            }
            if (head.kind() == Kind.RESET) {
                return Progress.RESET;
            }
            count(head);
            Progress struck = strike(Moment.BEFORE, head);
            if (struck != Progress.OPEN) {
                return struck;
            }
            if (conditions.held(direction) || waits(head)) {
                break;
            }
            full = !handOn(head, sink);
            if (!full) {
                headCounted = false;
                struck = strike(Moment.AFTER, head);
                if (struck != Progress.OPEN) {
                    return struck;
                }
            }
        }
        sink.want(SelectionKey.OP_WRITE, full);
        return sinkBroken || (sourceEnded && chunks.isEmpty()) ? Progress.DONE : Progress.OPEN;
    }

    private void count(Chunk head) {
        if (!headCounted) {
            headCounted = true;
            trigger = head.name() == null ? null : faults.count(direction, head.name());
        }
    }

    /** Applies the fault of the head, if this is its moment. A result other than OPEN ends the connection. */
    private Progress strike(Moment moment, Chunk head) {
        Trigger due = trigger;
        if (due == null || due.moment() != moment || sinkBroken) {
            return Progress.OPEN;
        }
        struckAt = head;
        switch (due.fault().kind()) {
            case CUT -> {
                return Progress.RESET;
            }
            case END -> {
                return Progress.END;
            }
            case HOLD -> conditions.hold(direction);
            case DELAY -> goesOnNanos = System.nanoTime() + due.fault().delay().toNanos();
        }
        struck();
        return Progress.OPEN;
    }

    /** Records that the fault that struck here, if any, has taken effect. */
    void struck() {
        if (trigger != null && struckAt != null && struckAt.name() != null) {
            trigger.struck(struckAt.name());
            trigger = null;
        }
    }

    /** Whether it is too early to forward this chunk. */
    private boolean waits(Chunk head) {
        long now = System.nanoTime();
        long due = head.dueNanos() - goesOnNanos > 0 ? head.dueNanos() : goesOnNanos;
        if (due - now > 0) {
            alarm(due);
            return true;
        }
        return false;
    }

    /** Forwards the chunk; returns true if all of it was written. */
    private boolean handOn(Chunk head, Endpoint sink) {
        try {
            if (head.kind() == Kind.END) {
                sink.channel().shutdownOutput();
            } else {
                int offered = head.bytes().remaining();
                // Bytes are counted before they are written, so a received byte is always counted.
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

    /** Whether a write to the sink failed: the peer has closed without waiting for the end. */
    boolean sinkBroken() {
        return sinkBroken;
    }

    /** Whether the lane would read more. */
    boolean wants() {
        return !sourceEnded && !sinkBroken && kept < LIMIT;
    }

    private void end(Kind kind) {
        sourceEnded = true;
        splitter.rest();
        add(kind, ByteBuffer.allocate(0), null);
    }

    private void add(Kind kind, ByteBuffer bytes, @Nullable String name) {
        chunks.add(new Chunk(kind, bytes, conditions.dueNanos(direction), name));
        kept += bytes.remaining();
    }

    private void alarm(long dueNanos) {
        if (!alarmed) {
            alarmed = true;
            loop.at(dueNanos, () -> {
                alarmed = false;
                onDue.run();
            });
        }
    }
}

package io.baton.testkit.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One direction of one connection: takes in what its source sends and hands it on to its sink when the conditions allow.
 *
 * <p>Every chunk becomes due on its own, a delay after it has arrived, so that requests sent one after the other without
 * waiting stay as close together as they were. The end of the stream is a chunk like any other: a held lane keeps it.
 * Where the proxy knows the framing, a chunk is a message, and may set a fault off.
 */
final class Lane {

    /** What is kept at most; beyond that the source is no longer read, and its own buffers fill up. */
    private static final int LIMIT = 1 << 20;

    /** How the lane stands after a step. */
    enum Progress {
        OPEN,
        /** All was handed on, or the sink takes nothing more. */
        DONE,
        /** The source was reset, and it is the sink's turn to see that; or a fault resets the connection. */
        RESET,
        /** A fault ends the connection in order. */
        END
    }

    private enum Kind {
        BYTES,
        END,
        RESET
    }

    /** Those that are messages have a name. */
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

    /** Hands on what is due, if the lane is not held. */
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

    /** Does what the head has set off, if this is the moment; what is not OPEN ends the connection. */
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

    /** The fault that struck here, if one did, has done all it does. */
    void struck() {
        if (trigger != null && struckAt != null && struckAt.name() != null) {
            trigger.struck(struckAt.name());
            trigger = null;
        }
    }

    /** Whether it is too early to hand this on. */
    private boolean waits(Chunk head) {
        long now = System.nanoTime();
        long due = head.dueNanos() - goesOnNanos > 0 ? head.dueNanos() : goesOnNanos;
        if (due - now > 0) {
            alarm(due);
            return true;
        }
        return false;
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

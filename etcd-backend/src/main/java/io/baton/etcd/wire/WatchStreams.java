package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.spi.support.RunAll;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The watches of a connection and the streams that carry them: one stream that takes new watches, and a few retired
 * ones whose watches continue.
 *
 * <p>A server limits the streams of a connection, and requests need streams, too. So the number of streams does not
 * depend on the number of watches. A stream is retired when its token is no longer the login's, as the server would
 * refuse each new watch on it. It is also retired when it does not answer in time.
 */
final class WatchStreams {

    /** The number of retired streams kept. Beyond that, the watches of the oldest end, and resume on a new one. */
    private static final int MOST_RETIRED = 4;

    private final Connection connection;
    private final Set<LiveWatch> watches = new LinkedHashSet<>();
    private final Deque<WatchStream> retired = new ArrayDeque<>();
    private @Nullable WatchStream current;
    private boolean closed;

    WatchStreams(Connection connection) {
        this.connection = connection;
    }

    /** Adds a watch, and returns the stream that takes new watches. */
    WatchStream open(LiveWatch watch) {
        watches.add(watch);
        WatchStream stream = current;
        if (stream != null && isStale(stream)) {
            retire(stream);
            stream = null;
        }
        if (stream == null) {
            stream = new WatchStream(connection, this);
            current = stream;
            stream.start();
        }
        return stream;
    }

    /** Whether a watch refused on this stream for this reason may succeed on another stream. */
    boolean anotherHelps(WatchStream refusing, String reason) {
        return connection.login().newTokenHelps(reason, refusing.token()) || isStale(refusing);
    }

    /** Obtains a token newer than this stream's for new streams, then restarts the watch. */
    void renewLogin(WatchStream refusing, LiveWatch watch) {
        retire(refusing);
        connection.login().renew(refusing.token(), connection, watch.within(), status -> renewed(watch, status));
    }

    private void renewed(LiveWatch watch, Status status) {
        if (!status.isOk()) {
            watch.end(ErrorClassifier.of(status));
        } else if (!closed) {
            watch.start();
        }
    }

    /** Stops new watches on this stream. */
    void retire(WatchStream stream) {
        if (stream != current) {
            return;
        }
        current = null;
        retired.add(stream);
        if (retired.size() > MOST_RETIRED) {
            WatchStream oldest = retired.remove();
            // Delayed, as the caller may be about to open a watch.
            connection.loop().execute(() -> oldest.end(new Fault(Code.LOST, "the watch moves to another stream")));
        }
    }

    private boolean isStale(WatchStream stream) {
        return !Objects.equals(stream.token(), connection.login().token());
    }

    void ended(LiveWatch watch) {
        watches.remove(watch);
    }

    void ended(WatchStream stream) {
        if (current == stream) {
            current = null;
        }
        retired.remove(stream);
    }

    /** Ends all watches as lost, with callbacks. */
    void abandon(String why) {
        stop();
        RunAll.each(watches, watch -> watch.end(new Fault(Code.LOST, why)));
    }

    /** Ends all watches without callbacks. */
    void close() {
        stop();
        List.copyOf(watches).forEach(LiveWatch::close);
    }

    private void stop() {
        closed = true;
        List.copyOf(retired).forEach(WatchStream::stop);
        if (current != null) {
            current.stop();
        }
    }
}

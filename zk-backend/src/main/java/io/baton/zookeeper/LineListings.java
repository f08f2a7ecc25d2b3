package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.support.RunAll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Lists lines, with at most one listing of a line in flight. It serves all takers from before it was sent. Later takers
 * are served by the next one, sent when the first has been answered. Requests of one connection are answered in the
 * order sent. So a listing shows all effects of its takers' earlier requests.
 *
 * <p>A line that is too long is not listed ({@link LineLengths}), and its takers are notified.
 */
final class LineListings {

    /** Receives a listing. */
    interface Taker {
        /** Receives the answer. The listing is non-null if and only if the code is {@code OK}. */
        void listed(Code code, @Nullable Listing listing);

        /** The line was not listed: the answer would break the connection. */
        default void tooLong(CoordinationException why) {}
    }

    private final ZkSession session;
    private final Map<String, Requests> lines = new HashMap<>();

    LineListings(ZkSession session) {
        this.session = session;
    }

    /** Lists the line at this path. */
    void list(String path, Taker taker) {
        Requests requests = lines.get(path);
        if (requests == null) {
            requests = new Requests(path);
            lines.put(path, requests);
            requests.takers.add(taker);
            requests.begin();
        } else {
            requests.takers.add(taker);
        }
    }

    /** The pending requests of one line. */
    private final class Requests {

        private final String path;
        /** The takers of the next listing. */
        private List<Taker> takers = new ArrayList<>();

        Requests(String path) {
            this.path = path;
        }

        void begin() {
            session.lengths().withLength(path, (code, length) -> {
                // The listing shows whether the line exists: some takers have come since the read was sent.
                if (code == Code.OK || code == Code.NONODE) {
                    seen(length);
                } else {
                    answer(takeAll(), taker -> taker.listed(code, null));
                }
            });
        }

        private void seen(int length) {
            CoordinationException tooLong = session.lengths().tooLongToList(path, length);
            if (tooLong == null) {
                send();
            } else {
                answer(takeAll(), taker -> taker.tooLong(tooLong));
            }
        }

        private void send() {
            List<Taker> served = takeAll();
            Following following = session.followings().known(path);
            long stream = following == null ? Following.NONE : following.stream();
            session.wire().children(path, (code, names) -> {
                if (code == Code.CONNECTIONLOSS) {
                    session.lengths().broken(path);
                    served.addAll(takeAll());
                } else if (code == Code.OK || code == Code.NONODE) {
                    session.lengths().listed(path, names == null ? 0 : names.size());
                }
                Listing listing = names == null ? null : new Listing(names, following, stream);
                answer(served, taker -> taker.listed(code, listing));
            });
        }

        private List<Taker> takeAll() {
            List<Taker> taken = takers;
            takers = new ArrayList<>();
            return taken;
        }

        /**
         * The next listing is sent after these callbacks, so that it also serves takers that request another one in
         * them.
         */
        private void answer(List<Taker> served, Consumer<Taker> answer) {
            var steps = new ArrayList<Runnable>();
            served.forEach(taker -> steps.add(() -> answer.accept(taker)));
            steps.add(this::next);
            RunAll.all(steps);
        }

        private void next() {
            if (takers.isEmpty()) {
                lines.remove(path);
            } else {
                begin();
            }
        }
    }
}

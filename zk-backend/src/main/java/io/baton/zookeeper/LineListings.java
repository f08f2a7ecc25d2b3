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
 * The listings of lines, at most one of a line under way. It serves all who asked before it was sent; who asks later is
 * served by the next one, which is sent when the first has been answered. As requests of one connection are answered in
 * the order in which they were sent, a listing shows all that its takers have sent before they asked for it.
 *
 * <p>A line that is too long to be listed is not listed ({@link LineLengths}); its takers are told.
 */
final class LineListings {

    /** Wants to know who stands in a line. */
    interface Taker {
        /** Answered; there is a listing if, and only if, the code is {@code OK}. */
        void listed(Code code, @Nullable Listing listing);

        /** Not asked, as the answer would break the connection. */
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

    /** The requests that one line needs. */
    private final class Requests {

        private final String path;
        /** Those whom the next listing is for. */
        private List<Taker> takers = new ArrayList<>();

        Requests(String path) {
            this.path = path;
        }

        void begin() {
            session.lengths().withLength(path, (code, length) -> {
                // Whether the line is there, the listing tells: some takers have come since the read was sent.
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

        /** The next listing is sent after the last has been told: who asks again now is served by it as well. */
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

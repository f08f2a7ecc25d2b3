package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.Telemetry.Request.Kind;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A client's request to the store. */
interface Request {

    /** Returns what is requested, in a word. */
    String name();

    /** Returns the kind, for statistics. */
    Kind kind();

    /** Serves the request, under the store's lock. Returns the answer, to be run on the client's loop. */
    Runnable serve();

    /** The contact broke before there was an answer; the request may have been served. On the client's loop. */
    void lost();

    /** The session had ended before. On the client's loop. */
    void refuse(CoordinationException why);

    /** Returns a request that passes itself to {@code lost} when it is lost. */
    static Request of(
            String name,
            Kind kind,
            Supplier<Runnable> serve,
            Consumer<Request> lost,
            Consumer<CoordinationException> refuse) {
        return new Request() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Kind kind() {
                return kind;
            }

            @Override
            public Runnable serve() {
                return serve.get();
            }

            @Override
            public void lost() {
                lost.accept(this);
            }

            @Override
            public void refuse(CoordinationException why) {
                refuse.accept(why);
            }
        };
    }
}

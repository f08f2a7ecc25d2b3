package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.Telemetry.Request.Kind;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a client asks of the store. */
interface Request {

    /** What is asked, in a word. */
    String name();

    /** What is asked, for those who count. */
    Kind kind();

    /** Does it, under the store's lock; the answer, to be given on the client's loop. */
    Runnable serve();

    /** The contact broke before there was an answer: it was done, or it was not. On the client's loop. */
    void lost();

    /** The session was over before; on the client's loop. */
    void refuse(CoordinationException why);

    /** A request; one that was lost is handed to {@code lost}. */
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

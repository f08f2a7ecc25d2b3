package io.baton.memory;

import io.baton.CoordinationException;
import java.util.function.Consumer;

/** What a client asks of the store. */
interface Request {

    /** Does it, under the store's lock. */
    void serve();

    /** The session was over before; on the client's loop. */
    void refuse(CoordinationException why);

    static Request of(Runnable serve, Consumer<CoordinationException> refuse) {
        return new Request() {
            @Override
            public void serve() {
                serve.run();
            }

            @Override
            public void refuse(CoordinationException why) {
                refuse.accept(why);
            }
        };
    }
}

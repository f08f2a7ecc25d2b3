package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * A question to the store that ends in bounded time: answered, failed, timed out, or ended with its session. Once a
 * write has been handed to the wire, not knowing its outcome is told as such.
 */
final class Ask<T> {

    private final String what;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final Set<Ask<?>> open;
    private final Loop.Timer limit;
    private boolean writing;

    /** Asks within this time; {@code open} holds those that are under way, for the session's end. */
    Ask(String what, Duration within, Loop loop, Set<Ask<?>> open) {
        this.what = what;
        this.open = open;
        open.add(this);
        limit = loop.after(within, () -> broken("no answer within " + within.toMillis() + " ms", null));
    }

    CompletableFuture<T> answer() {
        return answer;
    }

    boolean open() {
        return !answer.isDone();
    }

    void answer(Supplier<T> value) {
        try {
            done(value.get());
        } catch (CoordinationException failed) {
            fail(failed);
        }
    }

    void fail(CoordinationException why) {
        end();
        answer.completeExceptionally(why);
    }

    void done(T value) {
        end();
        answer.complete(value);
    }

    /** From now on the outcome is in doubt until answered. */
    void writing() {
        writing = true;
    }

    /** A failed attempt of the write had no effect. */
    void notWritten() {
        writing = false;
    }

    /** The contact broke, or the time is up. */
    void broken(String how, @Nullable Throwable cause) {
        fail(
                writing
                        ? new OutcomeUnknownException(what + ": " + how + "; it may have been applied", cause)
                        : new StoreUnavailableException(what + ": " + how + "; nothing was applied", cause));
    }

    /** The session is over. */
    void over(CoordinationException why) {
        if (writing) {
            broken("the session ended", why);
        } else {
            fail(why);
        }
    }

    /** The server refuses. */
    void refused(Code code, String path) {
        fail(failure(what, code, path));
    }

    private void end() {
        limit.cancel();
        open.remove(this);
    }

    static CoordinationException failure(String what, Code code, String path) {
        KeeperException cause = KeeperException.create(code, path);
        String hint = switch (code) {
            case NOAUTH -> "; this client's credentials are missing or wrong, or the ACL there does not let them";
            case NOTEMPTY -> "; something that is not Baton's lies below it";
            case QUOTAEXCEEDED -> "; the server's quota is used up";
            default -> "";
        };
        return new CoordinationException(what + ": ZooKeeper says " + cause.getMessage() + hint, cause);
    }
}

package io.baton.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnprintableExceptionTest {

    @Test
    void printable_asMostAre_isTheSame() {
        Throwable cause = new IllegalStateException();
        Throwable cyclic = new IllegalStateException("one", cause);
        cause.initCause(cyclic);
        Throwable suppressing = new IllegalStateException("one");
        suppressing.addSuppressed(cyclic);

        for (Throwable each : List.of(new Exception(), cyclic, suppressing, new InterruptedException("asked"))) {
            assertThat(UnprintableException.printable(each)).isSameAs(each);
        }
    }

    @Test
    void printable_ownMethodsThrow_isOneThatNamesItAndHasItsTrace() {
        Throwable broken = new BrokenMessage();

        Throwable printable = UnprintableException.printable(broken);

        assertThat(printable)
                .isInstanceOf(UnprintableException.class)
                .hasMessage(BrokenMessage.class.getName()
                        + ", which cannot be printed: its own methods throw java.lang.UnsupportedOperationException");
        assertThat(printable.getStackTrace()).isEqualTo(broken.getStackTrace());
    }

    @Test
    void printable_anyOfItsMethodsThrowsOrAnythingBehindItDoes_isAnother() {
        Throwable suppressing = new Exception();
        suppressing.addSuppressed(new BrokenMessage());

        for (Throwable each : List.of(
                new CompletionException("one", new Exception("two", new BrokenMessage())),
                suppressing,
                new NoText(),
                new BrokenTrace(),
                new NewCauseEachTime(),
                new TextThatDoesNotUseTheMessage())) {
            Throwable printable = UnprintableException.printable(each);
            assertThat(printable).isInstanceOf(UnprintableException.class);
            assertThat(printable.getMessage()).startsWith(each.getClass().getName() + ", which cannot be printed");
        }
    }

    private static class BrokenMessage extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("on purpose");
        }
    }

    private static final class TextThatDoesNotUseTheMessage extends BrokenMessage {

        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            return "text";
        }
    }

    private static final class NoText extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public @Nullable String toString() {
            return null;
        }
    }

    private static final class BrokenTrace extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new UnsupportedOperationException("on purpose");
        }
    }

    private static final class NewCauseEachTime extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public Throwable getCause() {
            return new NewCauseEachTime();
        }
    }
}

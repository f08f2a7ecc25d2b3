package io.baton.cli;

import io.baton.testkit.LongRun;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** A test that meets another moment in each round: a few of them every day, all with {@code ./verify --long}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(Rounds.Provider.class)
public @interface Rounds {

    /** How many rounds every day. */
    int daily();

    /** How many rounds with {@code -Dbaton.long=true}. */
    int all();

    /** Counts them. */
    final class Provider implements TestTemplateInvocationContextProvider {

        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            Rounds rounds = context.getRequiredTestMethod().getAnnotation(Rounds.class);
            int count = LongRun.rounds(rounds.daily(), rounds.all());
            return IntStream.rangeClosed(1, count).mapToObj(round -> new TestTemplateInvocationContext() {

                @Override
                public String getDisplayName(int index) {
                    return "round " + round + " of " + count;
                }
            });
        }
    }
}

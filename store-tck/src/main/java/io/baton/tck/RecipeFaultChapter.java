package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.recipes.Counter;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Contact is cut at each message of a client that uses a recipe beside the locks. */
abstract class RecipeFaultChapter extends CutChapter {

    /** As soon as the change is visible, another client adds as well. */
    @Test
    void add_cutAtEachMessage_isCountedOnce() throws Exception {
        atEachMessage(Act.ADD, stage -> {
            Counter steady = Counter.named(stage.steady(), stage.name());
            steady.add(1);
            Counter counter = Counter.named(stage.troubled(), stage.name());

            stage.arm();
            CompletableFuture<Long> adding = counter.addAsync(10);
            soon().until(() -> adding.isDone() || steady.get() == 11);
            steady.add(100);
            assertThat(outcome(adding)).isIn(11L, 111L);
            stage.disarm();

            assertThat(steady.get()).isEqualTo(111);
        });
    }
}

package io.baton.chaos.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.chaos.history.EventKind;
import io.baton.recipes.Asking;
import io.baton.recipes.Question;
import io.baton.recipes.QuestionFailedException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Asks what all processes ask in these seconds, some twice, and serves. No two answers that are given are the same. */
final class AskingTurn implements RecipeTurn {

    private static final Duration EACH = Duration.ofSeconds(3);
    private static final int MOST_WORK_MILLIS = 500;

    private final Notes notes;
    private final Random random;
    private final Asking asking;

    /** Until the coordinator is closed. */
    @SuppressWarnings("unused")
    private final Subscription serving;

    AskingTurn(Coordinator baton, Notes notes, Random random) {
        this.notes = notes;
        this.random = random;
        this.asking = Asking.named(baton, RecipeNames.ASKING);
        this.serving = asking.serve(this::answer);
    }

    @Override
    public void play() throws InterruptedException {
        String question = RecipeNames.ofNow(RecipeNames.ASKING, EACH);
        for (int times = 1 + random.nextInt(2); times > 0; times--) {
            long asked = System.nanoTime();
            try {
                byte[] answer = asking.ask(question, question.getBytes(UTF_8), RecipeNames.someWait(random));
                notes.note(
                        EventKind.ANSWERED, "question", question, "answer", new String(answer, UTF_8), "asked", asked);
            } catch (QuestionFailedException failed) {
                notes.note(EventKind.TROUBLE, "why", failed);
            } catch (CoordinationException unanswered) {
                return;
            }
        }
    }

    private byte[] answer(Question question) throws InterruptedException {
        String answer = notes.nextWrite();
        notes.note(EventKind.ANSWERING, "question", question.id(), "answer", answer);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_WORK_MILLIS));
        return answer.getBytes(UTF_8);
    }
}

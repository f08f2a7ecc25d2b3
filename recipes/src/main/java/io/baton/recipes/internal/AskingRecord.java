package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.recipe.TextLines;
import io.baton.recipes.StandingQuestion;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The record of an asking: its questions in the order of asking, without their text. Each step of a question is one
 * write of this record, together with what it does to the record of the text.
 *
 * @param asked how many questions have been asked since the beginning; the number of the last one
 * @param questions those that are on record
 */
record AskingRecord(long asked, List<AskedQuestion> questions) {

    static final AskingRecord NONE = new AskingRecord(0, List.of());

    private static final String ASKED = "asked";

    static AskingRecord of(Optional<Item> item) {
        return item.map(AskingRecord::decode).orElse(NONE);
    }

    private static AskingRecord decode(Item item) {
        var lines = TextLines.decode(item.value());
        try {
            long asked = Long.parseLong(lines.getOrDefault(ASKED, ""));
            List<AskedQuestion> questions = new ArrayList<>();
            lines.forEach((line, value) -> {
                if (!line.equals(ASKED)) {
                    questions.add(AskedQuestion.decode(line, value));
                }
            });
            return new AskingRecord(asked, List.copyOf(questions));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException | NoSuchElementException foreign) {
            throw new CoordinationException(
                    item.key() + " should have the line 'asked=N' of an asking, and has other text", foreign);
        }
    }

    byte[] encode() {
        TextLines lines = new TextLines().add(ASKED, Long.toString(asked));
        questions.forEach(each -> lines.add(Long.toString(each.number()), each.encode()));
        return lines.bytes();
    }

    Optional<AskedQuestion> byId(String id) {
        return first(each -> each.id().equals(id));
    }

    Optional<AskedQuestion> byNumber(long number) {
        return first(each -> each.number() == number);
    }

    /** Returns the question to be begun next: the first one without an answer. */
    Optional<AskedQuestion> next() {
        return first(each -> !each.isAnswered());
    }

    private Optional<AskedQuestion> first(Predicate<AskedQuestion> which) {
        return questions.stream().filter(which).findFirst();
    }

    /** Returns whether this question is no longer on record; not if this record is older than the question. */
    boolean isOver(long number) {
        return number <= asked && byNumber(number).isEmpty();
    }

    /** Returns whether this question is answered, or no longer on record. */
    boolean isSettled(long number) {
        return isOver(number)
                || byNumber(number).filter(AskedQuestion::isAnswered).isPresent();
    }

    /** Returns whether a question that is not on record any more may have been answered before: some were forgotten. */
    boolean mayHaveForgotten(int remembered) {
        return questions.size() - unanswered() >= remembered;
    }

    int unanswered() {
        return (int) questions.stream().filter(each -> !each.isAnswered()).count();
    }

    /** Returns the answered questions to be forgotten for this many to stay: those that were asked first. */
    List<AskedQuestion> beyond(int remembered) {
        List<AskedQuestion> answered =
                questions.stream().filter(AskedQuestion::isAnswered).toList();
        return answered.subList(0, Math.max(0, answered.size() - remembered));
    }

    AskingRecord with(AskedQuestion next) {
        List<AskedQuestion> then = new ArrayList<>(questions);
        then.replaceAll(each -> each.number() == next.number() ? next : each);
        if (next.number() > asked) {
            then.add(next);
        }
        return new AskingRecord(Math.max(asked, next.number()), List.copyOf(then));
    }

    AskingRecord without(List<AskedQuestion> gone) {
        return new AskingRecord(
                asked, questions.stream().filter(each -> !gone.contains(each)).toList());
    }

    List<StandingQuestion> standing() {
        return questions.stream().map(AskedQuestion::standing).toList();
    }
}

package io.baton.chaos.election;

import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Those who stand in one election, in processes of their own, and what they have told. */
public final class Electorate implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 5;

    private final Chronicle chronicle = new Chronicle();
    private final List<CandidateSlot> posts = new ArrayList<>();

    /**
     * Starts the processes, and waits until all are there.
     *
     * @param folder where their standard error goes
     */
    public Electorate(CandidatePlan crew, Site site, Path folder) throws InterruptedException {
        try {
            Files.createDirectories(folder);
            for (int number = 1; number <= crew.processes(); number++) {
                CandidateSlot post = new CandidateSlot(number, crew, site, folder, chronicle);
                posts.add(post);
                post.start();
            }
            for (CandidateSlot post : posts) {
                awaitThere(post);
            }
        } catch (IOException broken) {
            close();
            throw new UncheckedIOException("cannot make " + folder, broken);
        } catch (RuntimeException | InterruptedException broken) {
            close();
            throw broken;
        }
    }

    /** What they have told. */
    public Chronicle chronicle() {
        return chronicle;
    }

    /** Where they are. */
    public List<CandidateSlot> posts() {
        return List.copyOf(posts);
    }

    /** Waits until the process that is there now stands. */
    public void awaitThere(CandidateSlot post) throws InterruptedException {
        String name = post.name();
        expect(
                name + " to stand",
                event -> event.what() == EventKind.CONNECTED && event.who().equals(name));
    }

    /** The first word of the newest leader, whose work goes on; waits for one. */
    public Event leader() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            Optional<Event> newest = chronicle.last(event -> event.what() == EventKind.ELECTED);
            if (newest.isPresent() && !hasStopped(newest.get())) {
                return newest.get();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        throw new IllegalStateException("waited in vain for a leader");
    }

    private boolean hasStopped(Event leader) {
        return chronicle
                .last(event -> event.what() == EventKind.STOPPED && sameTerm(event, leader))
                .isPresent();
    }

    private static boolean sameTerm(Event one, Event other) {
        return one.who().equals(other.who()) && one.text("term").equals(other.text("term"));
    }

    /** Where the process is that has told this. */
    public CandidateSlot post(Event event) {
        return posts.stream()
                .filter(post -> post.name().equals(event.process()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(event.process() + " is no more"));
    }

    /** The first event like this; waits for it. */
    public Event expect(String what, Predicate<Event> like) throws InterruptedException {
        return chronicle
                .await(like, PATIENCE)
                .orElseThrow(() -> new IllegalStateException("waited in vain for " + what));
    }

    /** The first word of whoever leads next; in a line that has become empty it may be the same candidate again. */
    public Event expectAfter(Event leader) throws InterruptedException {
        return expect(
                "another leader after " + leader.who(),
                event -> event.what() == EventKind.ELECTED && event.nanos() > leader.nanos());
    }

    /** Kills them all. */
    @Override
    public void close() {
        posts.forEach(CandidateSlot::close);
    }
}

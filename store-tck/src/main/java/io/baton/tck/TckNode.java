package io.baton.tck;

import io.baton.Coordinator;
import io.baton.election.ActiveStandby;
import io.baton.election.Breadcrumb;
import io.baton.election.HealthCheck;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that records the calls of its hooks and its fencer, and whether another node was active at that moment. */
final class TckNode {

    static final String NAME = "tck";

    /** The events of all nodes of a test, in order. */
    static final class Story {

        private final List<String> told = new CopyOnWriteArrayList<>();
        private final List<String> faults = new CopyOnWriteArrayList<>();
        private final AtomicInteger active = new AtomicInteger();

        List<String> told() {
            return told;
        }

        /** Violations; empty if there were none. */
        List<String> faults() {
            return faults;
        }
    }

    private final String id;
    private final Story story;
    private final ActiveStandby standby;
    private final List<ActiveStandby.State> states = new CopyOnWriteArrayList<>();
    private final List<Breadcrumb> fenced = new CopyOnWriteArrayList<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final AtomicInteger fencingFailures = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean healthy = true;
    private volatile boolean promotionHangs;

    TckNode(Coordinator coordinator, String id, Story story) {
        this.id = id;
        this.story = story;
        HealthCheck check = () -> healthy;
        this.standby = ActiveStandby.builder(coordinator, NAME, id)
                .address(id + ":80")
                .onPromote(leadership -> promote(), Duration.ofSeconds(2))
                .onDemote(leadership -> demote(), Duration.ofMillis(300))
                .interruptGrace(Duration.ofMillis(100))
                .health(check)
                .healthEvery(Duration.ofMillis(50), Duration.ofMillis(500))
                .fencer(this::fence, Duration.ofSeconds(2))
                .build();
        standby.onState(states::add);
    }

    TckNode start() {
        standby.start();
        return this;
    }

    ActiveStandby standby() {
        return standby;
    }

    List<ActiveStandby.State> states() {
        return states;
    }

    List<Breadcrumb> fenced() {
        return fenced;
    }

    /** The trouble in its status at each attempt to fence, and each demotion; an empty text for none. */
    List<String> troubles() {
        return troubles;
    }

    /** Makes this many attempts to fence fail. */
    TckNode failsToFence(int times) {
        fencingFailures.set(times);
        return this;
    }

    TckNode promotionHangs() {
        promotionHangs = true;
        return this;
    }

    void healthy(boolean now) {
        healthy = now;
    }

    TckNode awaitState(ActiveStandby.State state) {
        Chapter.soon().until(() -> standby.state() == state);
        return this;
    }

    private void promote() throws InterruptedException {
        if (promotionHangs) {
            never.await();
        }
        story.told.add(id + " promoted");
        if (story.active.incrementAndGet() > 1) {
            story.faults.add(id + " was promoted while another one was active");
        }
    }

    private void demote() {
        troubles.add(standby.status().trouble().orElse(""));
        if (story.told.lastIndexOf(id + " promoted") > story.told.lastIndexOf(id + " demoted")) {
            story.active.decrementAndGet();
        }
        story.told.add(id + " demoted");
    }

    private void fence(Breadcrumb last) {
        troubles.add(standby.status().trouble().orElse(""));
        if (fencingFailures.getAndDecrement() > 0) {
            story.told.add(id + " cannot fence " + last.id());
            throw new IllegalStateException("the power switch does not answer");
        }
        fenced.add(last);
        story.told.add(id + " fences " + last.id());
    }
}

package io.baton.micrometer;

import io.baton.ElectionTelemetry.FencingAttempt;
import io.baton.ElectionTelemetry.HandOver;
import io.baton.ElectionTelemetry.HealthChange;
import io.baton.ElectionTelemetry.StandbyChange;
import io.baton.ElectionTelemetry.TermBegan;
import io.baton.ElectionTelemetry.TermEnded;
import io.baton.ElectionTelemetry.TermEnded.Reason;
import io.baton.ElectionTelemetry.TermLate;
import io.baton.ElectionTelemetry.TermStopping;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of elections and of active and standby nodes, by election. Any thread. */
final class ElectionMeters {

    private final MeterRegistry registry;
    private final Iterable<Tag> tags;
    private final Gauges gauges;
    private final LockTags elections;
    private final Map<String, Leading> leading = new ConcurrentHashMap<>();
    private final Map<String, Nodes> nodes = new ConcurrentHashMap<>();

    /** A candidate, or a node, in one election. */
    private record Member(String election, String id) {}

    /** The present leaders among this coordinator's candidates, for the elections that share a tag. */
    private static final class Leading {
        private final Set<Member> now = ConcurrentHashMap.newKeySet();
    }

    /** The present states of the nodes, for the elections that share a tag. */
    private static final class Nodes {
        private final Map<Member, StandbyChange.State> states = new ConcurrentHashMap<>();
        private final Set<Member> unhealthy = ConcurrentHashMap.newKeySet();

        double in(StandbyChange.State state) {
            return states.values().stream().filter(each -> each == state).count();
        }
    }

    ElectionMeters(MeterRegistry registry, Iterable<Tag> tags, Gauges gauges, LockTags elections) {
        this.registry = registry;
        this.tags = tags;
        this.gauges = gauges;
        this.elections = elections;
    }

    // ---- terms

    void began(TermBegan event) {
        String election = elections.of(event.election());
        leading(election).now.add(new Member(event.election(), event.candidate()));
        counter("baton.election.terms", "Terms that have begun", election(election));
    }

    void stopping(TermStopping event) {
        leading(elections.of(event.election())).now.remove(new Member(event.election(), event.candidate()));
    }

    void late(TermLate event) {
        counter(
                "baton.election.late",
                "Terms whose work did not stop in time",
                election(elections.of(event.election())));
    }

    void ended(TermEnded event) {
        String election = elections.of(event.election());
        leading(election).now.remove(new Member(event.election(), event.candidate()));
        Tags by = election(election).and("reason", lower(event.reason()));
        timer(
                "baton.election.term.duration",
                "From the beginning of a term until its work had stopped",
                by,
                event.lasted());
        if (event.reason() != Reason.RETURNED && event.reason() != Reason.THREW) {
            timer(
                    "baton.election.stop.duration",
                    "From telling a leader's work to stop until it had",
                    by,
                    event.stopTook());
        }
    }

    private Leading leading(String election) {
        return leading.computeIfAbsent(election, name -> {
            Leading added = new Leading();
            gauges.add(
                    "baton.election.leading", "1 while a candidate leads", Tags.of("election", name), added.now::size);
            return added;
        });
    }

    void handOver(HandOver event) {
        counter(
                "baton.election.handovers",
                "Hand-overs that leaders were asked for, by how far they have come",
                election(elections.of(event.election())).and("phase", lower(event.phase())));
    }

    // ---- nodes

    void standby(StandbyChange event) {
        String election = elections.of(event.election());
        Nodes all = nodes(election);
        Member node = new Member(event.election(), event.node());
        all.states.put(node, event.state());
        if (event.state() == StandbyChange.State.CLOSED) {
            all.states.remove(node);
            all.unhealthy.remove(node);
        }
        counter(
                "baton.standby.changes",
                "Changes of nodes, by new state",
                election(election).and("state", lower(event.state())));
    }

    void health(HealthChange event) {
        Nodes all = nodes(elections.of(event.election()));
        Member node = new Member(event.election(), event.node());
        if (event.healthy()) {
            all.unhealthy.remove(node);
        } else {
            all.unhealthy.add(node);
        }
    }

    void fencing(FencingAttempt event) {
        Tags by = election(elections.of(event.election())).and("outcome", lower(event.outcome()));
        timer("baton.standby.fencing", "Attempts to fence a former active node", by, event.took());
    }

    private Nodes nodes(String election) {
        return nodes.computeIfAbsent(election, name -> {
            Nodes added = new Nodes();
            for (StandbyChange.State state : StandbyChange.State.values()) {
                if (state != StandbyChange.State.CLOSED) {
                    gauges.add(
                            "baton.standby.state",
                            "1 for the present state of the node, 0 for the others",
                            Tags.of("election", name, "state", lower(state)),
                            () -> added.in(state));
                }
            }
            gauges.add(
                    "baton.standby.unhealthy",
                    "1 while the node's health checks say no",
                    Tags.of("election", name),
                    added.unhealthy::size);
            return added;
        });
    }

    // ---- the registry

    private Tags election(String name) {
        return Tags.of(tags).and("election", name);
    }

    private void counter(String name, String what, Tags by) {
        Counter.builder(name).description(what).tags(by).register(registry).increment();
    }

    private void timer(String name, String what, Tags by, Duration took) {
        Timer.builder(name).description(what).tags(by).register(registry).record(took);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Op;
import io.baton.RecordKey;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.standby.BreadcrumbText;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Nodes on virtual time, whose hooks and fencers return when the test says so. */
final class StandbyRig {

    static final String ELECTION = "boss";

    final Rig rig;

    /** What all of them did, in order. */
    final List<String> told;

    StandbyRig(String store) {
        rig = new Rig(store);
        told = rig.told;
    }

    /** A node that is active; its hooks have yet to be let return. */
    Node active(String id) {
        Node node = node(id);
        node.promoted();
        return node;
    }

    /** A node whose health is checked. */
    Node checked(String id) {
        return started(new Node(id, true, options -> options));
    }

    /** The same, from the start. */
    Node sick(String id) {
        Node node = new Node(id, true, options -> options);
        node.healthy = false;
        return started(node);
    }

    Node unstarted(String id) {
        return new Node(id, false, options -> options);
    }

    int standing() {
        return rig.standing();
    }

    Node node(String id) {
        return node(id, options -> options);
    }

    /** A node that has started, with a client of its own. */
    Node node(String id, UnaryOperator<ActiveStandby.Builder> options) {
        return started(new Node(id, false, options));
    }

    private Node started(Node node) {
        node.standby.start();
        node.standby.onState(node.states::add);
        rig.loop.run();
        return node;
    }

    void pass(Duration time) {
        rig.loop.pass(time);
    }

    /** Writes a breadcrumb, as a node of another rig would. */
    void leave(Breadcrumb crumb) {
        DefaultCoordinator writer = rig.client("writer");
        rig.loop.run();
        var key = new RecordKey(ActiveStandby.BREADCRUMBS, ELECTION);
        var written = ElectionLine.named(writer, ELECTION)
                .write(List.of(), List.of(Op.put(key, BreadcrumbText.encode(crumb))));
        rig.loop.run();
        assertThat(written).isCompletedWithValue(true);
        writer.closeAsync();
        rig.loop.run();
    }

    /** Who left a breadcrumb. */
    Optional<String> breadcrumb() {
        DefaultCoordinator reader = rig.client("reader");
        var answer = ElectionLine.named(reader, ELECTION).read(new RecordKey(ActiveStandby.BREADCRUMBS, ELECTION));
        rig.loop.run();
        Optional<String> id = answer.join().map(BreadcrumbText::decode).map(Breadcrumb::id);
        reader.closeAsync();
        rig.loop.run();
        return id;
    }

    /** Somebody who looks after the nodes, from elsewhere. */
    StandbyAdmin operator() {
        return StandbyAdmin.named(rig.client("operator"), ELECTION);
    }

    /** A node whose fencer always fails, at once. */
    Node unableToFence(String id) {
        Fencer broken = last -> {
            throw new IllegalStateException("no power switch");
        };
        return node(id, options -> options.fencer(broken, Duration.ofSeconds(3)))
                .prompt();
    }

    /** Lets nodes fail until they wait for a minute or more between two attempts, and all do that now. */
    void failForLong() {
        pass(Duration.ofMinutes(10));
        while (standing() > 0) {
            pass(Duration.ofMillis(100));
        }
    }

    /** Fails this node's fencer, which is waited for, so many times. */
    void failToFence(Node node, int times) {
        for (int i = 0; i < times; i++) {
            for (int n = 0; n < 5000 && node.hands.idle(); n++) {
                pass(Duration.ofMillis(10));
            }
            node.hands.at("fence").fails("no power switch");
        }
    }

    final class Node {

        final DefaultCoordinator client;
        final ScriptedHands hands;
        final ActiveStandby standby;
        final List<ActiveStandby.State> states = new ArrayList<>();
        final List<LastResort.Stuck> stuck = new ArrayList<>();
        final List<Breadcrumb> fenced = new ArrayList<>();
        boolean healthy = true;

        private Node(String id, boolean checked, UnaryOperator<ActiveStandby.Builder> options) {
            client = rig.client(id);
            rig.loop.run();
            hands = new ScriptedHands(rig.loop, id, told);
            hands.prompt("health");
            hands.prompt("last-resort");
            ActiveStandby.Builder builder = ActiveStandby.builder(client, ELECTION, id)
                    .address(id + ":80")
                    .onPromote(leadership -> {}, Duration.ofSeconds(5))
                    .onDemote(leadership -> {}, Duration.ofSeconds(1))
                    .fencer(fenced::add, Duration.ofSeconds(3))
                    .lastResort(stuck::add);
            if (checked) {
                builder.health(() -> healthy);
            }
            standby = options.apply(builder).build(hands);
        }

        /** Has its hooks return at once. */
        Node prompt() {
            hands.prompt("promote");
            hands.prompt("demote");
            hands.prompt("fence");
            return this;
        }

        String trouble() {
            return standby.status().trouble().orElse("");
        }

        void promoted() {
            rig.loop.run();
            hands.at("promote").returns();
        }
    }
}

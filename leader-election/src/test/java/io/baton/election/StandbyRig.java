package io.baton.election;

import io.baton.internal.Client;
import io.baton.internal.ElectionLine;
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

    Node node(String id) {
        return node(id, options -> options);
    }

    /** A node that has started, with a client of its own. */
    Node node(String id, UnaryOperator<ActiveStandby.Builder> options) {
        Node node = new Node(id, options);
        node.standby.start();
        node.standby.onState(node.states::add);
        rig.loop.run();
        return node;
    }

    void pass(Duration time) {
        rig.loop.pass(time);
    }

    /** Who left a breadcrumb. */
    Optional<String> breadcrumb() {
        Client reader = rig.client("reader");
        var answer =
                ElectionLine.named(reader, ELECTION).read(new io.baton.RecordKey(ActiveStandby.BREADCRUMBS, ELECTION));
        rig.loop.run();
        Optional<String> id = answer.join().map(BreadcrumbText::decode).map(Breadcrumb::id);
        reader.closeAsync();
        rig.loop.run();
        return id;
    }

    final class Node {

        final Client client;
        final ScriptedHands hands;
        final ActiveStandby standby;
        final List<ActiveStandby.State> states = new ArrayList<>();
        final List<LastResort.Stuck> stuck = new ArrayList<>();
        boolean healthy = true;

        private Node(String id, UnaryOperator<ActiveStandby.Builder> options) {
            client = rig.client(id);
            rig.loop.run();
            hands = new ScriptedHands(rig.loop, id, told);
            hands.prompt("health");
            hands.prompt("last-resort");
            standby = options.apply(ActiveStandby.builder(client, ELECTION, id)
                            .address(id + ":80")
                            .onPromote(leadership -> {}, Duration.ofSeconds(5))
                            .onDemote(leadership -> {}, Duration.ofSeconds(1))
                            .fencer(last -> {}, Duration.ofSeconds(3))
                            .lastResort(stuck::add))
                    .build(ElectionLine.named(client, ELECTION), hands);
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

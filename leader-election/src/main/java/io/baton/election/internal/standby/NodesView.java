package io.baton.election.internal.standby;

import io.baton.Item;
import io.baton.election.Breadcrumb;
import io.baton.election.Leader;
import io.baton.election.LeaderState;
import io.baton.election.LeftBreadcrumb;
import io.baton.election.Pause;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyOverview;
import io.baton.election.internal.line.CandidateText;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.line.PauseRecord;
import io.baton.spi.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Reads the nodes of an election from the store. On the loop. */
public final class NodesView {

    private final ElectionLine line;

    public NodesView(ElectionLine line) {
        this.line = line;
    }

    /**
     * Reads the overview, the breadcrumb first. A node that is active with that breadcrumb joined the line before
     * writing it, so a line read later contains it.
     */
    public CompletableFuture<StandbyOverview> read() {
        return new Breadcrumbs(line).read().thenCompose(this::around);
    }

    private CompletableFuture<StandbyOverview> around(Optional<Item> crumb) {
        CompletableFuture<Optional<Pause>> pause = new PauseRecord(line).read();
        CompletableFuture<Optional<LeaderState>> state = new StateRecord(line).read();
        CompletableFuture<List<Entry>> nodes = line.nodeEntries();
        CompletableFuture<List<Entry>> standing = line.entries();
        return CompletableFuture.allOf(pause, state, nodes, standing)
                .thenApply(all -> view(crumb, pause.join(), state.join(), nodes.join(), standing.join()));
    }

    private static StandbyOverview view(
            Optional<Item> left,
            Optional<Pause> pause,
            Optional<LeaderState> state,
            List<Entry> nodes,
            List<Entry> standing) {
        List<Leader> candidates = standing.stream().map(CandidateText::decode).toList();
        List<StandbyMember> members = members(nodes, candidates);
        Optional<Leader> leader = candidates.stream().findFirst();
        Set<String> runs = new HashSet<>();
        members.forEach(each -> runs.add(each.run()));
        List<String> others = candidates.stream()
                .filter(each -> !runs.contains(run(each)))
                .map(Leader::id)
                .toList();
        return new StandbyOverview(
                leader,
                state.filter(
                        told -> leader.filter(now -> now.term() == told.term()).isPresent()),
                members,
                others,
                left.map(item -> left(item, members, candidates)),
                pause);
    }

    /** A node that publishes may have two entries for a moment; the later one counts. */
    private static List<StandbyMember> members(List<Entry> nodes, List<Leader> candidates) {
        List<String> line = candidates.stream().map(NodesView::run).toList();
        var members = new ArrayList<StandbyMember>();
        for (Entry entry : nodes) {
            MemberText.decode(entry).ifPresent(told -> {
                members.removeIf(each -> each.run().equals(told.run()));
                members.add(MemberText.at(line.indexOf(told.run()) + 1, told));
            });
        }
        members.sort(Comparator.comparingInt(each -> each.place() == 0 ? Integer.MAX_VALUE : each.place()));
        return members;
    }

    private static LeftBreadcrumb left(Item item, List<StandbyMember> members, List<Leader> candidates) {
        Breadcrumb crumb = BreadcrumbText.decode(item);
        boolean inContact = crumb.run().isEmpty()
                ? members.stream().anyMatch(each -> each.id().equals(crumb.id()))
                        || candidates.stream().anyMatch(each -> each.id().equals(crumb.id()))
                : members.stream().anyMatch(each -> each.run().equals(crumb.run()))
                        || candidates.stream().anyMatch(each -> run(each).equals(crumb.run()));
        return new LeftBreadcrumb(crumb, item, inContact);
    }

    private static String run(Leader candidate) {
        return candidate.metadata().getOrDefault(StandbySetup.RUN, "");
    }
}

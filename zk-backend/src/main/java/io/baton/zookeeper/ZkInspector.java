package io.baton.zookeeper;

import io.baton.StoreUnavailableException;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Names;
import io.baton.spi.Peer;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import io.baton.spi.inspect.StoreInspector;
import io.baton.zookeeper.inspect.EnsembleFacts;
import io.baton.zookeeper.inspect.EnsembleInquiry;
import io.baton.zookeeper.inspect.InspectorHandle;
import io.baton.zookeeper.inspect.InspectorHandle.Answer;
import io.baton.zookeeper.inspect.InspectorHandle.Content;
import io.baton.zookeeper.inspect.ServerFacts;
import io.baton.zookeeper.inspect.ServerInquiry;
import io.baton.zookeeper.inspect.ZkFindings;
import io.baton.zookeeper.wire.Diagnosis;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ServerQuestions;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Looks at an ensemble, and at what is below a chroot of it. */
final class ZkInspector implements StoreInspector {

    /** So many requests are under way at once. */
    private static final int AT_ONCE = 100;

    private static final int ADMIN_PORT = 8080;

    /** That of the paths of what lies below. */
    private static final Comparator<String> ORDER = Comparator.comparing(name -> name + "/");

    /** How names begin, as path segments, that recipes keep for themselves. */
    private static final String RESERVED = Names.encode("$");

    private final ZkAddress address;
    private final Settings settings;
    private final Duration patience;
    private final List<ServerQuestions> servers;
    private @Nullable InspectorHandle open;

    ZkInspector(ZkAddress address, Settings settings, Duration patience) {
        this.address = address;
        this.settings = settings;
        this.patience = patience;
        this.servers = ServerQuestions.of(address, settings);
    }

    @Override
    public NamePage names(String path, String after, int most) throws InterruptedException {
        String parent = path.isEmpty() ? address.root() : address.path(path);
        List<String> names = new ArrayList<>(children(parent, handle().await(handle().children(parent))));
        names.sort(ORDER);
        List<String> behind = names.stream()
                .filter(name -> after.isEmpty() || ORDER.compare(name, after) > 0)
                .toList();
        return new NamePage(behind.stream().limit(most).toList(), behind.size() > most);
    }

    @Override
    public List<LineSummary> lines(Line.Kind kind, List<String> paths) throws InterruptedException {
        List<LineSummary> lines = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += AT_ONCE) {
            lines.addAll(some(paths.subList(from, Math.min(paths.size(), from + AT_ONCE)).stream()
                    .map(path -> Line.of(path, kind))
                    .toList()));
        }
        return lines;
    }

    private List<LineSummary> some(List<Line> asked) throws InterruptedException {
        List<CompletableFuture<Answer<List<String>>>> listings = new ArrayList<>();
        for (Line line : asked) {
            listings.add(handle().children(address.path(line.path())));
        }
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            String path = address.path(asked.get(i).path());
            List<String> names = children(path, handle().await(listings.get(i)));
            Optional<EntryName> first = first(asked.get(i), names);
            CompletableFuture<Answer<Content>> read = first.isEmpty()
                    ? CompletableFuture.completedFuture(new Answer<>(Code.NONODE, null))
                    : handle().read(path + "/" + first.get().name());
            seen.add(new Seen(names.size(), first, read));
        }
        List<LineSummary> lines = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            Line line = asked.get(i);
            Content read = handle().await(seen.get(i).read()).value();
            Optional<Entry> first = seen.get(i).first().flatMap(name -> entry(line, name, read));
            lines.add(new LineSummary(line.path(), seen.get(i).length(), first));
        }
        return lines;
    }

    /** A line as listed, and a read of the entry that stands first. */
    private record Seen(int length, Optional<EntryName> first, CompletableFuture<Answer<Content>> read) {}

    /** The entry that stands first, if the numbers of the entries tell. */
    private static Optional<EntryName> first(Line line, List<String> names) {
        try {
            LineListing listing = LineListing.of(Naming.of(line), names);
            return listing.numbered() ? listing.entries().stream().findFirst() : Optional.empty();
        } catch (ForeignEntryException otherProgram) {
            return Optional.empty();
        }
    }

    private static Optional<Entry> entry(Line line, EntryName name, @Nullable Content read) {
        return Optional.ofNullable(read)
                .map(node -> new Entry(
                        new Peer(line, name.name(), name.sequence(), name.claim()),
                        node.stat().getCzxid(),
                        node.data(),
                        "0x" + Long.toHexString(node.stat().getEphemeralOwner())));
    }

    @Override
    public List<TreeSummary> trees(List<String> names) throws InterruptedException {
        List<TreeSummary> trees = new ArrayList<>();
        for (String name : names) {
            String path = address.path(name);
            List<String> records = new ArrayList<>(children(path, handle().await(handle().children(path))));
            records.removeIf(record -> record.startsWith(RESERVED));
            trees.add(new TreeSummary(name, records.size(), records.stream().max(String::compareTo)));
        }
        return trees;
    }

    @Override
    public List<ServerState> servers() throws InterruptedException {
        return ServerInquiry.states(servers);
    }

    @Override
    public Optional<ClockReading> clock() throws InterruptedException {
        return inquiry().clock();
    }

    @Override
    public SessionTimings timings(Duration granted) {
        Timing timing = Timing.of(granted, address.tick());
        return new SessionTimings(
                granted,
                Timing.least(address.tick()),
                address.tick(),
                Duration.ofNanos(timing.margin()),
                Duration.ofNanos(timing.beat()));
    }

    @Override
    public List<Finding> examine(Duration ttl, OptionalInt adminPort) throws InterruptedException {
        List<ServerFacts> facts = ServerInquiry.facts(servers, adminPort.orElse(ADMIN_PORT));
        if (facts.stream().noneMatch(ServerFacts::isZooKeeper)) {
            throw unavailable(facts.stream().map(ServerFacts::trouble).toList());
        }
        return new ZkFindings(address, ttl, Timing::least).of(facts, ensemble(facts));
    }

    /** As a session sees it; empty if no server gives one. */
    private Optional<EnsembleFacts> ensemble(List<ServerFacts> servers) throws InterruptedException {
        if (servers.stream().noneMatch(ServerFacts::serves)) {
            return Optional.empty();
        }
        try {
            return Optional.of(inquiry().facts());
        } catch (StoreUnavailableException brokenOrNoQuorum) {
            // A connection may break for another reason; a second one will not.
        }
        try {
            return Optional.of(inquiry().facts());
        } catch (StoreUnavailableException noQuorum) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    private EnsembleInquiry inquiry() throws InterruptedException {
        return new EnsembleInquiry(address, settings.acl().entries(), handle());
    }

    /** The children of this node; none if it is not there. */
    private static List<String> children(String path, Answer<List<String>> answer) {
        if (answer.value() != null) {
            return answer.value();
        } else if (answer.code() == Code.NONODE) {
            return List.of();
        }
        throw Errors.of("a look at " + path, answer.code(), path);
    }

    /** A session, opened if need be; not waited for where no server will give one. */
    private InspectorHandle handle() throws InterruptedException {
        if (open != null && !open.isAlive()) {
            close();
        }
        if (open == null) {
            List<Optional<Diagnosis>> troubles = ServerInquiry.troubles(servers);
            if (troubles.stream().allMatch(Optional::isPresent)) {
                throw unavailable(troubles);
            }
            open = InspectorHandle.open(address, settings, patience);
        }
        return open;
    }

    private StoreUnavailableException unavailable(List<Optional<Diagnosis>> troubles) {
        return new StoreUnavailableException("no contact with " + address + ": "
                + troubles.stream()
                        .flatMap(Optional::stream)
                        .map(Diagnosis::text)
                        .collect(Collectors.joining("; ")));
    }
}

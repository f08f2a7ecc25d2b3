package io.baton.etcd;

import com.google.protobuf.ByteString;
import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.etcd.inspect.ClusterFacts;
import io.baton.etcd.inspect.ClusterInquiry;
import io.baton.etcd.inspect.EtcdFindings;
import io.baton.etcd.inspect.MemberFacts;
import io.baton.etcd.inspect.MemberInquiry;
import io.baton.etcd.inspect.Prefix;
import io.baton.etcd.wire.Diagnosis;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.MemberConnection;
import io.baton.etcd.wire.MemberConnection.Answer;
import io.baton.etcd.wire.Settings;
import io.baton.spi.Entry;
import io.baton.spi.EventLoop;
import io.baton.spi.Line;
import io.baton.spi.Names;
import io.baton.spi.Peer;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import io.baton.spi.inspect.StoreInspector;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at a cluster, and at what is below a root in it. */
final class EtcdInspector implements StoreInspector {

    /** So many requests are under way at once. */
    private static final int AT_ONCE = 100;

    private static final int PAGE = 1_000;

    /** Behind a key, the beginning of the next one. */
    private static final ByteString NEXT = ByteString.copyFrom(new byte[1]);

    /** A transaction of Baton's, with its own part. */
    private static final int OPERATIONS = 128;

    /** How names begin, as path segments, that recipes keep for themselves. */
    private static final String RESERVED = Names.encode("$");

    private final EtcdAddress address;
    private final Settings settings;
    private final EventLoop loop = new EventLoop("baton-etcd-inspection");
    private final List<MemberConnection> members;
    private @Nullable MemberConnection serving;

    EtcdInspector(EtcdAddress address, Settings settings, Duration patience) {
        this.address = address;
        this.settings = settings;
        this.members = MemberConnection.of(address, settings, loop, patience);
    }

    /** In the order of the keys below them. Leaves out keys without a slash, and names that are not text. */
    @Override
    public NamePage names(String path, String after, int most) {
        Prefix prefix = prefix(path);
        List<String> names = new ArrayList<>();
        ByteString from = after.isEmpty() ? prefix.bytes() : prefix.behind(ByteString.copyFromUtf8(after));
        while (true) {
            RangeResponse page = answer("a look at " + prefix.text(), ask(prefix.from(from, PAGE)));
            for (KeyValue kv : page.getKvsList()) {
                ByteString name = prefix.nameOf(kv.getKey());
                String text = name.isValidUtf8() ? name.toStringUtf8() : "";
                if (!text.isEmpty()
                        && (names.isEmpty() || !names.get(names.size() - 1).equals(text))) {
                    if (names.size() == most) {
                        return new NamePage(names, true);
                    }
                    names.add(text);
                }
                from = name.isEmpty() ? kv.getKey().concat(NEXT) : prefix.behind(name);
            }
            if (!page.getMore()) {
                return new NamePage(names, false);
            }
        }
    }

    @Override
    public List<LineSummary> lines(Line.Kind kind, List<String> paths) {
        List<LineSummary> lines = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += AT_ONCE) {
            List<String> some = paths.subList(from, Math.min(paths.size(), from + AT_ONCE));
            List<CompletableFuture<Answer<RangeResponse>>> asked =
                    some.stream().map(path -> ask(prefix(path).oldest())).toList();
            for (int i = 0; i < some.size(); i++) {
                String path = some.get(i);
                RangeResponse found = answer("a look at " + path, asked.get(i));
                Optional<Entry> first = found.getKvsList().stream()
                        .findFirst()
                        .map(kv ->
                                entry(Line.of(path, kind), prefix(path).text().length(), kv));
                lines.add(new LineSummary(path, found.getCount(), first));
            }
        }
        return lines;
    }

    private static Entry entry(Line line, int prefix, KeyValue kv) {
        String name = kv.getKey().toStringUtf8().substring(prefix);
        long created = kv.getCreateRevision();
        String session = "0x" + Long.toHexString(kv.getLease());
        return new Entry(
                new Peer(line, name, created, EntryNames.claim(line.kind(), name)),
                created,
                kv.getValue().toByteArray(),
                session);
    }

    @Override
    public List<TreeSummary> trees(List<String> names) {
        List<TreeSummary> trees = new ArrayList<>();
        for (String name : names) {
            Prefix tree = prefix(name);
            CompletableFuture<Answer<RangeResponse>> all = ask(tree.last());
            CompletableFuture<Answer<RangeResponse>> reserved = ask(tree.count(RESERVED));
            RangeResponse found = answer("a look at " + name, all);
            Optional<String> last = found.getKvsList().stream()
                    .map(kv -> kv.getKey().toStringUtf8().substring(tree.text().length()))
                    .filter(record -> !record.startsWith(RESERVED))
                    .findFirst();
            long records =
                    found.getCount() - answer("a look at " + name, reserved).getCount();
            trees.add(new TreeSummary(name, records, last));
        }
        return trees;
    }

    @Override
    public List<ServerState> servers() throws InterruptedException {
        return MemberInquiry.facts(members, OptionalInt.empty()).stream()
                .map(each -> new ServerState(
                        each.server(),
                        each.trouble().map(Diagnosis::text),
                        each.role(),
                        each.version(),
                        each.roundTrip()))
                .toList();
    }

    /** The leader's, or that of another member that tells it. */
    @Override
    public Optional<ClockReading> clock() throws InterruptedException {
        List<MemberFacts> facts = MemberInquiry.facts(members, OptionalInt.empty());
        return facts.stream()
                .filter(each -> each.role().filter("leader"::equals).isPresent())
                .flatMap(each -> each.clock().stream())
                .findFirst()
                .or(() -> facts.stream().flatMap(each -> each.clock().stream()).findFirst());
    }

    @Override
    public SessionTimings timings(Duration granted) {
        Timing timing = Timing.of(granted);
        return new SessionTimings(
                granted,
                Timing.LEAST,
                LiveEtcdStore.EXPIRY_LAG,
                Duration.ofNanos(timing.margin()),
                Duration.ofNanos(timing.beat()));
    }

    @Override
    public List<Finding> examine(Duration ttl, OptionalInt adminPort) throws InterruptedException {
        List<MemberFacts> facts = MemberInquiry.facts(members, adminPort);
        if (facts.stream().noneMatch(MemberFacts::isEtcd)) {
            throw unavailable(
                    facts.stream().flatMap(each -> each.trouble().stream()).toList());
        }
        Optional<ClusterFacts> cluster = serving(new ArrayList<>())
                .map(member -> new ClusterInquiry(address, member).facts(LiveEtcdStore.MAX_BYTES, OPERATIONS));
        boolean user = settings.user().isPresent();
        return new EtcdFindings(ttl, LiveEtcdStore.MAX_BYTES, address.key(""), user, Instant.now()).of(facts, cluster);
    }

    @Override
    public void close() {
        loop.execute(() -> members.forEach(MemberConnection::close));
        loop.close();
    }

    // ---- requests

    private Prefix prefix(String path) {
        return new Prefix(path.isEmpty() ? address.key("") : address.key(path) + "/");
    }

    private CompletableFuture<Answer<RangeResponse>> ask(RangeRequest request) {
        List<Status> said = new ArrayList<>();
        MemberConnection member = serving(said).orElseThrow(() -> unavailable(diagnoses(said)));
        return member.ask(KVGrpc.getRangeMethod(), request);
    }

    private List<Diagnosis> diagnoses(List<Status> said) {
        List<Diagnosis> troubles = new ArrayList<>();
        for (int i = 0; i < said.size(); i++) {
            troubles.add(members.get(i).diagnosis(said.get(i)));
        }
        return troubles;
    }

    private RangeResponse answer(String what, CompletableFuture<Answer<RangeResponse>> asked) {
        Answer<RangeResponse> answer = asked.join();
        if (answer.value() != null) {
            return answer.value();
        } else if (answer.fault().code() == Code.LOST) {
            serving = null;
            throw new StoreUnavailableException(what + ": " + answer.fault().message());
        }
        throw Errors.of(what, answer.fault());
    }

    /**
     * A member that answers a read which takes a quorum, if only to refuse it to this client.
     *
     * @param said gets what each member says, if none does
     */
    private Optional<MemberConnection> serving(List<Status> said) {
        if (serving == null) {
            List<CompletableFuture<Answer<RangeResponse>>> reads =
                    members.stream().map(this::quorumRead).toList();
            for (int i = 0; i < reads.size() && serving == null; i++) {
                Answer<RangeResponse> answer = reads.get(i).join();
                Fault fault = answer.fault();
                said.add(answer.status());
                if (fault.ok() || fault.code() == Code.DENIED) {
                    serving = members.get(i);
                } else if (MemberConnection.refusesUser(fault)) {
                    throw new StoreUnavailableException("no contact with " + address + ": " + fault.message());
                }
            }
        }
        return Optional.ofNullable(serving);
    }

    private CompletableFuture<Answer<RangeResponse>> quorumRead(MemberConnection member) {
        return member.ask(
                KVGrpc.getRangeMethod(),
                new Prefix(address.key(".sessions/")).from(ByteString.copyFromUtf8(address.sessionKey(0)), 1));
    }

    private CoordinationException unavailable(List<Diagnosis> troubles) {
        return new StoreUnavailableException("no contact with " + address + ": "
                + troubles.stream().map(Diagnosis::text).collect(Collectors.joining("; ")));
    }
}

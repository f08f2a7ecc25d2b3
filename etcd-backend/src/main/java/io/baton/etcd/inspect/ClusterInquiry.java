package io.baton.etcd.inspect;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.MemberConnection;
import io.baton.etcd.wire.MemberConnection.Answer;
import io.etcd.jetcd.api.AlarmMember;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the cluster about itself and what this client may do, by way of one member. What is tried is a transaction whose
 * condition never holds, which the servers judge as if it did; and one key, bound to a lease that is ended at once.
 */
public final class ClusterInquiry {

    private static final String SESSIONS = ".sessions";

    /**
     * What Baton keeps for itself below the root: a user may have been given only some of it. Programs have other trees
     * there, of records and configurations.
     */
    static final List<String> BRANCHES = List.of(
            SESSIONS,
            "locks",
            "rwlocks",
            "semaphores",
            "elections",
            "config",
            "config.history",
            "config.fleet",
            "baton.permits",
            "baton.semaphores",
            "baton.releases",
            "baton.evictions",
            "baton.delays",
            "baton.nodes",
            "baton.handovers",
            "baton.pauses",
            "baton.breadcrumbs",
            "baton.states",
            "baton.wakes",
            "baton.groups",
            "baton.latches",
            "baton.parties",
            "baton.barriers",
            "baton.inside",
            "baton.doublebarriers",
            "baton.counters",
            "baton.sequences",
            "baton.seats",
            "baton.askings",
            "baton.questions");

    private static final String TRIED = "baton-doctor";

    /** An alarm that jetcd's messages do not name. */
    private static final int CORRUPT = 2;

    private static final int LEAST_REQUEST = 1 << 12;

    private final Prefix root;
    private final MemberConnection member;
    private final Set<String> unreadable = new LinkedHashSet<>();
    private final Set<String> unwritable = new LinkedHashSet<>();
    private final Set<String> refused = new LinkedHashSet<>();
    private Optional<String> failure = Optional.empty();

    /** An inquiry, for one use. */
    public ClusterInquiry(EtcdAddress address, MemberConnection member) {
        this.root = new Prefix(address.key(""));
        this.member = member;
    }

    /**
     * All that there is to be found out. Blocks.
     *
     * @param bytes how large a request Baton makes
     * @param operations how many operations a transaction of Baton's has
     */
    public ClusterFacts facts(int bytes, int operations) {
        List<Member> members = value(ClusterGrpc.getMemberListMethod(), MemberListRequest.getDefaultInstance())
                .map(MemberListResponse::getMembersList)
                .orElse(List.of());
        boolean everything = mayDoEverything();
        if (!everything) {
            BRANCHES.forEach(this::tryBelow);
        }
        Optional<Duration> shortest = lease();
        return new ClusterFacts(
                (int) members.stream().filter(each -> !each.getIsLearner()).count(),
                members.stream()
                        .filter(Member::getIsLearner)
                        .map(each -> each.getName().isEmpty() ? "one that has not been started" : each.getName())
                        .toList(),
                alarms(),
                refused(),
                everything,
                failure,
                shortest,
                request(bytes),
                operations(operations));
    }

    /** Whether all keys below the root may be read and written. The right to write keys is the right to delete them. */
    private boolean mayDoEverything() {
        RequestOp delete =
                RequestOp.newBuilder().setRequestDeleteRange(root.deletion()).build();
        return readable(root) && allowed(never(root, List.of(delete)));
    }

    /** Tries to read, and to write if that is allowed: a transaction's condition is a read, too. */
    private void tryBelow(String branch) {
        Prefix prefix = root.below(branch);
        RequestOp put = RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder().setKey(tried(prefix)))
                .build();
        if (!readable(prefix)) {
            unreadable.add(branch);
        } else if (!allowed(never(prefix, List.of(put)))) {
            unwritable.add(branch);
        }
    }

    private boolean readable(Prefix prefix) {
        return fault(member.ask(KVGrpc.getRangeMethod(), prefix.any())).code() != Code.DENIED;
    }

    private List<String> refused() {
        List<String> all = new ArrayList<>(below("read", unreadable));
        all.addAll(below("write", unwritable));
        all.addAll(refused);
        return all;
    }

    private List<String> below(String what, Set<String> branches) {
        return branches.size() == BRANCHES.size()
                ? List.of(what + " below " + root.text())
                : branches.stream()
                        .map(branch -> what + " below " + root.below(branch).text())
                        .toList();
    }

    /** Whether this client may write that. */
    private boolean allowed(Fault write) {
        if (write.code() == Code.DENIED) {
            return false;
        }
        if (!write.ok()) {
            failure = Optional.of(write.message());
        }
        return true;
    }

    private Optional<List<String>> alarms() {
        AlarmRequest request = AlarmRequest.newBuilder()
                .setAction(AlarmRequest.AlarmAction.GET)
                .build();
        return value(MaintenanceGrpc.getAlarmMethod(), request)
                .map(answer -> answer.getAlarmsList().stream()
                        .map(ClusterInquiry::name)
                        .distinct()
                        .toList());
    }

    private static String name(AlarmMember alarm) {
        return alarm.getAlarmValue() == CORRUPT ? "CORRUPT" : alarm.getAlarm().name();
    }

    /** Grants a lease, binds a key to it, and ends it. */
    private Optional<Duration> lease() {
        LeaseGrantRequest asked = LeaseGrantRequest.newBuilder().setTTL(1).build();
        Answer<LeaseGrantResponse> answer =
                member.ask(LeaseGrpc.getLeaseGrantMethod(), asked).join();
        LeaseGrantResponse granted = answer.value();
        if (granted == null) {
            if (!allowed(answer.fault())) {
                refused.add("grant leases");
            }
            return Optional.empty();
        }
        PutRequest put = PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(
                        root.below(SESSIONS).text() + TRIED + "-" + Long.toHexString(granted.getID())))
                .setLease(granted.getID())
                .build();
        if (!unreadable.contains(SESSIONS) && !allowed(fault(member.ask(KVGrpc.getPutMethod(), put)))) {
            unwritable.add(SESSIONS);
        }
        LeaseRevokeRequest end =
                LeaseRevokeRequest.newBuilder().setID(granted.getID()).build();
        Fault ignored = fault(member.ask(LeaseGrpc.getLeaseRevokeMethod(), end));
        return Optional.of(Duration.ofSeconds(granted.getTTL()));
    }

    private OptionalInt request(int most) {
        for (int bytes = most; bytes >= LEAST_REQUEST; bytes /= 2) {
            RequestOp put = RequestOp.newBuilder()
                    .setRequestPut(PutRequest.newBuilder()
                            .setKey(tried(root.below(SESSIONS)))
                            .setValue(UnsafeByteOperations.unsafeWrap(new byte[bytes])))
                    .build();
            Fault fault = never(root.below(SESSIONS), List.of(put));
            if (fault.ok()) {
                return OptionalInt.of(bytes);
            } else if (fault.code() != Code.TOO_LARGE) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.empty();
    }

    private Optional<Boolean> operations(int count) {
        RequestOp read = RequestOp.newBuilder()
                .setRequestRange(root.below(SESSIONS).any())
                .build();
        Fault fault = never(root.below(SESSIONS), Collections.nCopies(count, read));
        return fault.ok() ? Optional.of(true) : fault.code() == Code.TOO_LARGE ? Optional.of(false) : Optional.empty();
    }

    /** What the servers say to a transaction that would do this if a key had been created in the last of all revisions. */
    private Fault never(Prefix below, List<RequestOp> operations) {
        TxnRequest request = TxnRequest.newBuilder()
                .addCompare(Compare.newBuilder()
                        .setKey(tried(below))
                        .setTarget(Compare.CompareTarget.CREATE)
                        .setResult(Compare.CompareResult.EQUAL)
                        .setCreateRevision(Long.MAX_VALUE))
                .addAllSuccess(operations)
                .build();
        return fault(member.ask(KVGrpc.getTxnMethod(), request));
    }

    private static ByteString tried(Prefix below) {
        return ByteString.copyFromUtf8(below.text() + TRIED);
    }

    private <Q, R> Optional<R> value(MethodDescriptor<Q, R> method, Q question) {
        return Optional.ofNullable(member.ask(method, question).join().value());
    }

    private static <R> Fault fault(CompletableFuture<Answer<R>> answer) {
        return answer.join().fault();
    }
}

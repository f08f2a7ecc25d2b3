package io.baton.zookeeper.inspect;

import io.baton.spi.inspect.ClockReading;
import io.baton.zookeeper.inspect.InspectorHandle.Answer;
import io.baton.zookeeper.inspect.InspectorHandle.Content;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** Asks the ensemble, in a session, about the store's path and about itself. */
public final class EnsembleInquiry {

    /** What Baton keeps below the path, where not only the path's own permissions count. */
    private static final Set<String> BRANCHES = Set.of("locks", "elections", "config");

    private static final String OWN = "baton.";
    private static final String HISTORY = ".history";
    private static final int MOST_QUOTAS = 100;

    /** What may become of a trial that is allowed: done, or its parent has just been deleted. */
    private static final Set<Code> ALLOWED = Set.of(Code.OK, Code.NONODE);

    private final ZkAddress address;
    private final List<ACL> acl;
    private final InspectorHandle handle;
    private final List<String> refused = new ArrayList<>();
    private final List<String> full = new ArrayList<>();

    /** An inquiry, for one use. What this client makes has this access list. */
    public EnsembleInquiry(ZkAddress address, List<ACL> acl, InspectorHandle handle) {
        this.address = address;
        this.acl = acl;
        this.handle = handle;
    }

    /** What the leader's clock shows, by a write below the path that leaves nothing; empty if that cannot be done. */
    public Optional<ClockReading> clock() throws InterruptedException {
        return missing(address.root())
                ? Optional.empty()
                : WriteTrial.below(address.root(), acl, handle).clock();
    }

    /** All that there is to be found out. */
    public EnsembleFacts facts() throws InterruptedException {
        String there = address.root();
        while (missing(there)) {
            there = there.substring(0, Math.max(1, there.lastIndexOf('/')));
        }
        boolean missing = !there.equals(address.root());
        WriteTrial trial = WriteTrial.below(there, acl, handle);
        judge(there, trial);
        if (!missing) {
            for (String branch : branches()) {
                String path = address.path(branch);
                judge(path, WriteTrial.below(path, acl, handle));
            }
        }
        String members = text(ZooDefs.CONFIG_NODE);
        return new EnsembleFacts(
                missing,
                List.copyOf(refused),
                List.copyOf(full),
                !trial.tooNew(),
                quotas(),
                count(members, false),
                count(members, true),
                trial.clock());
    }

    private boolean missing(String path) throws InterruptedException {
        return handle.await(handle.read(path)).code() == Code.NONODE;
    }

    private void judge(String path, WriteTrial trial) throws InterruptedException {
        Code read = handle.await(handle.children(path)).code();
        if (read == Code.NOAUTH) {
            refused.add("read below " + path);
        } else if (read != Code.OK && read != Code.NONODE) {
            throw Errors.of("an inspection of " + path, read, path);
        }
        if (trial.code() == Code.QUOTAEXCEEDED) {
            full.add(path);
        } else if (trial.code() == Code.NOAUTH || trial.code() == Code.INVALIDACL) {
            refused.add(trial.refused() + " below " + path + (trial.code() == Code.NOAUTH ? "" : " (INVALIDACL)"));
        } else if (!ALLOWED.contains(trial.code()) && !trial.tooNew()) {
            throw Errors.of("a write below " + path, trial.code(), path);
        }
    }

    /** Those of Baton's trees and lines' parents that are there. */
    private List<String> branches() throws InterruptedException {
        Answer<List<String>> answer = handle.await(handle.children(address.root()));
        List<String> names = answer.value() == null ? List.of() : answer.value();
        return names.stream()
                .filter(name -> BRANCHES.contains(name)
                        || name.startsWith(OWN)
                        || name.endsWith(HISTORY)
                        || names.contains(name + HISTORY))
                .sorted()
                .toList();
    }

    private List<QuotaState> quotas() throws InterruptedException {
        List<String> paths = new ArrayList<>();
        for (int slash = address.chroot().indexOf('/', 1); slash > 0; ) {
            paths.add(address.chroot().substring(0, slash));
            slash = address.chroot().indexOf('/', slash + 1);
        }
        Deque<String> below = new ArrayDeque<>(List.of(address.chroot()));
        while (!below.isEmpty() && paths.size() < MOST_QUOTAS) {
            String path = below.remove();
            paths.add(path);
            Answer<List<String>> children = handle.await(handle.children(Quotas.quotaPath(path)));
            if (children.value() != null) {
                children.value().stream()
                        .filter(name -> !name.equals(Quotas.limitNode) && !name.equals(Quotas.statNode))
                        .forEach(name -> below.add(path + "/" + name));
            }
        }
        List<QuotaState> quotas = new ArrayList<>();
        for (String path : paths) {
            String limits = text(Quotas.limitPath(path));
            if (!limits.isEmpty()) {
                String used = text(Quotas.statPath(path));
                quotas.add(new QuotaState(path, new StatsTrack(limits), new StatsTrack(used)));
            }
        }
        return quotas;
    }

    /** What a node says; empty if it is not there, or cannot be read. */
    private String text(String path) throws InterruptedException {
        Answer<Content> answer = handle.await(handle.read(path));
        return answer.value() == null ? "" : new String(answer.value().data(), StandardCharsets.UTF_8);
    }

    private static int count(String members, boolean observers) {
        return (int) members.lines()
                .filter(line -> line.startsWith("server."))
                .filter(line -> line.contains(":observer") == observers)
                .count();
    }
}

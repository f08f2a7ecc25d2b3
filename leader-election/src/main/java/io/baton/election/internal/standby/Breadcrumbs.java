package io.baton.election.internal.standby;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.election.ActiveStandby;
import io.baton.election.Breadcrumb;
import io.baton.election.internal.line.ElectionLine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one breadcrumb of an election. Requests complete on the loop. */
public final class Breadcrumbs {

    private final ElectionLine line;
    private final RecordKey key;

    public Breadcrumbs(ElectionLine line) {
        this.line = line;
        this.key = new RecordKey(ActiveStandby.BREADCRUMBS, line.name());
    }

    CompletableFuture<Optional<Item>> read() {
        return line.read(key);
    }

    /**
     * Writes this node's breadcrumb; returns false if the node no longer leads, or the record is not as it was read.
     */
    CompletableFuture<Boolean> claim(Guard leads, @Nullable Item read, Breadcrumb own) {
        Guard asRead = read == null ? Guard.absent(key) : Guard.unchanged(read);
        return line.write(List.of(leads, asRead), List.of(Op.put(key, BreadcrumbText.encode(own))));
    }

    /** Removes the breadcrumb on an operator's behalf; returns false if it is not as it was read. */
    public CompletableFuture<Boolean> remove(Item read) {
        return line.write(List.of(Guard.unchanged(read)), List.of(Op.delete(key)));
    }

    /**
     * Removes this node's breadcrumb; returns false if the node no longer leads. Only a leader writes breadcrumbs, so
     * it is its own.
     */
    CompletableFuture<Boolean> removeOwn(Guard leads) {
        return line.write(List.of(leads), List.of(Op.delete(key)));
    }
}

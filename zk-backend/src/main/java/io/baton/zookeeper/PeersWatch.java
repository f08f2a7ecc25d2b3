package io.baton.zookeeper;

import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows all entries of a line. Entries are not read, unless their order cannot be told by their names. */
final class PeersWatch extends LineWatch {

    private final Consumer<List<Peer>> to;

    private boolean ordering;
    private boolean again;
    private @Nullable List<Peer> told;

    PeersWatch(ZkSession session, Line line, Consumer<List<Peer>> to) {
        super(session, line, "who stands");
        this.to = to;
    }

    @Override
    void listed() {
        ordering = false;
        again = false;
        moved();
    }

    @Override
    void moved() {
        if (!isListed()) {
            return;
        }
        if (ordering) {
            again = true;
        } else if (entries().stream().allMatch(EntryName::numbered)) {
            notifyListener(entries().stream()
                    .sorted(EntryName.LINE_ORDER)
                    .map(entry -> new Peer(line(), entry.name(), entry.sequence(), entry.claim()))
                    .toList());
        } else {
            readOrder();
        }
    }

    @Override
    void written(String name) {}

    @Override
    void confirmed() {}

    /** Orders by czxid, where the sequence numbers cannot be used. */
    private void readOrder() {
        ordering = true;
        int now = contact();
        session().czxidOrder().order(path(), List.copyOf(entries()), (failed, born, complete) -> {
            if (!counts(now)) {
                return;
            }
            ordering = false;
            if (failed != null) {
                warn(failed);
                retryLater(now);
            } else if (again) {
                again = false;
                moved();
            } else {
                notifyListener(born.stream()
                        .map(one -> new Peer(line(), one.name(), one.czxid(), one.claim()))
                        .toList());
            }
        });
    }

    private void notifyListener(List<Peer> now) {
        succeeded();
        resolveTrouble();
        if (!now.equals(told)) {
            told = now;
            to.accept(now);
        }
    }
}

package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.support.Downgrades;
import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer in Curator's dialect that Curator's {@code Revoker} asks to release by a text in its entry, reply by reply. */
class RevocationTest {

    private static final byte[] MARKED = Downgrades.mark(new byte[0]);

    private final ScriptedWire wire = new ScriptedWire();
    private final Line line = Line.at("/legacy/orders", ZooKeeperDialects.CURATOR, Line.Kind.READ_WRITE);
    private final DeafListener listener = new DeafListener();
    private int asked;
    private Peer own;
    private Place place;
    private String entry;

    @BeforeEach
    void acquireAndObserve() {
        ZkSession session = wire.session(listener);
        wire.connect();
        wire.answer("read /app", Code.OK, node("/app", new byte[0], 0, 9));
        session.lengths().note("/legacy/orders", 0);
        var told = new ArrayList<String>();
        place = session.join(line, Claim.EXCLUSIVE, new byte[0], new NotedStanding(told));
        String create = wire.open().get(0);
        entry = create.substring("create ".length()) + "0000000003";
        String name = entry.substring(entry.lastIndexOf('/') + 1);
        wire.answer(create, Code.OK, node(entry, new byte[0], 0, 9));
        wire.answer("children /legacy/orders", Code.OK, List.of(name));
        assertThat(told).containsExactly("clear");

        own = new Peer(line, name, 3, Claim.EXCLUSIVE);
        session.observeAskedToRelease(own, () -> asked++);
        wire.answer("watch " + entry, Code.OK, node(entry, new byte[0], 0, 9));
        read(new byte[0], 0, 9);
    }

    @Test
    void revoked_downgradedEntry_isHeardAndTheDowngradeIsWrittenAgain() {
        place.downgrade();
        wire.answer(write(), Code.OK, null);
        read(MARKED, 1, 10); // as it is watched from now on
        changed(MARKED, 1, 10);
        assertThat(asked).isZero();
        int before = wire.multis.size();

        changed(Revocation.text(), 2, 11);

        assertThat(asked).isEqualTo(1);
        assertThat(wire.multis).hasSize(before + 1);
        assertMarksVersion(2);
        wire.answer(write(), Code.OK, null);
        changed(MARKED, 3, 12);
        assertThat(asked).isEqualTo(1);
        assertThat(wire.open()).isEmpty();
    }

    @Test
    void revoked_downgradedEntryMayNotBeWritten_isATroubleUntilTheDowngradeIsWrittenAgain() {
        overwriteDowngrade();
        for (int refused = 1; refused <= 4; refused++) {
            wire.answer(write(), Code.NOAUTH, 0);
            assertThat(listener.troubles).hasSize(refused >= 3 ? 1 : 0);
            passUntilWritten();
        }
        assertThat(listener.troubles.values()).singleElement().asString().contains("NoAuth");

        wire.answer(write(), Code.OK, null);

        assertThat(listener.troubles).isEmpty();
    }

    @Test
    void revoked_downgradedEntryMayNotBeWrittenAndIsLeft_isNoTroubleAnyMore() {
        overwriteDowngrade();
        for (int refused = 1; refused <= 3; refused++) {
            wire.answer(write(), Code.NOAUTH, 0);
            if (refused < 3) {
                passUntilWritten();
            }
        }
        assertThat(listener.troubles).hasSize(1);
        wire.multis.clear();

        place.leave();

        assertThat(listener.troubles).isEmpty();
        wire.pass(Duration.ofMinutes(1));
        assertThat(wire.multis).noneMatch(multi -> multi.get(0) instanceof ZkOp.Write);
    }

    @Test
    void revoked_justBeforeTheDowngrade_isNotOverwrittenUnheard() {
        CompletableFuture<Void> done = place.downgrade().toCompletableFuture();
        assertMarksVersion(0);
        wire.answer(write(), Code.BADVERSION, 0);
        read(Revocation.text(), 1, 10); // as it is watched from now on
        read(Revocation.text(), 1, 10);
        assertMarksVersion(1);
        wire.answer(write(), Code.OK, null);
        assertThat(done).isCompleted();

        changed(MARKED, 2, 11);

        assertThat(asked).isEqualTo(1);
    }

    @Test
    void revoked_twice_isHeardTwice() {
        changed(Revocation.text(), 1, 10);
        changed(Revocation.text(), 2, 11);

        assertThat(asked).isEqualTo(2);
    }

    private void overwriteDowngrade() {
        place.downgrade();
        wire.answer(write(), Code.OK, null);
        read(MARKED, 1, 10); // as it is watched from now on
        changed(MARKED, 1, 10);
        changed(Revocation.text(), 2, 11);
    }

    /** Lets time pass and answers heartbeats, until the downgrade has been sent. */
    private void passUntilWritten() {
        for (int i = 0; i < 100 && !wire.open().contains(write()); i++) {
            answerBeats();
            wire.pass(Duration.ofMillis(500));
        }
        answerBeats();
    }

    private void answerBeats() {
        while (!wire.open().isEmpty() && !wire.open().get(0).equals(write())) {
            String beat = wire.open().get(0);
            wire.answer(beat, Code.OK, beat.startsWith("read") ? node("/app", new byte[0], 0, 9) : null);
        }
    }

    /** The entry was written, and each that watches it reads it. */
    private void changed(byte[] value, int version, long zxid) {
        wire.tell(entry, Change.WRITTEN);
        wire.answer("watch " + entry, Code.OK, node(entry, value, version, zxid));
        while (wire.open().contains("read " + entry)) {
            read(value, version, zxid);
        }
    }

    private void read(byte[] value, int version, long zxid) {
        wire.answer("read " + entry, Code.OK, node(entry, value, version, zxid));
    }

    private String write() {
        return "multi [" + entry + "]";
    }

    private void assertMarksVersion(int version) {
        List<ZkOp> last = wire.multis.get(wire.multis.size() - 1);
        assertThat(last).hasSize(1).first().isInstanceOfSatisfying(ZkOp.Write.class, write -> {
            assertThat(write.data()).isEqualTo(MARKED);
            assertThat(write.version()).isEqualTo(version);
        });
    }

    private static Node node(String path, byte[] value, int version, long mzxid) {
        return new Node(path, value, 9, mzxid, 9, version, 0, ScriptedWire.SESSION);
    }
}

package io.baton.etcd;

import io.baton.testkit.LongRun;
import io.baton.testkit.etcd.EtcdExtension;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The simulated wire and servers answer and tell the same as the real ones. {@code -Dbaton.agreement.seeds=100} runs more
 * random scripts, {@code -Dbaton.agreement.seed=N} one of them.
 */
@Tag("etcd")
@Timeout(300)
abstract class SimEtcdAgreementContract {

    private static final long ONE_SEED = Long.getLong("baton.agreement.seed", -1);
    private static final int SEEDS = Integer.getInteger("baton.agreement.seeds", LongRun.rounds(3, 10));

    abstract EtcdExtension etcd();

    /** As {@link SimEtcd}'s. */
    abstract boolean old();

    @Test
    void put_existingKeyWithAnotherLease_movesItToThatLease() {
        agree(AgreementScripts::moves);
    }

    @Test
    void lease_grantedRenewedRevoked_sameAnswersAndEvents() {
        agree(AgreementScripts::leases);
    }

    @Test
    void lease_expired_sameAnswersAndEvents() {
        agree(AgreementScripts::expiry);
    }

    @Test
    void txn_conditionsMetOrNot_sameAnswersAndRevisions() {
        agree(AgreementScripts::transactions);
    }

    @Test
    void txn_unknownLease_isRefusedAlike() {
        agree(AgreementScripts::unknownLease);
    }

    @Test
    void txn_keysTwiceOrTooMany_isRefusedAlike() {
        agree(AgreementScripts::refused);
    }

    @Test
    void range_ofAllKinds_sameKeysInTheSameOrder() {
        agree(AgreementScripts::ranges);
    }

    @Test
    void range_pagesOfOneRevision_sameKeysAndWhatIsCompactedOrNotThereYetIsRefusedAlike() {
        agree(AgreementScripts::pages);
    }

    @Test
    void key_deletedAndPutAgain_sameRevisions() {
        agree(AgreementScripts::sameKeyAgain);
    }

    @Test
    void watch_ofAllKinds_sameEventsInTheSameOrder() {
        agree(AgreementScripts::watches);
    }

    @Test
    void watch_fromARevisionCompacted_endsAlike() {
        agree(AgreementScripts::compaction);
    }

    @Test
    void watch_fromADeletionCompacted_isToldAlike() {
        agree(AgreementScripts::deletionCompacted);
    }

    @Test
    void contact_givenUpOrClosed_sameAnswersAndEndsInTheSameOrder() {
        agree(AgreementScripts::contact);
    }

    @Test
    void requests_atRandom_sameAnswersAndEvents() {
        long first = ONE_SEED < 0 ? 0 : ONE_SEED;
        long last = ONE_SEED < 0 ? SEEDS - 1 : ONE_SEED;
        for (long seed = first; seed <= last; seed++) {
            long chance = seed;
            agree("seed " + seed, "/" + seed, seed, client -> new RandomAgreement(client, chance).run());
        }
    }

    private void agree(Consumer<AgreementClient> script) {
        agree("", "", 1, script);
    }

    private void agree(String what, String below, long seed, Consumer<AgreementClient> script) {
        String root = etcd().root() + below;
        Agreement.assertSame(
                what,
                play(new SimAgreementRig(seed, old()), root, script),
                play(new LiveAgreementRig(etcd().server()), root, script));
    }

    private static List<String> play(AgreementRig rig, String root, Consumer<AgreementClient> script) {
        try (var client = new AgreementClient(rig, root)) {
            script.accept(client);
            return client.lines();
        }
    }
}

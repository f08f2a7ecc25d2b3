package io.baton.tck;

import static io.baton.tck.TckHeads.NOBODY;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Peer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An observer of a line receives every head, including none, without a gap. */
abstract class HeadChapter extends Chapter {

    @Test
    void head_emptyLine_isNobody() throws InterruptedException {
        TckHeads heads = TckHeads.observe(client(), LINE);

        heads.await(NOBODY);
        assertThat(heads.tokens()).containsExactly(NOBODY);
    }

    @Test
    void head_somebodyStandsThere_isTheFirst() {
        TckClient others = client();
        long first = others.join(LINE).awaitClear().token();
        others.join(LINE).awaitWaits();

        TckHeads heads = TckHeads.observe(client(), LINE);

        heads.await(first);
        assertThat(heads.tokens()).containsExactly(first);
        assertThat(heads.lastPayload()).containsExactly(1, 2, 3);
    }

    @Test
    void head_comesAndGoes_isToldEachTime() throws Exception {
        TckHeads heads = observeEmptyLine();
        TckClient others = client();
        TckContender one = others.join(LINE);
        long first = one.awaitClear().token();
        heads.await(first);
        TckContender two = client().join(LINE).awaitWaits();

        one.leave();
        long second = two.awaitClear().token();
        heads.await(second);
        two.leave();
        heads.await(NOBODY);

        assertThat(heads.tokens()).containsExactly(NOBODY, first, second, NOBODY);
    }

    @Test
    void head_othersComeAndGoBehind_isNotToldAgain() throws Exception {
        TckHeads heads = observeEmptyLine();
        long first = client().join(LINE).awaitClear().token();
        heads.await(first);
        TckClient others = client();
        for (int i = 0; i < 10; i++) {
            others.join(LINE).awaitWaits().leave();
        }

        soon().until(() -> others.peers(LINE).size() == 1);
        stays(() -> heads.tokens().size() == 2);
    }

    @Test
    void head_sessionExpires_nextIsTold() throws Exception {
        TckHeads heads = observeEmptyLine();
        TckClient owner = client();
        long first = owner.join(LINE).awaitClear().token();
        heads.await(first);
        TckContender next = client().join(LINE).awaitWaits();

        store().expire(owner.session().id());

        long second = next.awaitClear().token();
        heads.await(second);
        assertThat(heads.tokens()).containsExactly(NOBODY, first, second);
    }

    @Test
    void head_removedByHand_isNobody() throws Exception {
        TckHeads heads = observeEmptyLine();
        TckClient owner = client();
        long first = owner.join(LINE).awaitClear().token();
        heads.await(first);
        Peer peer = owner.peers(LINE).get(0);

        store().removeEntry(peer);

        heads.await(NOBODY);
        assertThat(heads.tokens()).containsExactly(NOBODY, first, NOBODY);
    }

    @Test
    void head_manyOneAfterTheOther_eachIsToldOnceAndInOrder() throws Exception {
        TckHeads heads = observeEmptyLine();
        List<TckClient> owners = List.of(client(), client());
        List<Long> expected = new ArrayList<>();
        expected.add(NOBODY);
        TckContender leading = owners.get(0).join(LINE);
        for (int i = 1; i <= 40; i++) {
            long token = leading.awaitClear().token();
            heads.await(token);
            expected.add(token);
            TckContender next = owners.get(i % 2).join(LINE).awaitWaits();
            leading.leave();
            leading = next;
        }
        long last = leading.awaitClear().token();
        heads.await(last);
        expected.add(last);

        assertThat(heads.tokens()).containsExactlyElementsOf(expected);
    }

    @Test
    void head_longLineEmptiedAtOnce_isToldInOrderAndNobodyInTheEnd() throws Exception {
        TckClient others = client();
        List<TckContender> line = new ArrayList<>();
        TckContender first = others.join(LINE);
        first.awaitClear();
        line.add(first);
        for (int i = 0; i < 30; i++) {
            line.add(others.join(LINE).awaitWaits());
        }
        TckHeads heads = TckHeads.observe(client(), LINE);
        soon().until(() -> !heads.tokens().isEmpty());

        others.run(() -> line.forEach(each -> {
            var unused = each.leaveNow();
        }));

        heads.await(NOBODY);
        List<Long> somebody =
                heads.tokens().stream().filter(token -> token != NOBODY).toList();
        assertThat(somebody).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void head_changesWhileOutOfContact_isToldAfterwards() throws Exception {
        TckClient others = steadyClient();
        TckHeads heads = observeEmptyLine();
        TckContender one = others.join(LINE);
        long first = one.awaitClear().token();
        heads.await(first);

        store().breakContact();
        TckContender two = others.join(LINE).awaitWaits();
        one.leave();
        long second = two.awaitClear().token();
        store().restoreContact();

        heads.await(second);
        assertThat(heads.tokens()).containsExactly(NOBODY, first, second);
    }

    @Test
    void head_lineEmptiedWhileOutOfContact_isNobody() throws Exception {
        TckClient others = steadyClient();
        TckHeads heads = observeEmptyLine();
        TckContender one = others.join(LINE);
        heads.await(one.awaitClear().token());

        store().breakContact();
        one.leave();
        soon().until(() -> others.peers(LINE).isEmpty());
        store().restoreContact();

        heads.await(NOBODY);
    }

    @Test
    void head_observedByAContender_neitherDisturbsTheOther() throws Exception {
        TckClient both = client();
        TckClient other = client();
        TckHeads heads = TckHeads.observe(both, LINE);
        TckContender leading = other.join(LINE);
        for (int i = 0; i < 20; i++) {
            long token = leading.awaitClear().token();
            heads.await(token);
            TckContender next = (i % 2 == 0 ? both : other).join(LINE).awaitWaits();
            leading.leave();
            leading = next;
        }
        heads.await(leading.awaitClear().token());

        heads.stop();
        int told = heads.tokens().size();
        for (int i = 0; i < 10; i++) {
            TckContender next = (i % 2 == 0 ? both : other).join(LINE).awaitWaits();
            leading.leave();
            leading = next;
            leading.awaitClear();
        }
        assertThat(heads.tokens()).hasSize(told);
    }

    @Test
    void head_observedTwice_bothAreTold() throws Exception {
        TckClient watching = client();
        TckHeads stopped = TckHeads.observe(watching, LINE);
        TckHeads heads = TckHeads.observe(watching, LINE);
        heads.await(NOBODY);
        stopped.await(NOBODY);
        stopped.stop();

        long first = client().join(LINE).awaitClear().token();

        heads.await(first);
        assertThat(stopped.tokens()).containsExactly(NOBODY);
    }

    /** Observes a line; the first event is that it is empty. */
    private TckHeads observeEmptyLine() {
        TckHeads heads = TckHeads.observe(client(), LINE);
        heads.await(NOBODY);
        return heads;
    }
}

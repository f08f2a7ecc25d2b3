package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.etcd.EtcdBinaries;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link LeaderFaults}, and with whatever else can happen to a cluster, on the newest etcd. */
@Tag("etcd")
class EtcdClusterFaultsIT extends LeaderFaults {

    private static final Pattern REVISION = Pattern.compile("\"Revision\" : (\\d+)");

    EtcdClusterFaultsIT() {
        super(EtcdBinaries.newest());
    }

    @Test
    @Tag("long")
    void follower_frozenForLongerThanSessionsLive_handOffsGoOn() throws Exception {
        int follower = cluster().followers().get(0);
        cluster().freeze(follower);
        resumes("follower frozen");
        // The time is the fault: until the leases of whoever stays with it have ended.
        SECONDS.sleep(TTL.toSeconds() + 1);
        resumes("follower frozen for longer than sessions live");

        cluster().wake(follower);
        cluster().awaitServing();
        contention().finish();
    }

    @Test
    @Tag("long")
    void member_cutOffFromTheOthersButNotFromItsClients_handOffsGoOn() throws Exception {
        for (int member : new int[] {cluster().followers().get(0), cluster().leader()}) {
            boolean led = cluster().leader() == member;
            cluster().isolate(member);
            resumes((led ? "leader" : "follower") + " cut off");
            // The time is the fault: until the leases of whoever stays with it have ended.
            SECONDS.sleep(TTL.toSeconds() + 1);
            resumes((led ? "leader" : "follower") + " cut off for longer than sessions live");

            cluster().heal();
            resumes("healed");
        }
        contention().finish();
    }

    @Test
    @Tag("long")
    void quorum_lostForTenSeconds_handOffsGoOn() throws Exception {
        int leader = cluster().leader();
        int follower = cluster().followers().get(0);
        cluster().kill(leader);
        cluster().kill(follower);
        // The time is the fault: for so long nobody can be granted anything.
        SECONDS.sleep(10);
        cluster().restart(leader);
        cluster().restart(follower);
        cluster().awaitServing();
        resumes("quorum lost for 10 s");
        contention().finish();
    }

    @Test
    @Tag("long")
    void everyMember_killedForThirtySeconds_handOffsGoOn() throws Exception {
        cluster().members().forEach(cluster()::kill);
        // The time is the fault.
        SECONDS.sleep(30);
        cluster().members().forEach(cluster()::restart);
        cluster().awaitServing();
        resumes("all gone for 30 s");
        contention().finish();
    }

    @Test
    @Tag("long")
    void members_restartedOneAfterTheOther_handOffsGoOn() throws Exception {
        for (int member : cluster().members()) {
            cluster().kill(member);
            cluster().awaitServing();
            cluster().restart(member);
            cluster().awaitServing();
            resumes("member " + member + " restarted");
        }
        contention().finish();
    }

    @Test
    @Tag("long")
    void store_compactedAgainAndAgain_handOffsGoOn() throws Exception {
        int compactions = 20;
        for (int i = 0; i < compactions; i++) {
            cluster().ctl(1).run("compaction", Long.toString(revision()));
            moreGrants();
        }
        resumes("compacted " + compactions + " times");
        contention().finish();
    }

    private long revision() {
        Matcher revision = REVISION.matcher(cluster().ctl(1).run("get", "nothing", "--write-out", "fields"));
        assertThat(revision.find()).isTrue();
        return Long.parseLong(revision.group(1));
    }
}

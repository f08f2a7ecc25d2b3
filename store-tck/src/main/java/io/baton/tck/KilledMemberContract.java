package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Subscription;
import io.baton.recipes.Group;
import io.baton.recipes.GroupView;
import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member of a group whose process is killed: observers are told that it is out about a time to live later. */
@Timeout(180)
public abstract class KilledMemberContract {

    private static final Duration TTL = Duration.ofSeconds(5);

    /** Servers look for sessions whose time is over now and then, in steps of about a second. */
    private static final Duration LOOKING = Duration.ofSeconds(1);

    /**
     * What the machine may add: three processes, of which one is a server, share its processors with other tests. It says
     * nothing about Baton; what it takes on a quiet machine is printed.
     */
    private static final Duration SCHEDULING = Duration.ofSeconds(10);

    private static final List<String> FLAGS = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    /** For subclasses. */
    protected KilledMemberContract() {}

    /** The URI of the store. */
    protected abstract String uri();

    @Test
    void member_processKilled_isOutATimeToLiveAndASecondLater() throws Exception {
        var in = new CompletableFuture<GroupView>();
        var out = new CompletableFuture<Long>();
        Process member = ChildProcess.small(
                        GroupMemberProcess.class, FLAGS, List.of(uri(), Long.toString(TTL.toMillis())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(member.getInputStream(), UTF_8));
                Coordinator baton = Coordinator.connect(uri(), PATIENT)) {
            Duration granted = Duration.ofMillis(Long.parseLong(said.readLine()));
            Subscription observing = Group.named(baton, GroupMemberProcess.GROUP)
                    .onChange(view -> {
                        if (!view.members().isEmpty()) {
                            in.complete(view);
                        } else if (in.isDone()) {
                            out.complete(System.nanoTime());
                        }
                    });
            assertThat(in.get(1, TimeUnit.MINUTES).members()).singleElement().satisfies(its -> {
                assertThat(its.pid()).isEqualTo(member.pid());
                assertThat(its.text()).isEqualTo("a process");
            });

            long killed = System.nanoTime();
            // By its handle: the process itself would close the stream that is still to be read.
            member.toHandle().destroyForcibly();

            Duration took = Duration.ofNanos(out.get(2, TimeUnit.MINUTES) - killed);
            System.out.printf("a killed member was out after %d ms, with a ttl of %s%n", took.toMillis(), granted);
            assertThat(took).isLessThan(granted.plus(LOOKING).plus(SCHEDULING));
            observing.close();
        } finally {
            member.destroyForcibly();
        }
    }
}

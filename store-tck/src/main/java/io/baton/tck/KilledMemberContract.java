package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Subscription;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMember;
import io.baton.recipes.GroupView;
import io.baton.testkit.LongRun;
import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of a group whose processes are killed: observers are told that they are out about a time to live later. */
@Timeout(300)
public abstract class KilledMemberContract {

    private static final int MEMBERS = LongRun.rounds(5, 20);
    private static final Duration TTL = Duration.ofSeconds(5);

    /** So that they die at different moments between what the store does now and then. */
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(300);

    private static final Duration BETWEEN_TIMERS = Duration.ofMillis(10);

    /**
     * How often in a row processes wait for a processor, at most: the server to end the session and to tell that, the
     * observer to hear it, and both to read the members.
     */
    private static final int TURNS = 5;

    private static final List<String> FLAGS = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    private final List<Process> processes = new ArrayList<>();
    private final CompletableFuture<GroupView> all = new CompletableFuture<>();

    /** When processes were killed, and when their members were out. */
    private final Map<Long, Long> killed = new ConcurrentHashMap<>();

    private final Map<Long, Long> out = new ConcurrentHashMap<>();

    /** How late a timer of this process was at most, as others used the processors. */
    private volatile long lag;

    private volatile long lastTimer;

    /** For subclasses. */
    protected KilledMemberContract() {}

    /** The URI of the store. */
    protected abstract String uri();

    /** How long after a time to live observers are told, at most: by default a second. */
    protected Duration afterwards() {
        return Duration.ofSeconds(1);
    }

    @Test
    void member_processKilled_isOutSoonAfterItsTimeToLive() throws Exception {
        ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);
        try (Coordinator baton = Coordinator.connect(uri(), PATIENT)) {
            Duration granted = startAll();
            Subscription observing =
                    Group.named(baton, GroupMemberProcess.GROUP).onChange(this::seen);
            assertThat(all.get(1, TimeUnit.MINUTES).members())
                    .allSatisfy(its -> assertThat(its.text()).isEqualTo("a process"))
                    .extracting(GroupMember::pid)
                    .containsExactlyInAnyOrderElementsOf(
                            processes.stream().map(Process::pid).toList());

            lastTimer = System.nanoTime();
            long nanos = BETWEEN_TIMERS.toNanos();
            var unused = timers.scheduleWithFixedDelay(this::measureLag, nanos, nanos, TimeUnit.NANOSECONDS);
            for (int i = 0; i < MEMBERS; i++) {
                Process member = processes.get(i);
                var unusedToo =
                        timers.schedule(() -> kill(member), i * BETWEEN_KILLS.toMillis(), TimeUnit.MILLISECONDS);
            }

            await().atMost(2, TimeUnit.MINUTES).until(() -> out.size() == MEMBERS);
            observing.close();
            check(granted);
        } finally {
            timers.shutdownNow();
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** At once, as members whose session ends while others start join again. */
    private Duration startAll() throws IOException {
        for (int i = 0; i < MEMBERS; i++) {
            processes.add(
                    ChildProcess.small(GroupMemberProcess.class, FLAGS, List.of(uri(), Long.toString(TTL.toMillis())))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        }
        long granted = 0;
        for (Process each : processes) {
            granted =
                    Long.parseLong(new BufferedReader(new InputStreamReader(each.getInputStream(), UTF_8)).readLine());
        }
        return Duration.ofMillis(granted);
    }

    private void seen(GroupView view) {
        long now = System.nanoTime();
        if (view.members().size() == MEMBERS) {
            all.complete(view);
        }
        Set<Long> in = view.members().stream().map(GroupMember::pid).collect(Collectors.toSet());
        killed.keySet().stream().filter(pid -> !in.contains(pid)).forEach(pid -> out.putIfAbsent(pid, now));
    }

    private void kill(Process member) {
        killed.put(member.pid(), System.nanoTime());
        member.destroyForcibly();
    }

    private void measureLag() {
        long now = System.nanoTime();
        lag = Math.max(lag, now - lastTimer - BETWEEN_TIMERS.toNanos());
        lastTimer = now;
    }

    private void check(Duration granted) {
        List<Duration> took = killed.entrySet().stream()
                .map(each -> Duration.ofNanos(out.getOrDefault(each.getKey(), Long.MAX_VALUE) - each.getValue()))
                .sorted()
                .toList();
        Duration longest = took.get(MEMBERS - 1);
        System.out.printf(
                "%d killed members were out after %d ms in the median and %d ms at most, with a ttl of %d ms; a timer"
                        + " was %d ms late at most%n",
                MEMBERS,
                took.get(MEMBERS / 2).toMillis(),
                longest.toMillis(),
                granted.toMillis(),
                TimeUnit.NANOSECONDS.toMillis(lag));
        assertThat(longest).isLessThan(granted.plus(afterwards()).plusNanos(TURNS * lag));
    }
}

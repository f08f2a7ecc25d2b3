package io.baton.chaos.fleet;

import io.baton.chaos.client.ClientArguments;
import io.baton.chaos.client.ClientMain;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.history.HistoryFolder;
import io.baton.chaos.servers.Entrance;
import io.baton.chaos.servers.FakeTime;
import io.baton.chaos.servers.Servers;
import io.baton.chaos.servers.WallClock;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place for client processes, one after the other: its network, which is a proxy before each server, its wall clock, and
 * the process that is there now.
 */
public final class ProcessSlot implements AutoCloseable {

    private final int number;
    private final ClientPlan manning;
    private final HistoryFolder folder;
    private final HistoryFile notes;
    private final String uri;
    private final List<TcpProxy> ways;
    private final Optional<WallClock> clock;
    private final boolean secure;
    private int incarnation;
    private @Nullable ClientProcess process;

    ProcessSlot(
            int number,
            ClientPlan manning,
            Servers servers,
            Optional<FakeTime> faketime,
            HistoryFolder folder,
            HistoryFile notes) {
        this.number = number;
        this.manning = manning;
        this.folder = folder;
        this.notes = notes;
        Entrance entrance = servers.entrance(number);
        this.secure = entrance.secure();
        this.ways = servers.members().stream()
                .map(member -> TcpProxy.to(entrance.address().apply(member)))
                .toList();
        List<InetSocketAddress> addresses = ways.stream().map(TcpProxy::address).toList();
        this.uri = entrance.uri().apply(addresses);
        this.clock = faketime.map(library -> library.clock("client-" + number));
    }

    /** What the process is called that is there now. */
    public String name() {
        return "p" + number + "." + incarnation;
    }

    /** Whether the process speaks TLS. */
    public boolean isSecure() {
        return secure;
    }

    /** Starts a process; there must be none. */
    public void start() {
        incarnation++;
        ClientArguments arguments = manning.arguments(name(), uri, number, incarnation, folder.file(name()));
        ClientProcess started = ClientProcess.start(
                arguments.name(),
                ClientMain.class,
                arguments.words(),
                manning.heapMegabytes(),
                clock.map(WallClock::environment).orElse(Map.of()),
                folder.path().resolve(name() + ".log"));
        started.onDeath(() -> notes.note("fleet", EventKind.DIED, "process", started.name()));
        process = started;
    }

    /** Kills the process ({@code SIGKILL}). */
    public void kill() throws InterruptedException {
        notes.note("fleet", EventKind.KILLED, "process", name());
        process().kill();
        process = null;
    }

    /** Stops the process where it is ({@code SIGSTOP}). */
    public void freeze() {
        process().freeze();
    }

    /** Lets it go on ({@code SIGCONT}). */
    public void wake() throws InterruptedException {
        process().wake();
    }

    /** Nothing reaches the servers, and nothing comes from them; the connections stay. */
    public void partition() {
        ways.forEach(TcpProxy::hold);
    }

    /** Nothing goes this way; the other way is open. */
    public void partition(Direction direction) {
        ways.forEach(way -> way.hold(direction));
    }

    /** Nothing goes to one server, or comes from it. */
    public void partitionFrom(int member) {
        ways.get(member - 1).hold();
    }

    /** Every connection is reset, and new ones are refused. */
    public void refuse() {
        ways.forEach(TcpProxy::refuse);
        cut();
    }

    /** Every connection is reset. */
    public void cut() {
        ways.forEach(TcpProxy::cut);
    }

    /** All that is sent comes later, each way. */
    public void delay(Duration eachWay) {
        ways.forEach(way -> way.delay(eachWay));
    }

    /** The network is as it should be. */
    public void heal() {
        ways.forEach(way -> {
            way.delay(Duration.ZERO);
            way.release();
            way.accept();
        });
    }

    /** Whether {@link #moveWallClock} does something. */
    public boolean hasWallClock() {
        return clock.isPresent();
    }

    /** Sets the process's wall clock off by so much; its other clock goes on. */
    public void moveWallClock(Duration off) {
        clock.ifPresent(its -> its.set(off));
    }

    void tellToStop() {
        process().tellToStop();
    }

    /** Waits until the process has ended; notes it down and kills it if it does not. */
    void awaitEnd(Duration patience) throws InterruptedException {
        if (!process().ended(patience)) {
            notes.note("fleet", EventKind.UNFINISHED, "process", name());
        }
        process().kill();
        process = null;
    }

    /** Kills what runs, and closes the network. */
    @Override
    public void close() {
        ClientProcess last = process;
        process = null;
        try {
            if (last != null) {
                last.kill();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        ways.forEach(TcpProxy::close);
    }

    private ClientProcess process() {
        return Objects.requireNonNull(process, () -> "nobody is in place " + number);
    }
}

package io.baton.chaos.election;

import io.baton.chaos.fleet.ClientProcess;
import io.baton.chaos.history.Event;
import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A place for processes, one after the other, with a network of its own to the servers. */
public final class CandidateSlot implements AutoCloseable {

    private final int number;
    private final CandidatePlan crew;
    private final Path folder;
    private final Chronicle chronicle;
    private final List<TcpProxy> ways;
    private final String uri;
    private int incarnation;
    private @Nullable ClientProcess process;

    CandidateSlot(int number, CandidatePlan crew, Site site, Path folder, Chronicle chronicle) {
        this.number = number;
        this.crew = crew;
        this.folder = folder;
        this.chronicle = chronicle;
        this.ways = site.addresses().stream().map(TcpProxy::to).toList();
        List<InetSocketAddress> addresses = ways.stream().map(TcpProxy::address).toList();
        this.uri = site.uri(addresses);
    }

    /** What the process is called that is there now. */
    public String name() {
        return crew.prefix() + number + "-" + incarnation;
    }

    /** Starts a process; there must be none. */
    public void start() {
        incarnation++;
        String name = name();
        ClientProcess started = ClientProcess.start(
                name,
                crew.main(),
                crew.words().of(name, uri),
                crew.heapMegabytes(),
                Map.of(),
                folder.resolve(name + ".log"));
        started.follow(line -> chronicle.add(Event.parse(line)));
        process = started;
    }

    /** Tells the process something. */
    public void tell(String line) {
        process().tell(line);
    }

    /** Kills the process ({@code SIGKILL}). */
    public void kill() throws InterruptedException {
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
    public void cutOff() {
        ways.forEach(TcpProxy::hold);
    }

    /** The network is as it should be. */
    public void mend() {
        ways.forEach(TcpProxy::release);
    }

    /** Tells the process to end, waits until it has, and kills it if it does not. */
    public boolean end(Duration patience) throws InterruptedException {
        process().tellToStop();
        boolean ended = process().ended(patience);
        kill();
        return ended;
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
        return Objects.requireNonNull(process, () -> "nobody is at post " + number);
    }
}

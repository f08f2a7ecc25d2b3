package io.baton.zookeeper.inspect;

import io.baton.spi.inspect.ServerState;
import io.baton.spi.support.HttpText;
import io.baton.spi.support.ParallelCalls;
import io.baton.zookeeper.wire.Diagnosis;
import io.baton.zookeeper.wire.ServerQuestions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Queries servers about themselves, all at the same time. Blocks. */
public final class ServerInquiry {

    private static final String THREAD = "baton-zk-inspection";

    /** Below any limit of a server, and {@link #LONGEST} above any. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);
    private static final Duration HTTP = Duration.ofSeconds(1);

    private ServerInquiry() {}

    /** Returns the state of each server. */
    public static List<ServerState> states(List<ServerQuestions> servers) throws InterruptedException {
        return ParallelCalls.map(servers, THREAD, ServerInquiry::state);
    }

    /** Returns the facts of each server; {@code adminPort} is the port of their admin servers. */
    public static List<ServerFacts> facts(List<ServerQuestions> servers, int adminPort) throws InterruptedException {
        return ParallelCalls.map(servers, THREAD, server -> facts(server, adminPort));
    }

    /** Returns why each server gives no contact; empty for one that does. */
    public static List<Optional<Diagnosis>> troubles(List<ServerQuestions> servers) throws InterruptedException {
        return ParallelCalls.map(servers, THREAD, ServerInquiry::trouble);
    }

    private static ServerState state(ServerQuestions server) {
        Optional<Diagnosis> trouble = trouble(server);
        Optional<SrvrAnswer> srvr =
                trouble.isPresent() ? Optional.empty() : server.word("srvr").flatMap(SrvrAnswer::parse);
        return new ServerState(
                server.server().toString(),
                trouble.map(Diagnosis::text),
                srvr.map(SrvrAnswer::mode),
                srvr.map(SrvrAnswer::version),
                trouble.isPresent() ? Optional.empty() : server.roundTrip());
    }

    private static ServerFacts facts(ServerQuestions server, int adminPort) {
        String name = server.server().toString();
        Optional<Diagnosis> trouble = trouble(server);
        if (trouble.isPresent()) {
            return new ServerFacts(
                    name,
                    trouble,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        return new ServerFacts(
                name,
                Optional.empty(),
                server.word("srvr").flatMap(SrvrAnswer::parse),
                server.word("conf").flatMap(ServerConf::parse).or(() -> adminServer(server, adminPort)),
                server.packet(),
                server.granted(SHORTEST),
                server.granted(LONGEST));
    }

    private static Optional<Diagnosis> trouble(ServerQuestions server) {
        try {
            return server.trouble();
        } catch (Throwable broken) {
            // For example, of a trust store that cannot be opened now.
            return Optional.of(new Diagnosis(
                    server.server() + " cannot be asked (" + broken.getMessage() + ")", Diagnosis.Kind.AWAY));
        }
    }

    private static Optional<ServerConf> adminServer(ServerQuestions server, int port) {
        String host = server.server().host();
        URI from = URI.create(
                "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/commands/configuration");
        return HttpText.get(from, Optional.empty(), HTTP).map(HttpText::text).flatMap(ServerConf::parse);
    }
}

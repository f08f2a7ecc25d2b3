package io.baton.cli.status;

import io.baton.cli.JsonObject;
import io.baton.cli.status.StoreStatus.Granted;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import java.time.Duration;

/** Formats a store's status as JSON: one object, with all times in milliseconds. */
final class StatusJson {

    private StatusJson() {}

    static String of(StoreStatus status) {
        return new JsonObject()
                .text("store", status.uri())
                .text("trouble", status.trouble())
                .array("servers", status.servers(), StatusJson::server)
                .raw(
                        "session",
                        status.session()
                                .map(granted -> session(granted, status.asked()))
                                .orElse("null"))
                .raw("clock", status.clock().map(StatusJson::clock).orElse("null"))
                .end();
    }

    private static String server(ServerState server) {
        return new JsonObject()
                .text("server", server.address())
                .flag("serves", server.trouble().isEmpty())
                .text("trouble", server.trouble())
                .text("role", server.role())
                .text("version", server.version())
                .raw(
                        "roundTripMicros",
                        server.roundTrip()
                                .map(time -> Long.toString(time.toNanos() / 1_000))
                                .orElse("null"))
                .end();
    }

    private static String session(Granted granted, Duration asked) {
        SessionTimings times = granted.timings();
        return new JsonObject()
                .unlessEmpty("id", granted.id())
                .number("askedMillis", asked.toMillis())
                .number("grantedMillis", times.ttl().toMillis())
                .number("shortestMillis", times.shortest().toMillis())
                .number("expiryLagMillis", times.expiryLag().toMillis())
                .number("marginMillis", times.margin().toMillis())
                .number("proofEveryMillis", times.beat().toMillis())
                .end();
    }

    private static String clock(ClockReading clock) {
        return new JsonObject()
                .text("of", clock.of())
                .number("aheadMillis", clock.ahead().toMillis())
                .number("withinMillis", clock.within().toMillis())
                .end();
    }
}

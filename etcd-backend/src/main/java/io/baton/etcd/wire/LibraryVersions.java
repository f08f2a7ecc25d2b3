package io.baton.etcd.wire;

import static java.util.stream.Collectors.joining;

import java.lang.module.ModuleDescriptor;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Describes libraries that do not work together. Without the BOM, Maven chooses a version for each jar of gRPC and Netty
 * by itself. Not all mixtures fail, so versions are named only after a class did not fit.
 */
final class LibraryVersions {

    /** gRPC's jars that Baton uses, with a type of each. */
    private static final Map<String, String> GRPC = Map.of(
            "api", "io.grpc.ManagedChannel",
            "core", "io.grpc.internal.GrpcUtil",
            "netty", "io.grpc.netty.NettyChannelBuilder",
            "protobuf", "io.grpc.protobuf.ProtoUtils",
            "stub", "io.grpc.stub.ClientCalls",
            "util", "io.grpc.util.MultiChildLoadBalancer");

    /** The same of Netty. */
    private static final Map<String, String> NETTY = Map.of(
            "buffer", "io.netty.buffer.ByteBuf",
            "codec", "io.netty.handler.codec.ByteToMessageDecoder",
            "codec-http", "io.netty.handler.codec.http.HttpHeaders",
            "codec-http2", "io.netty.handler.codec.http2.Http2Connection",
            "common", "io.netty.util.ReferenceCounted",
            "handler", "io.netty.handler.ssl.SslContext",
            "resolver", "io.netty.resolver.AddressResolver",
            "transport", "io.netty.channel.Channel");

    private LibraryVersions() {}

    /** Returns what does not fit, the versions found, and what to do. */
    static String misfit(LinkageError error) {
        return "libraries of this application do not fit each other (" + error + "). Found gRPC "
                + text(versions(GRPC)) + "; Netty " + text(versions(NETTY))
                + ". Needed is one version of gRPC and one of Netty: import io.baton:baton-bom, which manages both";
    }

    /** Names each version with its jars. */
    static String text(Map<String, String> versions) {
        var jars = new TreeMap<String, TreeSet<String>>();
        versions.forEach((jar, version) ->
                jars.computeIfAbsent(version, any -> new TreeSet<>()).add(jar));
        return jars.entrySet().stream()
                .map(entry -> entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
                .collect(joining(", "));
    }

    /** Returns the version of each jar by its type. */
    private static Map<String, String> versions(Map<String, String> types) {
        var versions = new TreeMap<String, String>();
        types.forEach((jar, type) -> versions.put(jar, version(type).orElse("unknown")));
        return versions;
    }

    /** Returns what the manifest of the type's jar says, or the name of its file if it is a module. */
    private static Optional<String> version(String name) {
        try {
            Class<?> type = Class.forName(name, false, LibraryVersions.class.getClassLoader());
            @Nullable ModuleDescriptor module = type.getModule().getDescriptor();
            return module == null
                    ? Optional.ofNullable(type.getPackage().getImplementationVersion())
                    : module.rawVersion();
        } catch (ClassNotFoundException | LinkageError unusable) {
            return Optional.empty();
        }
    }
}

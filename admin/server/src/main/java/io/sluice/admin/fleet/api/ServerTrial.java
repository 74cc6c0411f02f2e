package io.sluice.admin.fleet.api;

import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.canal.ManagementClient;
import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.fleet.action.Sentences;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.control.ControlTarget;
import io.sluice.admin.fleet.control.ControlUrl;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Tries to reach a server, in both ways. Thread-safe. */
@Component
class ServerTrial {
    private static final Duration TIMEOUT = Duration.ofSeconds(8);

    private final ControlClient control;
    private final ManagementClient management;
    private final AddressResolver resolver;

    ServerTrial(ControlClient control, ManagementClient management, AddressResolver resolver) {
        this.control = control;
        this.management = management;
        this.resolver = resolver;
    }

    /**
     * Tries.
     *
     * @param url null: it has no control API
     */
    ServerTest run(String host, int adminPort, @Nullable ControlUrl url, String token) {
        CompletableFuture<ServerTest.Result> admin = management(host, adminPort);
        CompletableFuture<ServerTest.Result> api = url == null
                ? CompletableFuture.completedFuture(new ServerTest.Result(false, "No control URL is given."))
                : control(new ControlTarget(url, token));
        return new ServerTest(api.join(), admin.join());
    }

    private CompletableFuture<ServerTest.Result> control(ControlTarget target) {
        return control.call(target, ControlCall.get("/server").within(TIMEOUT)).handle(ServerTrial::controlResult);
    }

    private static ServerTest.Result controlResult(@Nullable ControlAnswer answer, @Nullable Throwable failure) {
        if (answer == null) {
            return new ServerTest.Result(false, Sentences.of(message(failure)));
        }
        try {
            JsonNode json = answer.json();
            String version = json.path("version").asString("");
            if (!version.matches("[0-9A-Za-z.+_-]{1,60}")
                    || !json.path("destinations").isArray()) {
                return new ServerTest.Result(false, "What answers there is no Sluice server. Check address and port.");
            }
            return new ServerTest.Result(
                    true,
                    "Sluice %s with %s."
                            .formatted(
                                    version, instances(json.path("destinations").size())));
        } catch (ControlFailure e) {
            return new ServerTest.Result(false, Sentences.of(message(e)));
        }
    }

    private CompletableFuture<ServerTest.Result> management(String host, int port) {
        return resolver.resolve(host, false)
                .thenCompose(address -> management.ask(
                        new InetSocketAddress(address, port),
                        List.of(ManagementRequest.server("check"), ManagementRequest.server("list")),
                        TIMEOUT))
                .handle((answers, failure) -> answers == null
                        ? new ServerTest.Result(false, Sentences.of(message(failure)))
                        : new ServerTest.Result(
                                true,
                                answers.get(0).equals("1")
                                        ? "The management port answers; it runs %s."
                                                .formatted(instances(
                                                        answers.get(1).isEmpty()
                                                                ? 0
                                                                : answers.get(1).split(",", -1).length))
                                        : "The management port answers; the server is stopped."));
    }

    private static String instances(int count) {
        return switch (count) {
            case 0 -> "no instance";
            case 1 -> "one instance";
            default -> count + " instances";
        };
    }

    private static String message(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause == null ? "it does not answer" : String.valueOf(cause.getMessage());
    }
}

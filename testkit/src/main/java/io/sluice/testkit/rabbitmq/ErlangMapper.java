package io.sluice.testkit.rabbitmq;

import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Erlang's port mapper in a process of its own. By it nodes find each other, and they share the cookie in its folder. For one thread at a time.
 */
final class ErlangMapper {
    private final RabbitMqInstallation installation;
    private final Path folder;
    private int port;
    private @Nullable ServerProcess process;

    /**
     * Does not start it.
     *
     * @param folder where the cookie is
     */
    ErlangMapper(RabbitMqInstallation installation, Path folder) {
        this.installation = installation;
        this.folder = folder;
    }

    /** Ends it, and starts it on another port. */
    void startOnFreePort() {
        stop();
        port = FreePorts.next();
        start();
    }

    /** Starts it unless it runs; else Erlang would start one that outlives the test. */
    void start() {
        if (process == null) {
            process = ServerProcess.start(
                    List.of(installation.erlang().resolve("bin/epmd").toString()),
                    environment(),
                    folder,
                    folder.resolve("epmd.log"));
        }
    }

    /** Ends it at once. */
    void stop() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** The variables with which the programs of Erlang find it. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", installation.erlang().resolve("bin") + ":" + System.getenv("PATH"));
        environment.put("HOME", folder.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("ERL_EPMD_PORT", Integer.toString(port));
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        return environment;
    }
}

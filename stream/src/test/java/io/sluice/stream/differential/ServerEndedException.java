package io.sluice.stream.differential;

import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** The server itself has ended, as by a crash, so nothing was found out about what is delivered. */
final class ServerEndedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int LOGGED_CHARS = 6_000;

    /** While it executed a step, or after it. */
    ServerEndedException(MySqlServer server, Step step) {
        super("the server %s ended by itself, which is no difference; its last step was\n%s\nits log ends with\n%s"
                .formatted(server.release(), step, endOfLog(server)));
    }

    private static String endOfLog(MySqlServer server) {
        try {
            String log = new String(Files.readAllBytes(server.log()), StandardCharsets.UTF_8);
            return log.substring(Math.max(0, log.length() - LOGGED_CHARS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

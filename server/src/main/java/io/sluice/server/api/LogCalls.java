package io.sluice.server.api;

import static io.sluice.server.config.port.ControlRole.OPERATOR;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** The calls for the log files of the server and of its instances. */
final class LogCalls {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Until it is sent, a tail takes several times its 4 MiB of the heap. */
    private static final int TAILS_AT_ONCE = 2;

    private static final int MAX_WAITING_TAILS = 16;

    private final Operations operations;
    private final LogFiles logs;
    private final CallLimit tails = new CallLimit(TAILS_AT_ONCE, MAX_WAITING_TAILS, "too many logs are being read");

    LogCalls(Operations operations, LogFiles logs) {
        this.operations = operations;
        this.logs = logs;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/log", OPERATOR, request -> log(LogFiles.SERVER, request)),
                Route.get("/log/files", OPERATOR, request -> logFiles(LogFiles.SERVER)),
                Route.get("/instances/{destination}/log", OPERATOR, request -> log(directory(request), request)),
                Route.get("/instances/{destination}/log/files", OPERATOR, request -> logFiles(directory(request))));
    }

    private String directory(ApiRequest request) {
        operations.snapshot(request.destination()); // which throws if there is no such instance
        return request.destination();
    }

    private ApiAnswer log(String directory, ApiRequest request) {
        return tails.run(() -> tail(directory, request));
    }

    private ApiAnswer tail(String directory, ApiRequest request) {
        int lines = request.number("lines", 1, 100_000, 200);
        try {
            return new ApiAnswer.Content(
                    "text/plain; charset=utf-8",
                    logs.tail(directory, request.query("file").orElse(""), lines));
        } catch (NoSuchFileException e) {
            throw new ApiException(404, "there is no such log file");
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ApiAnswer logFiles(String directory) {
        ArrayNode names = JSON.createArrayNode();
        try {
            logs.readable(directory).forEach(names::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ApiAnswer.Json(names);
    }
}

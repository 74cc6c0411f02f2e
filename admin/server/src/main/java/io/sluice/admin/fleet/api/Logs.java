package io.sluice.admin.fleet.api;

import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.fleet.action.ServerCalls;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.problem.LargeTexts;
import io.sluice.admin.problem.ProblemException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Reads the ends of logs of servers. Thread-safe. */
@Component
class Logs {
    private static final int MAX_LINES = 2000;
    private static final int MAX_FILES = 1000;
    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}");

    private static final Logger LOG = LoggerFactory.getLogger(Logs.class);

    /** Of 1 MiB. */
    private static final int MAX_TEXTS = 32;

    private final ServerCalls calls;
    private final LargeTexts texts = new LargeTexts(MAX_TEXTS, "Too many logs are being read.");

    Logs(ServerCalls calls) {
        this.calls = calls;
    }

    /**
     * The end of a log.
     *
     * @param instance its name; empty: the server's own log
     * @param file null or empty: the usual one
     */
    LogText read(ServerRow server, String instance, int lines, @Nullable String file) {
        if (lines < 1 || lines > MAX_LINES) {
            throw ProblemException.badRequest("lines must be 1 to %d.".formatted(MAX_LINES));
        }
        String name = file == null ? "" : file;
        if (!name.isEmpty() && (!FILE.matcher(name).matches() || name.contains(".."))) {
            throw ProblemException.badRequest("file must be the name of a log file, without a directory.");
        }
        return server.controlUrl() == null
                ? byManagement(server, instance, lines, name)
                : byControl(server, instance, lines, name);
    }

    private LogText byControl(ServerRow server, String instance, int lines, String file) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("lines", Integer.toString(lines));
        if (!file.isEmpty()) {
            query.put("file", file);
        }
        String path = instance.isEmpty() ? "/log" : ControlCall.instance(instance, "/log");
        CompletableFuture<List<String>> files =
                calls.start(server, ControlCall.get(path + "/files")).handle((answer, failure) -> names(answer));
        String text = texts.admit(calls.call(server, ControlCall.get(path + ControlCall.query(query)))
                .text());
        String usual = (instance.isEmpty() ? "canal" : instance) + ".log";
        return new LogText(
                text.lines().toList(),
                calls.waitFor(files, server).stream()
                        .filter(name -> !name.equals(usual))
                        .toList());
    }

    /** The names of files; none if the server does not list them. */
    private static List<String> names(@Nullable ControlAnswer answer) {
        if (answer == null) {
            return List.of();
        }
        try {
            return answer.json()
                    .valueStream()
                    .map(name -> name.asString(""))
                    .filter(name -> FILE.matcher(name).matches())
                    .limit(MAX_FILES)
                    .toList();
        } catch (ControlFailure e) {
            LOG.debug("what should be names of log files cannot be read", e);
            return List.of();
        }
    }

    private LogText byManagement(ServerRow server, String instance, int lines, String file) {
        List<String> answers = calls.manage(
                server, ManagementRequest.logFiles(instance), ManagementRequest.logTail(instance, file, lines));
        String text = texts.admit(answers.get(1));
        List<String> files = Arrays.stream(answers.get(0).split(",", -1))
                .filter(name -> FILE.matcher(name).matches())
                .limit(MAX_FILES)
                .sorted()
                .toList();
        return new LogText(text.lines().toList(), files);
    }
}

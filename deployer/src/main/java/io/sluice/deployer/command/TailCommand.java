package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.protocol.text.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tail}: what an instance of a running server delivers. */
@Command(name = "tail", description = "show a sample of what an instance delivers from now on")
final class TailCommand extends ControlCommand {
    @Parameters(index = "0", paramLabel = "DESTINATION", description = "the instance")
    String destination = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "SCHEMA.TABLE", description = "only this table")
    @Nullable String table;

    @Option(names = "--values", description = "show the values of rows, for administrators; else they are masked")
    boolean values;

    @Option(names = "--limit", paramLabel = "N", description = "end after so many changes")
    @Nullable Integer limit;

    TailCommand(CommandContext context) {
        super(context);
    }

    @Override
    int run(ControlClient client) throws ControlCallException {
        List<String> query = new ArrayList<>();
        query.add("values=" + (values ? "shown" : "masked"));
        if (table != null) {
            query.add("table=" + ControlClient.part(table));
        }
        if (limit != null) {
            query.add("limit=" + limit);
        }
        client.follow(instance(destination) + "/changes?" + String.join("&", query), (name, data) -> {
            switch (name) {
                case "change" ->
                    context.out().println(control.json ? data.toString() : PrintableText.lines(text(data)));
                case "leftOut" ->
                    context.errors().println("(" + data.path("changes").asText() + " more changes were not shown)");
                default -> {} // nothing was delivered for a while, or it was the last one
            }
            return !name.equals("end") && !context.out().checkError();
        });
        return ExitCode.DONE;
    }

    private static String text(JsonNode change) {
        StringBuilder text = new StringBuilder("%s %s %s.%s at %s"
                .formatted(
                        change.path("time").asText(),
                        change.path("type").asText(),
                        change.path("schema").asText(),
                        change.path("table").asText(),
                        change.path("position").asText()));
        if (change.hasNonNull("sql")) {
            text.append("\n    ").append(change.path("sql").asText());
        }
        JsonNode before = change.path("before");
        JsonNode after = change.path("after");
        for (int i = 0; i < after.size(); i++) {
            text.append("\n    ");
            if (before.has(i)) {
                text.append(row(before.get(i))).append(" -> ");
            }
            text.append(row(after.get(i)));
        }
        return text.toString();
    }

    private static String row(JsonNode row) {
        List<String> columns = new ArrayList<>();
        for (Map.Entry<String, JsonNode> column : row.properties()) {
            columns.add(column.getKey() + "="
                    + (column.getValue().isNull() ? "NULL" : column.getValue().asText()));
        }
        return String.join(", ", columns);
    }
}

package io.sluice.schema.ddl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** A recorded case: the table schemas at its start and end, and the entries that canal made. */
record GoldenCase(String name, Path folder) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<GoldenCase> of(Path server, String... prefixes) throws IOException {
        try (Stream<Path> folders = Files.list(server)) {
            return folders.filter(folder -> Stream.of(prefixes)
                            .anyMatch(prefix -> folder.getFileName().toString().startsWith(prefix)))
                    .sorted()
                    .map(folder -> new GoldenCase(
                            server.getFileName() + "/" + folder.getFileName().toString(), folder))
                    .toList();
        }
    }

    /** The entries of the raw run, in order. */
    List<JsonNode> entries() throws IOException {
        List<JsonNode> entries = new ArrayList<>();
        for (String line : read("raw.jsonl").split("\n")) {
            if (!line.isEmpty()) {
                JSON.readTree(line).path("packet").path("entries").forEach(entries::add);
            }
        }
        return entries;
    }

    /** The definitions of the tables at the start or the end. */
    Map<TableName, String> definitions(String moment) throws IOException {
        Map<TableName, String> definitions =
                new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        String text = read("schema.sql");
        String marker = "==== " + moment + " ====";
        int from = text.indexOf(marker) + marker.length();
        int to = text.indexOf("-- ====", from);
        String schema = "";
        for (String statement :
                text.substring(from, to < 0 ? text.length() : to).split(";\n")) {
            String trimmed = statement.strip();
            TokenCursor cursor = new TokenCursor(new SqlLexer(trimmed, SourceTraits.DEFAULT));
            try {
                if (cursor.accept("USE")) {
                    schema = cursor.name();
                } else if (cursor.accept("CREATE", "TABLE")) {
                    definitions.put(cursor.tableName(schema), trimmed);
                }
            } catch (UnreadableSqlException e) {
                throw new IOException(statement, e);
            }
        }
        return definitions;
    }

    /** The folder of the server that it was recorded on. */
    String server() {
        return folder.getParent().getFileName().toString();
    }

    private String read(String file) throws IOException {
        Path plain = folder.resolve(file);
        if (Files.exists(plain)) {
            return Files.readString(plain);
        }
        try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve(file + ".gz")))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

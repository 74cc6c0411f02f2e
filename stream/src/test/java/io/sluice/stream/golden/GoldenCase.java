package io.sluice.stream.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** One recorded case: a binlog of a real server, and what a canal server sent to Kafka for it. */
record GoldenCase(Path folder) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The folder of all records; the build says where it is. */
    static Path root() {
        return Path.of(System.getProperty("sluice.golden", "../testkit/golden"));
    }

    /** The cases of some servers whose name begins with one of the groups. */
    static List<GoldenCase> all(List<String> servers, List<String> groups) throws IOException {
        List<GoldenCase> cases = new ArrayList<>();
        for (String server : servers) {
            Path folder = root().resolve(server);
            try (Stream<Path> folders = Files.list(folder)) {
                folders.sorted()
                        .filter(path -> groups.stream()
                                .anyMatch(group -> path.getFileName().toString().startsWith(group)))
                        .map(GoldenCase::new)
                        .forEach(cases::add);
            }
        }
        return cases;
    }

    String server() {
        return folder.getParent().getFileName().toString();
    }

    String name() {
        return folder.getFileName().toString();
    }

    Properties settings() throws IOException {
        Properties settings = new Properties();
        settings.load(new StringReader(text("settings.properties")));
        return settings;
    }

    BinlogPosition start() throws IOException {
        return point(settings().getProperty("binlog.start"));
    }

    BinlogPosition end() throws IOException {
        return point(settings().getProperty("binlog.end"));
    }

    /** What the server that wrote the binlog was like. */
    SourceTraits traits() throws IOException {
        String version = settings().getProperty("server.version");
        String[] numbers = version.split("[.-]", 4);
        boolean mariaDb = version.contains("MariaDB");
        int number = Integer.parseInt(numbers[0]) * 10_000
                + Integer.parseInt(numbers[1]) * 100
                + Integer.parseInt(numbers[2]);
        return new SourceTraits(mariaDb, number, false);
    }

    private static BinlogPosition point(String text) {
        int colon = text.lastIndexOf(':');
        return new BinlogPosition(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
    }

    Path binlog(String name) {
        return file(name);
    }

    /** The binlog files, in their order. */
    List<String> binlogs() throws IOException {
        return List.of(settings().getProperty("binlog.files").split(","));
    }

    /** A recorded file, gzipped or not. */
    Path file(String name) {
        Path plain = folder.resolve(name);
        return Files.exists(plain) ? plain : folder.resolve(name + ".gz");
    }

    /** The text of a recorded file, gzipped or not. */
    String text(String file) throws IOException {
        Path plain = folder.resolve(file);
        if (Files.exists(plain)) {
            return Files.readString(plain);
        }
        try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve(file + ".gz")))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    List<JsonNode> lines(String file) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : text(file).split("\n")) {
            if (!line.isEmpty()) {
                lines.add(JSON.readTree(line));
            }
        }
        return lines;
    }

    /** The flat messages, in order, without what differs from run to run. */
    List<String> flat() throws IOException {
        List<String> messages = new ArrayList<>();
        for (JsonNode line : lines("flat.jsonl")) {
            messages.add(withoutRun(line.get("value")));
        }
        return messages;
    }

    static String withoutRun(JsonNode message) {
        ObjectNode copy = ((ObjectNode) message).deepCopy();
        copy.put("id", 0);
        copy.put("ts", 0);
        return copy.toString();
    }

    static String withoutRun(byte[] message) throws IOException {
        return withoutRun(JSON.readTree(message));
    }

    /** The serialized entries of all raw records, in order. */
    List<byte[]> raw() throws IOException {
        List<byte[]> entries = new ArrayList<>();
        for (JsonNode line : lines("raw.jsonl")) {
            Packet packet = Packet.parseFrom(
                    Base64.getDecoder().decode(line.get("value").asText()));
            for (com.google.protobuf.ByteString entry :
                    Messages.parseFrom(packet.getBody()).getMessagesList()) {
                entries.add(entry.toByteArray());
            }
        }
        return entries;
    }

    /** The {@code SHOW CREATE TABLE} texts at the start, by table. */
    Map<TableName, String> startSchemas() throws IOException {
        return schemas("start");
    }

    /** What the source would answer at the end of the case. */
    TableDefinitions endSchemas() throws IOException {
        return schemas("end")::get;
    }

    private Map<TableName, String> schemas(String when) throws IOException {
        String schemas = text("schema.sql");
        Matcher section = Pattern.compile("(?s)-- ==== " + when + " ====\n(.*?)(?=-- ====|\\z)")
                .matcher(schemas);
        Map<TableName, String> creates = new LinkedHashMap<>();
        if (!section.find()) {
            return creates;
        }
        String schema = "";
        for (String statement : section.group(1).split("(?m);$")) {
            String sql = statement.strip();
            Matcher use = Pattern.compile("(?is)USE `((?:[^`]|``)*)`").matcher(sql);
            Matcher create =
                    Pattern.compile("(?is)CREATE TABLE `((?:[^`]|``)*)`.*").matcher(sql);
            if (use.matches()) {
                schema = use.group(1).replace("``", "`");
            } else if (create.matches()) {
                creates.put(new TableName(schema, create.group(1).replace("``", "`")), sql);
            }
        }
        return creates;
    }

    @Override
    public String toString() {
        return server() + "/" + name();
    }
}

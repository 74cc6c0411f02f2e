package io.sluice.bench.bridge;

import io.sluice.bench.record.EnvelopeReader;
import io.sluice.bench.record.RecordReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Another product, started and stopped by a script; {@code bench/README.md} specifies what the script has to do. */
public final class PeerScript implements Bridge {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** The exit status of a script whose bridge does not support the cell. */
    private static final int UNSUPPORTED = 3;

    private static final String RECORDS = "records=";

    private final Path script;
    private @Nullable String records;

    public PeerScript(Path script) {
        this.script = script.toAbsolutePath();
    }

    @Override
    public String name() {
        String file = script.getFileName().toString();
        int dot = file.indexOf('.');
        return dot > 0 ? file.substring(0, dot) : file;
    }

    @Override
    public long start(BridgeJob job) throws IOException {
        Path output = job.folder().resolve("start.out");
        int status = Script.run(job.folder(), job.environment(), output, List.of(script.toString(), "start"));
        List<String> lines = Files.readAllLines(output);
        if (status == UNSUPPORTED) {
            throw new UnsupportedCellException(String.join("\n", lines));
        }
        records = lines.stream()
                .filter(line -> line.startsWith(RECORDS))
                .map(line -> line.substring(RECORDS.length()).strip())
                .findFirst()
                .orElse(null);
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1).strip();
        if (status != 0 || !NUMBER.matcher(last).matches()) {
            throw new IllegalStateException("%s start ended with status %d and no process id: %s"
                    .formatted(script, status, String.join("\n", lines)));
        }
        return Long.parseLong(last);
    }

    @Override
    public RecordReader reader(BridgeJob job) {
        return records == null
                ? RecordReader.of(job.format())
                : new EnvelopeReader(EnvelopeReader.Dialect.valueOf(records.toUpperCase(Locale.ROOT)));
    }

    @Override
    public void stop(BridgeJob job) throws IOException {
        Script.run(
                job.folder(), job.environment(), job.folder().resolve("stop.out"), List.of(script.toString(), "stop"));
    }

    @Override
    public String logTail(BridgeJob job) throws IOException {
        return Script.tail(job.folder().resolve("start.out"))
                + "\n"
                + Script.tail(job.folder().resolve("peer.log"));
    }
}

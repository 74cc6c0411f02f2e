package io.sluice.server.config.read;

import io.sluice.connector.api.producer.ProducerIdentity;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.key.FailoverKeys;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Settings;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.watch.ProbeOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Reads which source an instance reads, and how it connects to it. */
final class SourceReader {
    private static final Duration MAX_HEARTBEAT = Duration.ofSeconds(15);

    private final String destination;
    private final Settings settings;
    private final Environment environment;
    private final Path baseDirectory;
    private final HostReader hosts;
    private final CursorKind cursorKind;
    private final boolean queue;

    /** @param queue whether entries are sent to a queue; otherwise clients pull them */
    SourceReader(
            String destination,
            Settings settings,
            Environment environment,
            Path baseDirectory,
            HostReader hosts,
            CursorKind cursorKind,
            boolean queue) {
        this.destination = destination;
        this.settings = settings;
        this.environment = environment;
        this.baseDirectory = baseDirectory;
        this.hosts = hosts;
        this.cursorKind = cursorKind;
        this.queue = queue;
    }

    /** Reads it, and reports what does not go together. */
    SourceOptions read() {
        long replicaId = settings.get(SourceKeys.REPLICA_ID);
        return new SourceOptions(
                hosts.read(),
                replicaId > 0 ? replicaId : generatedReplicaId(),
                PositionOptions.DEFAULT
                        .withShownGtids(settings.get(SourceKeys.GTID))
                        .withKeptGtids(settings.get(SourceKeys.POSITION_GTIDS).equals("auto"))
                        .withResetToNewest(settings.get(FailoverKeys.RESET_TO_NEWEST))
                        .withFallback(settings.get(FailoverKeys.FALLBACK))
                        .with(lostCursor()),
                upper(settings.get(SourceKeys.BINLOG_FORMATS)),
                upper(settings.get(SourceKeys.BINLOG_IMAGES)),
                heartbeat(),
                settings.get(FailoverKeys.PROBE_RETRIES),
                probe());
    }

    /** In memory no cursor outlives its process, and where clients pull there is none before the first has subscribed. */
    private LostCursor lostCursor() {
        boolean stops = settings.get(SourceKeys.LOST_CURSOR).equals("stop");
        if (cursorKind == CursorKind.MEMORY) {
            return LostCursor.NONE;
        }
        return stops && queue ? LostCursor.STOP : LostCursor.WARN;
    }

    private static List<String> upper(List<String> values) {
        return values.stream().map(value -> value.toUpperCase(Locale.ROOT)).toList();
    }

    private @Nullable ProbeOptions probe() {
        String sql = settings.get(FailoverKeys.PROBE_SQL);
        return settings.get(FailoverKeys.PROBE) && !sql.isBlank()
                ? new ProbeOptions(
                        sql,
                        settings.get(FailoverKeys.PROBE_INTERVAL),
                        settings.get(FailoverKeys.PROBE_RETRIES),
                        settings.get(FailoverKeys.PROBE_SWITCHES))
                : null;
    }

    /** Half of the longest silence unless the operator sets another. */
    private Duration heartbeat() {
        Duration silence = settings.get(FailoverKeys.SILENCE);
        Duration standard = silence.isZero() || silence.dividedBy(2).compareTo(MAX_HEARTBEAT) > 0
                ? MAX_HEARTBEAT
                : silence.dividedBy(2);
        Duration heartbeat = settings.find(FailoverKeys.HEARTBEAT).orElse(standard);
        if (!silence.isZero() && heartbeat.compareTo(silence) >= 0) {
            settings.complain(
                    FailoverKeys.HEARTBEAT,
                    "must be shorter than %s (%s)"
                            .formatted(FailoverKeys.SILENCE.name(), settings.shown(FailoverKeys.SILENCE)));
        }
        return heartbeat;
    }

    /**
     * A hash of the name, and of where this process is: its address, host and folder. So instances of one name differ on two machines, in two containers
     * with the same address, and in two folders of one machine; the same instance has the same id after a restart. Ids from 2^31 on are left to
     * searches in the binlog.
     */
    private long generatedReplicaId() {
        String place = "%s\n%s\n%s"
                .formatted(
                        environment.address().getHostAddress(),
                        ProducerIdentity.host(),
                        baseDirectory.toAbsolutePath().normalize());
        CRC32 hash = new CRC32();
        hash.update((destination + "\n" + place).getBytes(StandardCharsets.UTF_8));
        return Math.max(1, hash.getValue() & Integer.MAX_VALUE);
    }
}

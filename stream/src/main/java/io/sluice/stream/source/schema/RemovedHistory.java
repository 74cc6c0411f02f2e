package io.sluice.stream.source.schema;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.stream.reader.EventReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a schema history again that has lost what was read, as when its file was removed. For one thread. */
final class RemovedHistory {
    private static final Logger LOG = LoggerFactory.getLogger(RemovedHistory.class);

    private final String instance;
    private @Nullable EventReader reader;
    private @Nullable Origin origin;

    /** Whether the newest attempt to write a removed history again has failed. */
    private boolean isReported;

    /**
     * The binlog that is read.
     *
     * @param source the identity of its server
     * @param epoch as in {@link SchemaHistory#setSource(String, long)}
     */
    record Origin(String source, long epoch, long serverId) {}

    RemovedHistory(String instance) {
        this.instance = instance;
    }

    /** Sets what reads the stream. */
    void setReader(EventReader reader) {
        this.reader = reader;
    }

    /** Sets the binlog that is read from now on. */
    void setOrigin(Origin origin) {
        this.origin = origin;
    }

    /** Writes the schemas again if the file of the history was removed. A failure is logged, once. */
    void writeIfGone(SchemaHistory kept, TableCatalog catalog) {
        if (!kept.isGone()) {
            return;
        }
        try {
            write(kept, catalog);
            isReported = false;
        } catch (IOException | RuntimeException e) {
            if (!isReported) {
                isReported = true;
                LOG.warn(
                        "a schema history that was removed cannot be written again: instance={} cause={}",
                        instance,
                        String.valueOf(e.getMessage()));
            }
        }
    }

    /** Writes the schemas of what was read to a history that has lost them. */
    void write(SchemaHistory kept, TableCatalog catalog) throws IOException {
        EventReader open = reader;
        Origin of = origin;
        BinlogPosition at = open == null ? BinlogPosition.UNKNOWN : open.resumePosition();
        if (open != null && of != null && at.isKnown()) {
            kept.setSource(of.source(), of.epoch());
            kept.keepAfterLoss(
                    StreamStart.at(
                                    of.source(),
                                    at.file(),
                                    at.offset(),
                                    of.serverId(),
                                    open.lastRead().millis())
                            .inEpoch(of.epoch())
                            .inFileBegunAt(open.resumeFileBegunSeconds()),
                    catalog::state);
        }
    }
}

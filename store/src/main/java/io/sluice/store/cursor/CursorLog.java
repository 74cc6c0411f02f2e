package io.sluice.store.cursor;

import io.sluice.protocol.position.Cursor;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Notes where cursors went, each time they are written: the log from which an operator sees where a client was at some time.
 * Its lines are those of canal's {@code meta.log}.
 */
public final class CursorLog {
    private static final Logger LOG = LoggerFactory.getLogger(CursorLog.class);
    private static final String LOG_KEY = "destination";

    private CursorLog() {}

    /** Notes the cursors that were written and are not as they were before. */
    public static void written(String destination, List<Subscription> before, List<Subscription> now) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        String outer = MDC.get(LOG_KEY);
        MDC.put(LOG_KEY, destination);
        try {
            for (Subscription client : now) {
                Cursor cursor = client.cursor();
                if (cursor != null && !before.contains(client)) {
                    note(client.clientId(), cursor);
                }
            }
        } finally {
            if (outer == null) {
                MDC.remove(LOG_KEY);
            } else {
                MDC.put(LOG_KEY, outer);
            }
        }
    }

    private static void note(int clientId, Cursor cursor) {
        LOG.info(
                "clientId:{} cursor:[{},{},{},{},{}] address[{}:{}]",
                clientId,
                cursor.position().file(),
                cursor.position().offset(),
                cursor.timestampMillis(),
                cursor.serverId(),
                cursor.gtidSet(),
                cursor.sourceHost(),
                cursor.sourcePort());
    }
}

package io.sluice.server.control;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.time.Time;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records every change that an operator makes, and every login that is refused: one JSON object per line, to the logger {@code audit}.
 * Safe for use by several threads.
 */
public final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger("audit");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Time time;

    public AuditLog(Time time) {
        this.time = time;
    }

    /**
     * Records a change, or a login.
     *
     * @param who the name of the caller
     * @param remote the address it calls from
     * @param action what was to be done
     * @param destination of which instance; empty if of the server
     * @param before how it was; empty if that is not known
     * @param after how it is; empty if that is not known. If it was not done, why
     * @param done whether it was done
     */
    public void record(
            String who, String remote, String action, String destination, String before, String after, boolean done) {
        ObjectNode line = JSON.createObjectNode()
                .put("time", Instant.ofEpochMilli(time.millis()).toString())
                .put("who", who)
                .put("remote", remote)
                .put("action", action)
                .put("destination", destination)
                .put("before", before)
                .put("after", after)
                .put("done", done);
        LOG.info("{}", line);
    }
}

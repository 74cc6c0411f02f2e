package io.sluice.server.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.time.Time;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what was done to the server, and by which account, one JSON object per line, in the logger {@value #LOGGER}. Thread-safe.
 *
 * <p>All members are always there, in the same order, and are texts but for {@code done}. Passwords and rows do not belong here.
 */
public final class AuditLog {
    /** The name of the logger, which {@code logback.xml} sends to a file of its own. */
    public static final String LOGGER = "audit";

    /** What comes from outside is cut after so many characters. */
    private static final int LONGEST = 500;

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Time time;

    /**
     * Makes one.
     *
     * @param time gives the time of each record
     */
    public AuditLog(Time time) {
        this.time = time;
    }

    /** Records an action. */
    public void record(AuditEntry entry) {
        ObjectNode line = JSON.createObjectNode();
        line.put("time", Instant.ofEpochMilli(time.millis()).toString());
        line.put("who", cut(entry.actor().name()));
        line.put("onBehalfOf", cut(entry.actor().onBehalfOf()));
        line.put("remote", cut(entry.actor().remote()));
        line.put("action", cut(entry.action()));
        line.put("destination", cut(entry.destination()));
        line.put("before", cut(entry.before()));
        line.put("after", cut(entry.after()));
        line.put("done", entry.done());
        LOG.info("{}", text(line));
    }

    private static String text(ObjectNode line) {
        try {
            return JSON.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("an object of texts can be written", e);
        }
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}

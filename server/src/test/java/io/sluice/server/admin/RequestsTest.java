package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.protocol.admin.InstanceAdmin;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.admin.ServerAdmin;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RequestsTest {
    private final ScriptedOperations operations = new ScriptedOperations("one", "two");
    private final AuditLog auditLog = new AuditLog(new HandTime());
    private final Requests requests = new Requests(
            operations,
            new Changes(operations, auditLog, Runnable::run),
            new LogFiles(Path.of("target", "no-logs-here")));
    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.LOGGER);
    private final ListAppender<ILoggingEvent> audit = new ListAppender<>();

    @BeforeEach
    void listen() {
        audit.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(audit);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(audit);
        logger.setLevel(null);
    }

    /** Without an answer the connection would stay busy for good. */
    @Test
    void anErrorIsAnsweredAndAudited() {
        operations.defects.put("one", new StackOverflowError("too deep"));
        Packet start = Packet.newBuilder()
                .setType(PacketType.INSTANCE)
                .setBody(InstanceAdmin.newBuilder()
                        .setDestination("one")
                        .setAction("start")
                        .build()
                        .toByteString())
                .build();

        Answer answer = requests.answer(start, new Session("operator", "10.0.0.1"));

        assertThat(answer).isEqualTo(new Answer(Answer.FAILED, "internal error, see the server's log"));
        assertThat(audit.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("\"destination\":\"one\"", "too deep", "\"done\":false");
    }

    @Test
    void anErrorInAChangeOfSeveralInstancesIsAnInternalError() {
        operations.defects.put("one", new StackOverflowError());
        Packet restart = Packet.newBuilder()
                .setType(PacketType.SERVER)
                .setBody(ServerAdmin.newBuilder().setAction("restart").build().toByteString())
                .build();

        Answer answer = requests.answer(restart, new Session("operator", "10.0.0.1"));

        assertThat(answer).isEqualTo(new Answer(Answer.FAILED, "internal error, see the server's log"));
    }
}

package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.protocol.admin.InstanceAdmin;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.admin.ServerAdmin;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RequestsTest {
    private final ScriptedOperations operations = new ScriptedOperations("one", "two");
    private final AuditLog auditLog = new AuditLog(new HandTime());
    private final Requests requests = new Requests(
            operations,
            new Changes(operations, auditLog, Runnable::run),
            new LogFiles(Path.of("target", "no-logs-here")));

    @AutoClose
    private final LogLines audit = LogLines.of(AuditLog.LOGGER, Level.INFO);

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
        assertThat(audit.texts())
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

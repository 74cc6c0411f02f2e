package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.server.control.AuditLog;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class LoginsTest {
    @Test
    void aHostThatGuessesPasswordsDoesNotHideThatAnotherOneFailsToLogIn() throws Exception {
        HandTime time = new HandTime();
        try (LogLines lines = LogLines.of(AuditLog.LOGGER, Level.INFO)) {
            Logins logins = new Logins(new AuditLog(time), time);
            for (int i = 0; i < 100; i++) {
                logins.failed(
                        new Session("admin", "192.0.2.1:4711"), InetAddress.getByName("192.0.2.1"), "a wrong password");
            }
            assertThat(lines.texts()).hasSizeLessThan(5);

            logins.failed(
                    new Session("canal-admin", "198.51.100.7:4712"),
                    InetAddress.getByName("198.51.100.7"),
                    "a wrong password");

            assertThat(lines.texts()).last().asString().contains("canal-admin", "198.51.100.7:4712");
        }
    }
}

package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.deployer.command.CommandContext;
import io.sluice.deployer.command.SluiceCommand;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTest {
    @TempDir
    Path home;

    /** As in a directory that is read-only: the JDK's message is the path alone. */
    @Test
    void aFileThatCannotBeWrittenIsReportedWithWhatToCheck() throws Exception {
        Files.createDirectories(home.resolve("bin"));
        Path conf = Files.createDirectories(home.resolve("conf"));
        Files.writeString(conf.resolve("canal.properties"), "canal.destinations = shop\n");
        Path inTheWay = Files.createDirectories(conf.resolve("control-access.tmp"));
        Files.createFile(inTheWay.resolve("full"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

        int code = SluiceCommand.run(
                List.of("token", "add", "ops", "--role", "viewer"),
                new CommandContext(
                        conf.resolve("canal.properties"),
                        home.resolve("bin"),
                        home,
                        new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getLoopbackAddress(), 2),
                        ProducerCheck.NONE,
                        mode -> Optional.empty(),
                        out,
                        out));

        assertThat(code).isOne();
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .startsWith("a file of the tokens cannot be read or written: java.nio.file.")
                .contains("control-access.tmp", "check the permissions");
    }
}

package io.sluice.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.admin.Browser;
import io.sluice.admin.RunningAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The commands of {@code docs/admin.md} by which a program uses the API, executed by a shell. */
@Timeout(300)
class DocumentedProgramTest {
    private static final Path PAGE = Path.of("../../docs/admin.md");

    @TempDir
    private Path home;

    @Test
    void theCommandsOfThePageInstallAndConfigure() throws Exception {
        assumeTrue(isThere("curl") && isThere("awk"), "the commands need curl and awk");
        Path data = Files.createDirectory(home.resolve("data"));
        try (RunningAdmin admin = RunningAdmin.start(data)) {
            Files.writeString(home.resolve("new-password"), Browser.PASSWORD);
            Path output = home.resolve("output");

            int code =
                    run("set -e\n" + commands().replace("127.0.0.1:8089", "127.0.0.1:" + admin.port()), home, output);

            assertThat(code)
                    .as(Files.readString(output) + contentOf("cluster.json") + contentOf("config.json"))
                    .isZero();
            assertThat(JsonMapper.shared().readTree(Files.readString(home.resolve("openapi.json"))))
                    .isEqualTo(JsonMapper.shared().readTree(Routes.class.getResourceAsStream(Routes.FILE)));
            Browser browser = admin.browser();
            browser.login("admin", Browser.PASSWORD);
            assertThat(browser.get("/api/v2/instances/shop/config").expect(200).body())
                    .contains("db2:3306");
            assertThat(home.resolve("jar")).doesNotExist();
        }
    }

    private String contentOf(String file) throws IOException {
        Path path = home.resolve(file);
        return Files.exists(path) ? file + ": " + Files.readString(path) : "";
    }

    private static String commands() throws IOException {
        String section = Files.readString(PAGE).split("\n## By a program\n", 2)[1];
        return section.split("\n```\n", 3)[1];
    }

    private static boolean isThere(String program) throws Exception {
        return run("command -v " + program, Path.of("."), Path.of("/dev/null")) == 0;
    }

    private static int run(String script, Path directory, Path output) throws Exception {
        return new ProcessBuilder(List.of("sh", "-c", script))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
    }
}

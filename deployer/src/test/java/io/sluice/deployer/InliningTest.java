package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The compiler ignores methods that do not exist, so that a renamed one would not be noticed. */
class InliningTest {
    private static final Path FILE = Path.of("src/main/package/bin/inlining.txt");
    private static final String COMMAND = "dontinline ";

    @Test
    void everyMethodInTheListIsThere() throws IOException {
        List<String> methods = Files.readAllLines(FILE).stream()
                .filter(line -> line.startsWith(COMMAND))
                .map(line -> line.substring(COMMAND.length()))
                .toList();

        assertThat(methods).isNotEmpty().doesNotHaveDuplicates().allSatisfy(InliningTest::isThere);
    }

    @Test
    void everyLineIsACommandOrAComment() throws IOException {
        assertThat(Files.readAllLines(FILE))
                .allMatch(line -> line.isEmpty()
                        || line.startsWith("#")
                        || line.equals("quiet")
                        || line.matches(COMMAND + "[\\w.]+::\\w+"));
    }

    private static void isThere(String method) throws ClassNotFoundException {
        String[] parts = method.split("::");
        Class<?> type = Class.forName(parts[0], false, InliningTest.class.getClassLoader());
        assertThat(Arrays.stream(type.getDeclaredMethods()).map(Method::getName))
                .as(method)
                .contains(parts[1]);
    }
}

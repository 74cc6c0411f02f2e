package io.sluice.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.profile.StackSamples.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StackSamplesTest {
    @TempDir
    private Path folder;

    @Test
    void stacksOfOneThreadAreAddedUp() throws IOException {
        StackSamples samples = new StackSamples();
        samples.read(file("""
                [kafka-producer-network-thread | producer-1 tid=12];a/B.c;d/E.f 3
                [kafka-producer-network-thread | producer-1 tid=12];a/B.c 1
                [tid=13];start 2
                """));
        samples.read(file("[kafka-producer-network-thread | producer-1 tid=99];a/B.c;d/E.f 4\n"));

        assertThat(samples.total()).isEqualTo(10);
        assertThat(samples.counts())
                .containsOnlyKeys(
                        new Stack("kafka-producer-network-thread | producer-1", List.of("a/B.c", "d/E.f")),
                        new Stack("kafka-producer-network-thread | producer-1", List.of("a/B.c")),
                        new Stack("", List.of("start")))
                .containsValues(7L, 1L, 2L);
    }

    @Test
    void hiddenClassesOfOneOriginAreOne() throws IOException {
        StackSamples samples = new StackSamples();
        samples.read(file("""
                [main tid=1];a/B$$Lambda$675.0x00007fa98815c2d8.accept 1
                [main tid=1];a/B$$Lambda$12.0x8000001c8.accept 1
                [main tid=1];a/B$$Lambda/0x8000001c8.accept 1
                """));

        assertThat(samples.counts()).containsOnlyKeys(new Stack("main", List.of("a/B$$Lambda.accept")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[main tid=1];a/B.c", "[main tid=1];a/B.c x", "a/B.c 1", "[main tid=1];a/B.c -1", "7"})
    void whatIsNoStackIsSaid(String line) throws IOException {
        Path file = file(line + "\n");

        assertThatThrownBy(() -> new StackSamples().read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no stack")
                .hasMessageContaining(file.toString());
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "stacks", ".txt"), text);
    }
}

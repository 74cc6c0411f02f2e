package io.sluice.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.profile.StackSamples.Stack;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

class ProfilePictureTest {
    @Test
    void showsThePartsAndWhatTheyCallWithTheirShares() throws Exception {
        StackSamples samples = new StackSamples();
        samples.add(stack("encoder-1", "java/lang/Thread.run", "io/sluice/mysql/A.encode", "arraycopy", "memcpy"), 50);
        samples.add(stack("encoder-2", "java/lang/Thread.run", "io/sluice/mysql/A.encode"), 10);
        samples.add(
                stack("kafka-producer-network-thread | p", "org/apache/kafka/B.send", "write", "tcp_[k]", "ip_[k]"),
                30);
        samples.add(stack("sender-x", "org/apache/kafka/B.send", "sys_write_[k]", "tcp_[k]"), 2);
        samples.add(stack("C1 CompilerThre", "Compile::Compile"), 8);

        assertThat(titles(ProfilePicture.svg("a < b", samples)))
                .containsExactly(
                        "a < b",
                        "all: 100.0 %",
                        "encoders: 60.0 %",
                        "io.sluice.mysql.A.encode: 60.0 %",
                        "arraycopy: 50.0 %",
                        "Kafka's thread: 30.0 %",
                        "org.apache.kafka.B.send: 30.0 %",
                        "kernel: 30.0 %",
                        "the JVM's compilers: 8.0 %",
                        "sender: 2.0 %",
                        "org.apache.kafka.B.send: 2.0 %",
                        "kernel: 2.0 %");
    }

    @Test
    void whatIsTooNarrowToSeeIsLeftOut() throws Exception {
        StackSamples samples = new StackSamples();
        samples.add(stack("encoder-1", "io/sluice/A.b"), 9_999);
        samples.add(stack("sender-x", "io/sluice/C.d"), 1);

        assertThat(titles(ProfilePicture.svg("a", samples))).noneMatch(title -> title.contains("sender"));
    }

    @Test
    void whatIsTooDeepIsLeftOut() throws Exception {
        StackSamples samples = new StackSamples();
        samples.add(
                new Stack(
                        "main",
                        IntStream.range(0, 100)
                                .mapToObj("io/sluice/A.m%d"::formatted)
                                .toList()),
                1);
        String svg = ProfilePicture.svg("a", samples);

        assertThat(titles(svg)).contains("io.sluice.A.m10: 100.0 %").doesNotContain("io.sluice.A.m50: 100.0 %");
        assertThat(svg).contains("height=\"530\"");
    }

    private static Stack stack(String thread, String... frames) {
        return new Stack(thread, List.of(frames));
    }

    private static List<String> titles(String svg) throws Exception {
        NodeList nodes = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagName("title");
        List<String> titles = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            titles.add(nodes.item(i).getTextContent());
        }
        return titles;
    }
}

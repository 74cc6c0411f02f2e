package io.sluice.bench.e2e;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Writes the results: a page in Markdown, and beside it a JSON file with all figures of all runs.
 *
 * @param file the page
 * @param conditions how the figures were measured, a line each
 */
record Page(Path file, List<String> conditions) {
    /** Replaces both files. */
    void write(List<Measurement> measurements) throws IOException {
        Path absolute = file.toAbsolutePath();
        if (absolute.getParent() != null) {
            Files.createDirectories(absolute.getParent());
        }
        StringBuilder text = new StringBuilder("# From MySQL to Kafka\n\n");
        text.append("Written by `bench/bench.sh e2e` at %s UTC.\n\n"
                .formatted(LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES)));
        conditions.forEach(line -> text.append("- ").append(line).append('\n'));
        text.append('\n').append(new Report(measurements).table());
        text.append("""

                Figures are medians with the smallest and the largest of all runs. A ratio is the median over the ratios of runs that were made
                one right after the other, to the first bridge. *Second half* is from the moment at which half of the rows were in Kafka.
                *Check*: number and sums of the rows by type, the order of the changes of each key, and equal column values in all runs.
                """);
        Files.writeString(absolute, text);
        String name = absolute.getFileName().toString().replaceFirst("\\.md$", "") + ".json";
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(absolute.resolveSibling(name).toFile(), measurements);
    }
}

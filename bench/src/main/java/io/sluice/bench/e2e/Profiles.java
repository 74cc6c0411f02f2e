package io.sluice.bench.e2e;

import io.sluice.bench.profile.ProfilePicture;
import io.sluice.bench.profile.Profiler;
import io.sluice.bench.profile.PurposeTable;
import io.sluice.bench.profile.StackSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The samples of our server's runs, those of one case together. For one thread. */
final class Profiles {
    private final Profiler profiler;
    private final Path folder;
    private final Map<Cell, StackSamples> samples = new LinkedHashMap<>();
    private int runs;

    /**
     * Makes one without samples.
     *
     * @param folder for what is needed in the meantime
     */
    Profiles(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.profiler = Profiler.into(folder);
    }

    /** The JVM's option for the next run. */
    String optionOfNext() {
        runs++;
        return profiler.option(file());
    }

    private Path file() {
        return folder.resolve("stacks-%d.txt".formatted(runs));
    }

    /** Takes the samples of the run that has ended; nothing if it has left none, as one that was killed. */
    void takeLast(Cell cell) throws IOException {
        if (Files.exists(file())) {
            samples.computeIfAbsent(cell, any -> new StackSamples()).read(file());
            Files.delete(file());
        }
    }

    /**
     * Writes a table of all cases, and a picture of each.
     *
     * @throws IOException if that fails, or there is nothing to write
     */
    void write(Path target) throws IOException {
        if (samples.isEmpty()) {
            throw new IOException(
                    "no run has left samples in %s: a JVM writes them when it ends by itself or by SIGTERM"
                            .formatted(folder));
        }
        Files.createDirectories(target);
        PurposeTable table = new PurposeTable();
        StringBuilder pictures = new StringBuilder();
        for (Map.Entry<Cell, StackSamples> one : samples.entrySet()) {
            Cell cell = one.getKey();
            String name = String.join(
                    "-",
                    cell.workload().name(),
                    cell.form().spelled(),
                    cell.layout().spelled(),
                    cell.compression().spelled());
            String file = name + ".svg";
            Files.writeString(target.resolve(file), ProfilePicture.svg("Sluice: " + cell, one.getValue()));
            table.add(cell.toString(), one.getValue());
            pictures.append("\n![%s](%s)\n".formatted(cell, file));
        }
        Files.writeString(target.resolve("profile.md"), """
                # What our processor time is spent on

                Written by `bench/e2e.sh --profile`; [bench/README.md](../../../bench/README.md) says how. Percent of a whole run, with the
                start of the JVM.

                """ + table.markdown() + pictures);
    }
}

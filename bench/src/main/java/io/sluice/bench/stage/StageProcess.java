package io.sluice.bench.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts Java for each job, with the options of our start script, and our class path. */
final class StageProcess {
    private final Path work;
    private final Path java;
    private final List<String> options;

    /**
     * Makes one.
     *
     * @param work a folder for what jobs need while they run
     * @param options for Java
     */
    StageProcess(Path work, Path java, List<String> options) {
        this.work = work;
        this.java = java;
        this.options = List.copyOf(options);
    }

    /**
     * Starts Java as our start script would.
     *
     * @param work an empty folder, for what jobs need while they run
     * @param scripts the folder of the package's scripts
     */
    static StageProcess asShipped(Path work, Path scripts) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new StageProcess(work, java, ShippedOptions.of(scripts, work.resolve("package"), java));
    }

    /** A folder of its own for a job. */
    Path newFolder() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(work), "job-");
    }

    /**
     * Does a job.
     *
     * @throws IOException if it could not be done; the process has said why on its standard error, which is ours
     */
    StageResult run(StageJob job) throws IOException, InterruptedException {
        ObjectMapper json = new ObjectMapper();
        Path jobFile = job.work().resolve("job.json");
        Path resultFile = job.work().resolve("result.json");
        json.writeValue(jobFile.toFile(), job);
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                StageRun.class.getName(),
                jobFile.toString(),
                resultFile.toString()));
        Process process = new ProcessBuilder(command)
                .directory(job.work().toFile())
                .inheritIO()
                .start();
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException("the process of %s ended with status %d".formatted(job, status));
            }
            return json.readValue(resultFile.toFile(), StageResult.class);
        } finally {
            process.destroyForcibly();
            Folders.delete(job.work());
        }
    }
}

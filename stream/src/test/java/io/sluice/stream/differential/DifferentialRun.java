package io.sluice.stream.differential;

import io.sluice.format.entry.Entry;
import io.sluice.stream.differential.Finding.Kind;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Executes steps on a server, reads what is delivered of each, and compares that with what the server reports. */
final class DifferentialRun {
    private final MySqlServer server;
    private final Path folder;
    private final Set<ReadingMode> modes;
    private final boolean findsWarnings;

    private final List<ExecutedStep> executed = new ArrayList<>();
    private final Map<ReadingMode, List<Finding>> findings = new EnumMap<>(ReadingMode.class);
    private int rows;
    private int warned;

    /**
     * A run.
     *
     * @param folder for schema histories
     * @param findsWarnings whether a schema that did not follow from DDL alone is a difference
     */
    DifferentialRun(MySqlServer server, Path folder, Set<ReadingMode> modes, boolean findsWarnings) {
        this.server = server;
        this.folder = folder;
        this.modes = modes;
        this.findsWarnings = findsWarnings;
    }

    /** Executes so many steps that follow from a seed. */
    Report generate(long seed, int steps) throws Exception {
        try (Stage stage = new Stage(server);
                Sessions sessions = new Sessions(server);
                SchemaWarnings warnings = new SchemaWarnings()) {
            Scene scene = new Scene(new Dice(seed), stage.dialect(), stage.snapshot());
            StepGenerator generator = new StepGenerator(scene);
            try (Readers readers = new Readers(warnings)) {
                for (int i = 0; i < steps && readers.liveMayContinue(); i++) {
                    Step step = generator.next();
                    ServerSnapshot after = execute(stage, sessions, step, readers);
                    generator.changeTo(sessions.state(step.client()), after);
                }
                readers.readLate();
            }
        }
        return report();
    }

    /** Executes a script. */
    Report replay(List<Step> script) throws Exception {
        try (Stage stage = new Stage(server);
                Sessions sessions = new Sessions(server);
                SchemaWarnings warnings = new SchemaWarnings();
                Readers readers = new Readers(warnings)) {
            for (Step step : script) {
                if (readers.liveMayContinue()) {
                    execute(stage, sessions, step, readers);
                }
            }
            readers.readLate();
        }
        return report();
    }

    private ServerSnapshot execute(Stage stage, Sessions sessions, Step step, Readers readers)
            throws SQLException, InterruptedException {
        ServerSnapshot before = executed.isEmpty()
                ? stage.snapshot()
                : executed.get(executed.size() - 1).after();
        ExecutedStep result;
        try {
            Step accepted = step.equals(Step.RESTART) ? step : sessions.execute(step);
            result = new ExecutedStep(stage.mark(), accepted, before, stage.snapshot());
        } catch (SQLException e) {
            if (!server.isRunning()) {
                throw new ServerEndedException(server, step);
            }
            throw e;
        }
        executed.add(result);
        readers.readLive(result);
        return result.after();
    }

    private Report report() {
        return new Report(
                executed.stream()
                        .map(ExecutedStep::step)
                        .filter(step -> !step.statements().isEmpty())
                        .toList(),
                rows,
                warned,
                findings);
    }

    /** The readers of the modes, until each has found a difference. */
    private final class Readers implements AutoCloseable {
        private final SchemaWarnings warnings;
        private final Map<ReadingMode, StepReader> readers = new EnumMap<>(ReadingMode.class);

        Readers(SchemaWarnings warnings) throws IOException, InterruptedException {
            this.warnings = warnings;
            for (ReadingMode mode : modes) {
                readers.put(mode, new StepReader(server, Files.createTempDirectory(folder, "history")));
            }
            if (modes.contains(ReadingMode.LATE)) {
                readers.get(ReadingMode.LATE).pause();
            }
            warnings.take();
        }

        /** Whether there is more to find by more steps. */
        boolean liveMayContinue() {
            return !findings.containsKey(ReadingMode.LIVE) || modes.contains(ReadingMode.LATE);
        }

        void readLive(ExecutedStep step) throws InterruptedException {
            if (modes.contains(ReadingMode.LIVE) && !findings.containsKey(ReadingMode.LIVE)) {
                read(ReadingMode.LIVE, step);
            }
        }

        void readLate() throws InterruptedException {
            if (modes.contains(ReadingMode.LIVE)) {
                readers.get(ReadingMode.LIVE).pause(); // they have the same server id
            }
            if (modes.contains(ReadingMode.LATE)) {
                readers.get(ReadingMode.LATE).resume();
                for (ExecutedStep step : executed) {
                    if (!findings.containsKey(ReadingMode.LATE)) {
                        read(ReadingMode.LATE, step);
                    }
                }
            }
        }

        private void read(ReadingMode mode, ExecutedStep step) throws InterruptedException {
            List<Finding> found = new ArrayList<>();
            StepReader reader = readers.get(mode);
            try {
                List<Entry> entries = reader.read(step);
                rows += entries.stream().mapToInt(Entry::rowCount).sum();
                found.addAll(StepComparison.compare(server.release().isMariaDb(), step, entries));
            } catch (AssertionError e) {
                if (!server.isRunning()) {
                    throw new ServerEndedException(server, step.step());
                }
                found.add(new Finding(
                        Kind.NO_ANSWER, e.getMessage() + (e.getCause() == null ? "" : ": " + e.getCause())));
            }
            List<String> texts = warnings.take();
            warned += texts.size();
            if (findsWarnings) {
                texts.forEach(text -> found.add(new Finding(Kind.WARNING, text)));
            }
            if (!found.isEmpty()) {
                findings.put(mode, found);
                reader.pause();
            } else if (step.step().equals(Step.RESTART)) {
                reader.pause();
                reader.resume();
            }
        }

        @Override
        public void close() {
            readers.values().forEach(StepReader::close);
        }
    }
}

package io.sluice.testkit.canal;

import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.OncePerBuild;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A published client of canal that pulls one destination. Its program ends when this is closed, or when this JVM ends.
 *
 * <p>For one thread.
 */
public final class CanalClient implements AutoCloseable {
    private static final String PYTHON_RELEASE = "canal-python==0.4";
    private static final String JAVA_PROGRAM = "io.sluice.testkit.canalclient.ScriptedClient";

    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    /** Where to connect, and as which user; an empty password is sent as one. */
    public record Target(String host, String port, String destination, String user, String password) {
        public static Target of(int port, String destination) {
            return new Target("127.0.0.1", Integer.toString(port), destination, "", "");
        }

        /** The server that ZooKeeper names as the destination's active one. */
        public static Target zooKeeper(String servers, String destination) {
            return new Target(servers, "zk", destination, "", "");
        }

        public Target as(String newUser, String newPassword) {
            return new Target(host, port, destination, newUser, newPassword);
        }
    }

    private CanalClient(List<String> program, Target target) {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(target.host(), target.port(), target.destination(), target.user(), target.password()));
        try {
            this.process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** canal's own Java client. */
    public static CanalClient java(Target target) {
        return new CanalClient(javaProgram(JAVA_PROGRAM), target);
    }

    /** The command that runs a program with canal's published jars. */
    static List<String> javaProgram(String mainClass) {
        Path home = Folders.servers().resolve("canal-client");
        if (!Files.isDirectory(home.resolve("lib"))) {
            throw new IllegalStateException(home + " has no client: build the module testkit first");
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = home.resolve("classes") + ":" + home.resolve("lib") + "/*";
        return List.of(java, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath, mainClass);
    }

    /**
     * The client canal-python.
     *
     * @throws ClientUnavailableException if there is no Python, or the client cannot be fetched
     */
    public static CanalClient python(Target target) {
        Path home = OncePerBuild.folder(Folders.servers().resolve("canal-python"), CanalClient::installPython);
        return new CanalClient(
                List.of(
                        home.resolve("venv/bin/python").toString(),
                        home.resolve("scripted_client.py").toString()),
                target);
    }

    /** The environment is used by its interpreter's path only, so that it may be renamed afterwards. */
    private static void installPython(Path folder) {
        Path venv = folder.resolve("venv");
        require(folder, List.of("python3", "-m", "venv", "--copies", venv.toString()));
        String python = venv.resolve("bin/python").toString();
        // The classes that it ships were generated for an old protobuf, and newer ones reject them.
        require(folder, List.of(python, "-m", "pip", "install", "--quiet", PYTHON_RELEASE, "protobuf<3.21"));
        try (InputStream script = Objects.requireNonNull(CanalClient.class.getResourceAsStream("scripted_client.py"))) {
            Files.copy(script, folder.resolve("scripted_client.py"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void require(Path folder, List<String> command) {
        Commands.Outcome outcome;
        try {
            outcome = Commands.run(folder, Map.of(), command);
        } catch (UncheckedIOException e) {
            throw new ClientUnavailableException("canal-python cannot be tried: " + e.getCause());
        }
        if (!outcome.isSuccess()) {
            throw new ClientUnavailableException(
                    "canal-python cannot be tried: %s: %s".formatted(command, outcome.output()));
        }
    }

    public void connect() {
        order("connect");
    }

    /** Subscribes; the filter must not hold blanks. */
    public void subscribe(String filter) {
        order("subscribe " + filter);
    }

    public void unsubscribe() {
        order("unsubscribe");
    }

    /** Gets what is there, or waits for so long for a full batch; -1 does not wait. */
    public PulledEntries get(int size, long millis) {
        String[] answer = send("get " + size + " " + millis).split(" ");
        List<Entry> entries = new ArrayList<>();
        try {
            for (int i = Integer.parseInt(answer[2]); i > 0; i--) {
                entries.add(Entry.parseFrom(Base64.getDecoder().decode(out.readLine())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new PulledEntries(Long.parseLong(answer[1]), entries);
    }

    public void ack(long batchId) {
        order("ack " + batchId);
    }

    /** Rolls back one batch, or all by 0. */
    public void rollback(long batchId) {
        order("rollback " + batchId);
    }

    public void disconnect() {
        order("disconnect");
    }

    private void order(String line) {
        String answer = send(line);
        if (!answer.equals("ok")) {
            throw new IllegalStateException("%s was answered by %s".formatted(line, answer));
        }
    }

    private String send(String line) {
        String answer;
        try {
            in.write(line + "\n");
            in.flush();
            answer = out.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException("the client has ended", e);
        }
        if (answer == null) {
            throw new IllegalStateException("the client has ended at: " + line);
        }
        if (answer.startsWith("error ")) {
            throw new ClientRefusedException(answer.substring("error ".length()));
        }
        return answer;
    }

    /** Kills the client as a crash would. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}

package io.sluice.testkit.canal;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A client of the management port that is made of canal's published classes. Its program ends when this is closed, or when this JVM ends.
 *
 * <p>For one thread.
 */
public final class CanalAdminClient implements AutoCloseable {
    private static final String PROGRAM = "io.sluice.testkit.canalclient.ScriptedAdminClient";

    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private CanalAdminClient(List<String> command) {
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

    /**
     * Connects to a port of this machine, and logs in.
     *
     * @throws ClientRefusedException if the server rejects that; it has the code and the message
     */
    public static CanalAdminClient connect(int port, String user, String password) {
        List<String> command = new ArrayList<>(CanalClient.javaProgram(PROGRAM));
        command.addAll(List.of("127.0.0.1", Integer.toString(port), user, password));
        CanalAdminClient client = new CanalAdminClient(command);
        try {
            client.result("the login");
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** Asks for an action of the server, and returns the result. */
    public String server(String action) {
        return ask("server", action);
    }

    /** Asks for an action of an instance, and returns the result. */
    public String instance(String destination, String action) {
        return ask("instance", destination, action);
    }

    /** Asks for the names of logs, or for the end of one, and returns it. */
    public String log(String type, String action, String destination, String file, int lines) {
        return ask("log", type, action, destination, file, Integer.toString(lines));
    }

    private String ask(String... words) {
        String line = String.join("\t", words);
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the client has ended", e);
        }
        return result(line);
    }

    private String result(String order) {
        String answer;
        try {
            answer = out.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException("the client has ended", e);
        }
        if (answer == null) {
            throw new IllegalStateException("the client has ended at: " + order);
        }
        if (answer.startsWith("error ")) {
            throw new ClientRefusedException(answer.substring("error ".length()));
        }
        int blank = answer.indexOf(' ');
        String code = answer.substring(0, blank);
        String message = new String(Base64.getDecoder().decode(answer.substring(blank + 1)), StandardCharsets.UTF_8);
        if (!code.equals("0")) {
            throw new ClientRefusedException(code + " " + message);
        }
        return message;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}

package io.sluice.testkit.rabbitmq;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A process of Erlang that runs the commands of {@code rabbitmqctl}, one after the other: started for each of them, it would take a second of
 * processor time. It ends with this JVM, since its input does. Safe for use by several threads.
 */
final class RabbitMqControl implements AutoCloseable {
    private static final String END = "end of the answer, with status ";
    private static final int END_SECONDS = 60;

    /** What the script {@code rabbitmqctl} does, but with a loop in place of one command. */
    private static final String SCRIPT = """
            set -e
            set -a
            . "${0%/*}"/rabbitmq-env
            _rmq_env_set_erl_libs
            exec erl +B +sbwt none +sbwtdcpu none +sbwtdio none +S 1:1 -boot "$CLEAN_BOOT_FILE" -noshell -hidden \\
                -kernel inet_dist_listen_min "$RABBITMQ_CTL_DIST_PORT_MIN" \\
                -kernel inet_dist_listen_max "$RABBITMQ_CTL_DIST_PORT_MAX" \\
                -pa "$1" -eval "$2" -extra rabbitmqctl
            """;

    /** What is printed as an error goes the same way as the rest, so that all of it is before the end of the answer. */
    private static final String LOOP = """
            _ = application:load(logger),
            ok = application:set_env(logger, level, warning),
            {ok, _} = application:ensure_all_started(rabbitmqctl),
            ok = io:setopts([{encoding, unicode}]),
            Errors = spawn(fun Next() -> receive Request -> user ! Request, Next() end end),
            true = unregister(standard_error),
            true = register(standard_error, Errors),
            Run = fun(Words) ->
                try 'Elixir.RabbitMQCtl':main(Words) of
                    _ -> 0
                catch
                    exit:{shutdown, Status} -> Status;
                    Kind:Reason -> io:format("~p: ~p~n", [Kind, Reason]), 70
                end
            end,
            {ok, Version} = application:get_key(rabbitmqctl, vsn),
            Argument = case Version of
                "3." ++ _ -> fun unicode:characters_to_binary/1;
                _ -> fun(Word) -> Word end
            end,
            Loop = fun Next() ->
                case io:read('') of
                    {ok, Words} ->
                        Status = Run([Argument(Word) || Word <- Words]),
                        io:format("~n%s~b~n", [Status]),
                        Next();
                    _ ->
                        halt(0)
                end
            end,
            Loop().
            """.formatted(END);

    private final Process process;
    private final BufferedReader output;
    private final Writer input;
    private volatile boolean hasEnded;

    RabbitMqControl(RabbitMqInstallation installation, Path folder, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        SCRIPT,
                        installation.control().toString(),
                        installation.controlModules().toString(),
                        LOOP)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("could not start rabbitmqctl", e);
        }
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    /**
     * Runs a command.
     *
     * @return what it prints
     * @throws IllegalStateException with what it prints, if it fails
     */
    synchronized String run(List<String> words) {
        StringBuilder answer = new StringBuilder();
        try {
            input.write(words.stream().map(RabbitMqControl::quoted).collect(Collectors.joining(",", "[", "].\n")));
            input.flush();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(END)) {
                    answer.setLength(Math.max(0, answer.length() - 1)); // the line break before the end
                    return require(words, line.substring(END.length()), answer.toString());
                }
                answer.append(line).append('\n');
            }
        } catch (IOException e) {
            hasEnded = true;
            throw new UncheckedIOException("rabbitmqctl ended while running %s: %s".formatted(words, answer), e);
        }
        hasEnded = true; // also while the process is still ending
        return requireSuccess(words, answer.toString());
    }

    /** From 4.3 on a command ends the process. */
    private String requireSuccess(List<String> words, String answer) {
        try {
            if (process.waitFor(END_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return answer;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("rabbitmqctl ended while running %s: %s".formatted(words, answer));
    }

    /** Whether it can run another command. */
    boolean isRunning() {
        return !hasEnded && process.isAlive();
    }

    private static String require(List<String> words, String status, String answer) {
        if (!status.equals("0")) {
            throw new IllegalStateException("rabbitmqctl %s ended with status %s: %s".formatted(words, status, answer));
        }
        return answer;
    }

    private static String quoted(String word) {
        return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Ends it. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            boolean unused =
                    process.waitFor(END_SECONDS, TimeUnit.SECONDS); // it was killed, and its folder is deleted next
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

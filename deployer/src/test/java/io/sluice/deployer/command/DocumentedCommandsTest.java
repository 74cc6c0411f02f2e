package io.sluice.deployer.command;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.deployer.docs.CodeBlock;
import io.sluice.deployer.docs.Page;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Commands in the documentation are those that there are. */
class DocumentedCommandsTest {
    private static final Path SCRIPTS = Path.of("src/main/package/bin");
    /** A word of a command line: quoted, or up to a blank. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|((?:[^\\s'\"])+)");

    private static final CommandContext CONTEXT = new CommandContext(
            Path.of("canal.properties"),
            Path.of("."),
            Path.of("."),
            new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getLoopbackAddress(), 2),
            ProducerCheck.NONE,
            mode -> Optional.empty(),
            new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8));

    @Test
    void commandLinesInBlocksAreAccepted() throws IOException {
        List<String> wrong = new ArrayList<>();
        int count = 0;
        for (Page page : Page.all()) {
            for (CodeBlock block : page.blocks()) {
                for (String line : block.commandLines()) {
                    for (List<String> command : commands(line, "sluice.sh")) {
                        count++;
                        try {
                            SluiceCommand.parse(command, CONTEXT);
                        } catch (ParameterException e) {
                            wrong.add("%s:%d: %s: %s".formatted(page.file(), block.line(), line, e.getMessage()));
                        }
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(count).isGreaterThan(40);
    }

    /** In a sentence, what a verb needs may be left out. */
    @Test
    void verbsAndOptionsInSentencesAreThere() throws IOException {
        List<String> wrong = new ArrayList<>();
        int count = 0;
        for (Page page : Page.all()) {
            for (String code : page.inlineCode()) {
                for (List<String> command : commands(code, "sluice.sh")) {
                    count++;
                    try {
                        SluiceCommand.parse(command, CONTEXT);
                    } catch (MissingParameterException e) {
                        // the verb and its options are there
                    } catch (ParameterException e) {
                        wrong.add("%s: %s: %s".formatted(page.file(), code, e.getMessage()));
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(count).isGreaterThan(40);
    }

    /** The script reads its words before it looks for Java. */
    @Test
    void wordsOfTheStartScriptAreAccepted(@TempDir Path home) throws Exception {
        Path script = copyScripts(home);
        int count = 0;
        for (Page page : Page.all()) {
            List<String> texts = new ArrayList<>(page.inlineCode());
            page.blocks().forEach(block -> texts.addAll(block.commandLines()));
            for (String text : texts) {
                for (List<String> words : commands(text, "startup.sh")) {
                    count++;
                    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
                    words.stream()
                            .map(word -> word.equals("PORT") ? "9099" : word)
                            .forEach(command::add);
                    assertThat(output(command, home, "JAVA", "/nonexistent/java"))
                            .as("%s: %s", page.file(), text)
                            .startsWith("This java does not run");
                }
                for (List<String> words : commands(text, "stop.sh")) {
                    count++;
                    assertThat(words).as("%s: %s", page.file(), text).isEmpty();
                }
            }
        }
        assertThat(count).isGreaterThan(15);

        assertThat(output(List.of("bash", script.toString(), "--fast"), home, "JAVA", "/nonexistent/java"))
                .startsWith("usage: startup.sh");
    }

    private static Path copyScripts(Path home) throws IOException {
        Path bin = Files.createDirectories(home.resolve("bin"));
        try (Stream<Path> scripts = Files.list(SCRIPTS)) {
            for (Path script : scripts.toList()) {
                Files.copy(script, bin.resolve(script.getFileName()));
            }
        }
        Files.createDirectories(home.resolve("conf"));
        for (String file : List.of("conf/canal.properties", "conf/canal_local.properties", "FILE")) {
            Files.createFile(home.resolve(file));
        }
        return bin.resolve("startup.sh");
    }

    @Test
    void shellSnippetsAreSyntacticallyRight(@TempDir Path folder) throws Exception {
        List<String> wrong = new ArrayList<>();
        int count = 0;
        for (Page page : Page.all()) {
            for (CodeBlock block : page.blocks()) {
                for (String snippet : block.shellSnippets()) {
                    count++;
                    String said = output(List.of("bash", "-n", "-c", snippet), folder, "LANG", "C");
                    if (!said.isEmpty()) {
                        wrong.add("%s:%d: %s%n%s".formatted(page.file(), block.line(), said, snippet));
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(count).isGreaterThan(40);
        assertThat(output(List.of("bash", "-n", "-c", "if true"), folder, "LANG", "C"))
                .contains("syntax error");
    }

    private static String output(List<String> command, Path folder, String variable, String value) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put(variable, value);
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, SECONDS)).isTrue();
        return output;
    }

    /** The words after a script's name, for each time that a line runs it; none if the name stands alone in a sentence. */
    private static List<List<String>> commands(String line, String script) {
        List<List<String>> commands = new ArrayList<>();
        for (String part : line.split("\\s[|&>]+\\s|\\s#\\s|;\\s|<\\(|\\$\\(")) {
            Matcher word = WORD.matcher(part.replaceFirst("\\)$", ""));
            List<String> words = null;
            while (word.find()) {
                String text =
                        word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3);
                if (words != null) {
                    words.add(text);
                } else if (text.equals(script) || text.endsWith("/" + script)) {
                    words = new ArrayList<>();
                } else if (!text.matches("env|source|\\$|[\\w.]+=.*")) {
                    break;
                }
            }
            if (words != null && !(script.equals("sluice.sh") && isNoVerb(words))) {
                commands.add(words);
            }
        }
        return commands;
    }

    /** The script alone, or a word that it handles itself. */
    private static boolean isNoVerb(List<String> words) {
        return words.isEmpty() || words.get(0).equals("warm");
    }
}

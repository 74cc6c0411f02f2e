package io.sluice.deployer.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The instructions of a Dockerfile, for tests that do what a container engine would do.
 *
 * @param instructions each with its stage, in their order
 */
record Dockerfile(List<Instruction> instructions) {
    private static final Pattern PAIR = Pattern.compile("([A-Za-z_.][\\w.]*)=\"([^\"]*)\"");

    /**
     * One instruction.
     *
     * @param stage which {@code FROM} it is behind, from 0
     * @param name such as {@code COPY}
     * @param rest what follows, on one line
     */
    record Instruction(int stage, String name, String rest) {}

    static Dockerfile read(Path file) throws IOException {
        List<Instruction> instructions = new ArrayList<>();
        int stage = -1;
        StringBuilder open = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.endsWith("\\")) {
                open.append(line, 0, line.length() - 1);
                continue;
            }
            String[] words = open.append(line).toString().strip().split("\\s+", 2);
            open.setLength(0);
            if ("FROM".equals(words[0])) {
                stage++;
            }
            instructions.add(new Instruction(stage, words[0], words[1]));
        }
        return new Dockerfile(List.copyOf(instructions));
    }

    /** The instructions of a name in the last stage, which becomes the image. */
    List<String> last(String name) {
        int stage = instructions.get(instructions.size() - 1).stage();
        return instructions.stream()
                .filter(instruction -> instruction.stage() == stage)
                .filter(instruction -> instruction.name().equals(name))
                .map(Instruction::rest)
                .toList();
    }

    /** The environment of the image. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String pairs : last("ENV")) {
            Matcher pair = PAIR.matcher(pairs);
            while (pair.find()) {
                environment.put(pair.group(1), pair.group(2));
            }
        }
        return environment;
    }

    /** The words of an instruction that ends with a JSON array, such as {@code ENTRYPOINT}; empty if there is none. */
    List<String> words(String name) throws JsonProcessingException {
        List<String> words = new ArrayList<>();
        for (String rest : last(name)) {
            for (String word : new ObjectMapper().readValue(rest.substring(rest.indexOf('[')), String[].class)) {
                words.add(word);
            }
        }
        return words;
    }
}

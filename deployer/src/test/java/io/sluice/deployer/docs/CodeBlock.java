package io.sluice.deployer.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fenced or indented code block.
 *
 * @param language what is written after the fence; empty if nothing is, or if it is indented
 * @param lines its lines, without the indentation
 * @param line the number of its first line, from 1
 * @param height how many lines of the page it takes
 */
public record CodeBlock(String language, List<String> lines, int line, int height) {
    private static final Pattern FENCE = Pattern.compile("( *)(```+|~~~+)\\s*(\\S*).*");
    /** Four blanks, or those and three more in an item of a list. */
    private static final Pattern INDENT = Pattern.compile(" {4,}\\S.*");

    private static final Pattern COMMAND =
            Pattern.compile("(?:\\$ )?((?:env|curl|bash|\\./|bin/|/[\\w/]+\\.sh)(?:[ /\\w].*)?)");

    /** The block that begins at a line; null if none does. */
    static @Nullable CodeBlock at(List<String> page, int start) {
        Matcher fence = FENCE.matcher(page.get(start));
        if (fence.matches()) {
            List<String> lines = new ArrayList<>();
            int end = start + 1;
            while (end < page.size() && !page.get(end).strip().equals(fence.group(2))) {
                String line = page.get(end++);
                lines.add(
                        line.startsWith(fence.group(1))
                                ? line.substring(fence.group(1).length())
                                : line.strip());
            }
            return new CodeBlock(fence.group(3), lines, start + 2, Math.min(end + 1, page.size()) - start);
        }
        boolean isAfterBlank = start == 0 || page.get(start - 1).isBlank();
        if (!isAfterBlank || !INDENT.matcher(page.get(start)).matches()) {
            return null;
        }
        int indent = page.get(start).length() - page.get(start).stripLeading().length();
        List<String> lines = new ArrayList<>();
        int end = start;
        while (end < page.size()
                && (page.get(end).isBlank() || page.get(end).startsWith(" ".repeat(Math.min(indent, 4))))) {
            String line = page.get(end++);
            lines.add(line.length() < indent ? line.strip() : line.substring(indent));
        }
        return new CodeBlock("", lines, start + 1, end - start);
    }

    private boolean isShell() {
        return language.equals("bash") || language.equals("sh");
    }

    /** What a shell is to run: the whole of a block in its language, else each line that is a command. */
    public List<String> shellSnippets() {
        if (isShell()) {
            return List.of(String.join("\n", lines));
        }
        return language.isEmpty() || language.equals("console") ? commandLines() : List.of();
    }

    /** The lines that begin with a command, without a prompt. */
    public List<String> commandLines() {
        List<String> commands = new ArrayList<>();
        if (isShell() || language.isEmpty() || language.equals("console")) {
            for (String line : lines) {
                Matcher command = COMMAND.matcher(line.strip());
                if (command.matches()) {
                    commands.add(command.group(1));
                }
            }
        }
        return commands;
    }
}

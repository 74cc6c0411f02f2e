package io.sluice.deployer.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation, read as GitHub reads it: its headings, links, code blocks and inline code.
 *
 * @param file where it is
 * @param prose its lines; those of code blocks are empty
 * @param blocks its code blocks
 */
public record Page(Path file, List<String> prose, List<CodeBlock> blocks) {
    /** The top of the source tree. */
    static final Path ROOT = Path.of("..");

    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)(?: +#+)?");
    private static final Pattern LINK =
            Pattern.compile("!?\\[(?:[^\\[\\]]|\\[[^\\]]*\\])*\\]\\(([^()\\s]+(?:\\([^()]*\\))?)\\)");
    private static final Pattern CODE = Pattern.compile("(?<!`)`([^`]+)`(?!`)");

    /** The pages that readers get, also those of modules; not the copies and libraries of the site. */
    public static List<Page> all() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String file : List.of(
                "README.md",
                "README.zh-CN.md",
                "ARCHITECTURE.md",
                "CONTRIBUTING.md",
                "CHANGELOG.md",
                "client/README.md",
                "mysql/README.md")) {
            files.add(ROOT.resolve(file));
        }
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(ROOT.resolve("docs/site")))
                    .sorted()
                    .forEach(files::add);
        }
        List<Page> pages = new ArrayList<>();
        for (Path file : files) {
            pages.add(read(file));
        }
        return pages;
    }

    /** Reads one. */
    public static Page read(Path file) throws IOException {
        return parse(file, Files.readAllLines(file));
    }

    static Page parse(Path file, List<String> lines) {
        List<String> prose = new ArrayList<>();
        List<CodeBlock> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); ) {
            CodeBlock block = CodeBlock.at(lines, i);
            if (block == null) {
                prose.add(lines.get(i++));
            } else {
                blocks.add(block);
                for (int end = i + block.height(); i < end; i++) {
                    prose.add("");
                }
            }
        }
        return new Page(file, prose, blocks);
    }

    /** The page's place in the source tree. */
    String name() {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    /** The names by which links lead to headings. A heading that comes again has a number. */
    public List<String> anchors() {
        List<String> anchors = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : prose) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = anchor(heading.group(1));
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    /** As GitHub makes it: letters, digits, hyphens and underscores are kept, and a blank is a hyphen. */
    static String anchor(String heading) {
        return heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]", "")
                .strip()
                .replace(' ', '-');
    }

    /** The targets of all links, as they are written. */
    public List<String> links() {
        List<String> links = new ArrayList<>();
        for (String line : prose) {
            Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("code"));
            while (link.find()) {
                links.add(link.group(1));
            }
        }
        return links;
    }

    /** What is between single backticks. A piece may be continued on the next line. */
    public List<String> inlineCode() {
        List<String> pieces = new ArrayList<>();
        for (String paragraph : String.join("\n", prose).split("\n\\s*\n|\n(?=[|#-])")) {
            Matcher code = CODE.matcher(paragraph.replaceAll("\n\\s*", " "));
            while (code.find()) {
                pieces.add(code.group(1));
            }
        }
        return pieces;
    }

    /** The lines below a heading, until the next one of its level or above; empty if there is no such heading. */
    public List<String> section(String heading) {
        int start = prose.indexOf(heading);
        if (start < 0) {
            return List.of();
        }
        int level = heading.indexOf(' ');
        int end = start + 1;
        while (end < prose.size() && !prose.get(end).matches("#{1," + level + "} .*")) {
            end++;
        }
        return prose.subList(start + 1, end);
    }
}

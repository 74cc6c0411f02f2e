package io.sluice.stream.differential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;

/** String literals in all spellings. */
final class RandomTexts {
    /** In ASCII: a server replaces what the character set of the column or of the client does not have. */
    private static final List<String> LABELS = List.of(
            "a",
            "b",
            "c",
            "x,y",
            "it's",
            "d\"q",
            "b\\s",
            "甲",
            "A b",
            "-- c",
            "/*c*/",
            "(",
            ")",
            "`",
            ";",
            "default",
            "",
            "100%",
            "_",
            "unsigned",
            "\t",
            "null",
            "#",
            "''",
            "first after b",
            "select");

    private static final List<String> COMMENTS = List.of(
            "c",
            "a, b) `c'",
            "it's",
            "-- x",
            "/* y */",
            "first after b",
            "unsigned zerofill primary key",
            "中文 表ソ",
            "😀",
            "#",
            "end;",
            "x\\",
            "",
            "\"dq\"",
            "(((",
            "*/",
            "SELECT",
            "` (\n  `");

    private static final int MAX_SET = 64;

    private final Scene scene;
    private final Dice dice;

    RandomTexts(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
    }

    String literal(String text) {
        if (dice.percent(8)) {
            return "x'" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "'";
        }
        String quote = !scene.session().ansiQuotes() && dice.percent(20) ? "\"" : "'";
        boolean doubled = dice.percent(70) || scene.session().plainBackslashes();
        return quote + backslashes(text).replace(quote, (doubled ? quote : "\\") + quote) + quote;
    }

    /** A literal in single quotation marks. */
    String plainLiteral(String text) {
        return "'" + backslashes(text).replace("'", "''") + "'";
    }

    private String backslashes(String text) {
        return scene.session().plainBackslashes() ? text : text.replace("\\", "\\\\");
    }

    String comment() {
        return " comment " + plainLiteral(dice.oneOf(COMMENTS));
    }

    /** The members of an ENUM in parentheses. */
    String enumMembers() {
        List<String> members = new ArrayList<>();
        for (int i = 1 + dice.below(5); i > 0; i--) {
            addNew(members, ascii(dice.oneOf(LABELS)));
        }
        return inParentheses(members);
    }

    /** The members of a SET in parentheses. */
    String setMembers() {
        List<String> members = new ArrayList<>(List.of("z"));
        int wanted = dice.percent(10) ? 1 + dice.below(MAX_SET) : dice.below(6);
        for (int i = 0; i < wanted; i++) {
            String label = wanted > 8 ? "m" + i : ascii(dice.oneOf(LABELS));
            if (!label.contains(",")) {
                addNew(members, label);
            }
        }
        return inParentheses(members);
    }

    private String inParentheses(List<String> members) {
        StringJoiner all =
                new StringJoiner(dice.oneOf(",", ", ", " , ", ",\n"), dice.oneOf("(", "( "), dice.oneOf(")", " )"));
        members.forEach(member -> all.add(literal(member)));
        return all.toString();
    }

    private static void addNew(List<String> members, String label) {
        if (!members.contains(label)) {
            members.add(label);
        }
    }

    private static String ascii(String label) {
        return label.replaceAll("[^\\x00-\\x7f]+", "u");
    }
}

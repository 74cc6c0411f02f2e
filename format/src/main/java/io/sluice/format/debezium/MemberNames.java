package io.sluice.format.debezium;

import java.util.ArrayList;
import java.util.List;

/**
 * The members in the text of an ENUM or SET type: {@code enum('a','it''s')}; nothing but quotes is escaped in it. The server removes
 * blanks at the end of a member, which a statement may have.
 */
final class MemberNames {
    private static final char QUOTE = '\'';

    private MemberNames() {}

    /** In their order; none if the text has none. */
    static List<String> of(String mysqlType) {
        List<String> members = new ArrayList<>();
        int at = mysqlType.indexOf(QUOTE) + 1;
        while (at > 0) {
            StringBuilder member = new StringBuilder();
            int end = read(mysqlType, at, member);
            members.add(withoutBlanksAtEnd(member));
            at = mysqlType.indexOf(QUOTE, end) + 1;
        }
        return List.copyOf(members);
    }

    private static String withoutBlanksAtEnd(StringBuilder member) {
        int length = member.length();
        while (length > 0 && member.charAt(length - 1) == ' ') {
            length--;
        }
        return member.substring(0, length);
    }

    /** Reads up to the closing quote; returns the index after it. */
    private static int read(String text, int from, StringBuilder member) {
        int at = from;
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next == QUOTE) {
                if (at >= text.length() || text.charAt(at) != QUOTE) {
                    break;
                }
                at++;
            }
            member.append(next);
        }
        return at;
    }
}

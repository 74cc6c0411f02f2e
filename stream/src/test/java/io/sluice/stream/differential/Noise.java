package io.sluice.stream.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Comments, executable comments, blanks and upper case that do not change the meaning of a statement. */
final class Noise {
    private static final Pattern KEYWORD = Pattern.compile("[a-z]+");

    private final Scene scene;
    private final Dice dice;

    Noise(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
    }

    /** Adds some to about half of the statements. */
    String add(String sql) {
        if (dice.percent(55)) {
            return sql;
        }
        List<String> tokens = tokens(sql);
        int wrapFrom = dice.percent(25) ? dice.below(tokens.size()) : tokens.size();
        int wrapTo = Math.min(tokens.size() - 1, wrapFrom + dice.below(4));
        StringBuilder out = new StringBuilder(dice.percent(10) ? before() : "");
        for (int i = 0; i < tokens.size(); i++) {
            out.append(i == wrapFrom ? executableComment() : "");
            out.append(recased(tokens.get(i)));
            out.append(i == wrapTo && wrapFrom <= wrapTo ? " */" : "");
            if (i < tokens.size() - 1) {
                out.append(i >= wrapFrom && i < wrapTo || dice.percent(88) ? blank() : comment());
            }
        }
        return out.append(dice.percent(15) ? after() : "").toString();
    }

    /** Splits at blanks that are not in quotation marks. */
    private List<String> tokens(String sql) {
        List<String> tokens = new ArrayList<>();
        StringBuilder token = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            boolean escape = quote != 0
                    && quote != '`'
                    && c == '\\'
                    && !scene.session().plainBackslashes()
                    && !(scene.session().ansiQuotes() && quote == '"');
            if (quote == 0 && (c == ' ' || c == '\n')) {
                if (!token.isEmpty()) {
                    tokens.add(token.toString());
                    token.setLength(0);
                }
                continue;
            }
            token.append(c);
            if (escape && i + 1 < sql.length()) {
                token.append(sql.charAt(++i));
            } else if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '\'' || c == '`' || c == '"')) {
                quote = c;
            }
        }
        tokens.add(token.toString());
        return tokens;
    }

    private String recased(String token) {
        boolean keyword = KEYWORD.matcher(token).matches() && !Identifiers.TABLES.contains(token);
        if (!keyword || dice.percent(85)) {
            return token;
        }
        return dice.percent(50)
                ? token.toUpperCase(Locale.ROOT)
                : Character.toUpperCase(token.charAt(0)) + token.substring(1);
    }

    private String before() {
        return dice.oneOf(
                "/* lead */ ",
                "-- lead\n",
                "# lead\n",
                "\n\t ",
                "/**/",
                "/*x;y*/",
                scene.mariaDb() ? "/*M!100100 */ " : "/*!50000 */ ");
    }

    private String executableComment() {
        return dice.oneOf(
                "/*!",
                "/*!50000 ",
                "/*!40100 ",
                "/*!50700 ",
                scene.mariaDb() ? "/*M! " : "/*!50001 ",
                scene.mariaDb() ? dice.oneOf("/*M!100100 ", "/*M!80000 ") : "/*!50610 ",
                scene.mariaDb() ? "/*!100200 " : "/*!50700 ");
    }

    private String blank() {
        if (scene.session().client() == Client.LATIN1 && dice.percent(8)) {
            return "\u00a0";
        }
        return dice.oneOf(" ", " ", " ", "\n", "\t", "  ", "\r\n");
    }

    private String comment() {
        return dice.oneOf(
                " /* c */ ",
                "/**/",
                " /* it's */ ",
                " -- x'y\n",
                " # `z\n",
                "/* ; */",
                " /*!99999 nothing here */ ",
                " --\n",
                " /*! */ ",
                "\u000b",
                " /* /* */ ",
                scene.mariaDb() ? " /*M!999999 no */ " : " /*!99999 , x int */ ",
                " /*+ hint */ ");
    }

    private String after() {
        return dice.oneOf(";", " ;", " -- end", " /* end */", "; ", "\n", " # end", ";;", " --", "/* begin");
    }
}

package io.sluice.bench.workload;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Random;

/** Appends the values of rows as SQL. What it draws depends on the seed and the order of calls only. */
final class RowText {
    private static final int LARGEST_CENTS = 9_999_999;
    private static final long FIRST_SECOND = 1_735_689_600; // 2025-01-01 00:00:00 UTC
    private static final int SECONDS = 365 * 24 * 3600;

    /** ASCII mostly, as texts are; some need an escape in JSON, some are longer in UTF-8. */
    private static final String[] WORDS = {
        "harbour", "street", "north", "second", "floor", "red", "box", "please", "ring", "twice", "left", "at", "the",
        "door", "Main", "Hill", "Park", "Avenue", "gift", "fragile", "express", "collect", "by", "noon", "blue",
                "large",
        "Café", "Straße", "東京", "naïve", "say \"hi\"", "a\\b", "tea & milk", "O'Neill"
    };

    private static final String[] CURRENCIES = {"EUR", "USD", "GBP", "JPY", "CHF"};

    private final Random random;

    RowText(Random random) {
        this.random = random;
    }

    /** An amount in cents, larger than zero. */
    int cents() {
        return 1 + random.nextInt(LARGEST_CENTS);
    }

    /** All columns of a row of orders, in brackets. */
    void appendOrder(StringBuilder sql, long id, int cents) {
        sql.append('(').append(id).append(',');
        sql.append(1 + random.nextInt(1_000_000)).append(',');
        sql.append(1 + random.nextInt(50_000)).append(',');
        sql.append(random.nextInt(6)).append(',');
        sql.append(1 + random.nextInt(20)).append(',');
        appendAmount(sql, cents);
        sql.append(",'R-")
                .append(Long.toString(random.nextLong() & Long.MAX_VALUE, 36))
                .append("',");
        appendWords(sql, 3, 6);
        sql.append(',');
        if (random.nextInt(4) > 0) {
            appendWords(sql, 20, 60);
        } else {
            sql.append("NULL");
        }
        sql.append(',').append(random.nextInt(100_000) / 100.0).append(',');
        appendTime(sql, false);
        sql.append(',');
        appendTime(sql, false);
        sql.append(')');
    }

    /** All columns of a row of payments, in brackets. */
    void appendPayment(StringBuilder sql, long id, int cents) {
        sql.append('(').append(id).append(',');
        sql.append(1 + random.nextInt(10_000_000)).append(',');
        sql.append(1 + random.nextInt(1_000_000)).append(',');
        sql.append(random.nextInt(5)).append(",'");
        sql.append(CURRENCIES[random.nextInt(CURRENCIES.length)]).append("',");
        appendAmount(sql, cents);
        sql.append(',');
        appendWords(sql, 2, 3);
        sql.append(',');
        if (random.nextInt(3) > 0) {
            appendWords(sql, 20, 50);
        } else {
            sql.append("NULL");
        }
        sql.append(',').append(1 + random.nextInt(1_000_000) / 1e6).append(',');
        appendTime(sql, true);
        sql.append(',');
        appendTime(sql, false);
        sql.append(')');
    }

    /** What an update of an order sets. */
    void appendOrderUpdate(StringBuilder sql, int cents) {
        sql.append("status=").append(random.nextInt(6)).append(",amount=");
        appendAmount(sql, cents);
        sql.append(",updated_at=");
        appendTime(sql, false);
    }

    /** What an update of a payment sets. */
    void appendPaymentUpdate(StringBuilder sql, int cents) {
        sql.append("amount=");
        appendAmount(sql, cents);
        sql.append(",seen_at=");
        appendTime(sql, false);
    }

    private static void appendAmount(StringBuilder sql, int cents) {
        sql.append(cents / 100).append('.').append(cents / 10 % 10).append(cents % 10);
    }

    private void appendWords(StringBuilder sql, int least, int most) {
        int words = least + random.nextInt(most - least + 1);
        sql.append('\'');
        for (int i = 0; i < words; i++) {
            if (i > 0) {
                sql.append(' ');
            }
            String word = WORDS[random.nextInt(WORDS.length)];
            for (int at = 0; at < word.length(); at++) {
                char character = word.charAt(at);
                if (character == '\'' || character == '\\') {
                    sql.append('\\');
                }
                sql.append(character);
            }
        }
        sql.append('\'');
    }

    private void appendTime(StringBuilder sql, boolean millis) {
        long second = FIRST_SECOND + random.nextInt(SECONDS);
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        sql.append('\'').append(time.toLocalDate()).append(' ');
        appendTwo(sql, time.getHour());
        sql.append(':');
        appendTwo(sql, time.getMinute());
        sql.append(':');
        appendTwo(sql, time.getSecond());
        if (millis) {
            sql.append('.').append(100 + random.nextInt(900));
        }
        sql.append('\'');
    }

    private static void appendTwo(StringBuilder sql, int number) {
        sql.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }
}

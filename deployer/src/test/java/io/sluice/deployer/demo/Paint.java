package io.sluice.deployer.demo;

/** Colours for a terminal, or none. */
record Paint(boolean on) {
    String bold(String text) {
        return in("1", text);
    }

    String dim(String text) {
        return in("2", text);
    }

    String good(String text) {
        return in("32", text);
    }

    String bad(String text) {
        return in("31", text);
    }

    String prompt(String text) {
        return in("36", text);
    }

    /** In the colour of a kind of change. */
    String type(String type, String text) {
        return switch (type) {
            case "INSERT" -> in("1;32", text);
            case "UPDATE" -> in("1;33", text);
            case "DELETE" -> in("1;31", text);
            default -> in("1;36", text);
        };
    }

    private String in(String code, String text) {
        return on ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}

package io.sluice.format.value;

import io.sluice.format.value.JsonDocument.Container;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A JSON document that differences are applied to.
 *
 * <p>Only what a difference's path leads through is taken apart; all else stays in its binary form until it is written. For
 * one thread.
 */
final class JsonTree {
    /** The order of an object's members: short keys first, then by their bytes. */
    private static final Comparator<byte[]> KEYS =
            Comparator.<byte[]>comparingInt(key -> key.length).thenComparing(java.util.Arrays::compareUnsigned);

    private Node root;

    JsonTree(JsonDocument document) {
        this.root = new Binary(document, document.rootType(), document.rootAt());
    }

    /** A part of the document. */
    private sealed interface Node permits Binary, Members, Elements {}

    /** A part that is as it was stored. */
    private record Binary(JsonDocument document, int type, int at) implements Node {}

    /** An object. */
    private record Members(Map<byte[], Node> byKey) implements Node {}

    /** An array. */
    private record Elements(List<Node> inOrder) implements Node {
        boolean has(JsonPath.Leg leg) {
            return placeOf(leg) >= 0;
        }

        int placeOf(JsonPath.Leg leg) {
            return leg.place(inOrder.size());
        }
    }

    /** Replaces a value by another one. */
    void replace(JsonPath path, JsonDocument value) {
        Node node = new Binary(value, value.rootType(), value.rootAt());
        int last = lastRealLeg(path);
        if (last < 0) {
            root = node;
            return;
        }
        Node parent = find(path, last);
        JsonPath.Leg leg = path.legs().get(last);
        byte[] key = leg.key();
        if (key != null && parent instanceof Members members && members.byKey.containsKey(key)) {
            members.byKey.put(key, node);
        } else if (key == null && parent instanceof Elements elements && elements.has(leg)) {
            elements.inOrder.set(elements.placeOf(leg), node);
        } else {
            throw misfit();
        }
    }

    /** Adds a member to an object, or moves an array's elements to make room for one. */
    void insert(JsonPath path, JsonDocument value) {
        Node node = new Binary(value, value.rootType(), value.rootAt());
        int last = path.legs().size() - 1;
        Node parent = last < 0 ? null : find(path, last);
        JsonPath.Leg leg = last < 0 ? null : path.legs().get(last);
        if (leg == null) {
            throw misfit();
        }
        byte[] key = leg.key();
        if (key != null && parent instanceof Members members && !members.byKey.containsKey(key)) {
            members.byKey.put(key, node);
        } else if (key == null && parent instanceof Elements elements) {
            elements.inOrder.add(leg.insertedAt(elements.inOrder.size()), node);
        } else {
            throw misfit();
        }
    }

    /** Removes a member or an element. */
    void remove(JsonPath path) {
        int last = path.legs().size() - 1;
        if (last < 0) {
            throw misfit();
        }
        Node parent = find(path, last);
        JsonPath.Leg leg = path.legs().get(last);
        byte[] key = leg.key();
        if (key != null && parent instanceof Members members && members.byKey.containsKey(key)) {
            members.byKey.remove(key);
        } else if (key == null && parent instanceof Elements elements && elements.has(leg)) {
            elements.inOrder.remove(elements.placeOf(leg));
        } else {
            throw misfit();
        }
    }

    /** Element 0 of what is no array, which is also the last, is that itself, so legs to it at a path's end lead nowhere. */
    private int lastRealLeg(JsonPath path) {
        int last = path.legs().size() - 1;
        while (last >= 0 && path.legs().get(last).key() == null && !(find(path, last) instanceof Elements)) {
            if (path.legs().get(last).index() != 0) {
                throw misfit();
            }
            last--;
        }
        return last;
    }

    /** What the first {@code legs} of a path lead to, taken apart. */
    private Node find(JsonPath path, int legs) {
        root = opened(root);
        Node node = root;
        for (int i = 0; i < legs; i++) {
            JsonPath.Leg leg = path.legs().get(i);
            node = down(node, leg);
        }
        return node;
    }

    private static Node down(Node from, JsonPath.Leg leg) {
        byte[] key = leg.key();
        if (key != null && from instanceof Members members) {
            Node member = members.byKey.get(key);
            if (member != null) {
                Node opened = opened(member);
                members.byKey.put(key, opened);
                return opened;
            }
        } else if (key == null && from instanceof Elements elements) {
            if (elements.has(leg)) {
                Node opened = opened(elements.inOrder.get(elements.placeOf(leg)));
                elements.inOrder.set(elements.placeOf(leg), opened);
                return opened;
            }
        } else if (key == null && leg.index() == 0) {
            return from;
        }
        throw misfit();
    }

    private static Node opened(Node node) {
        if (!(node instanceof Binary binary)) {
            return node;
        }
        JsonDocument document = binary.document;
        Container container = document.container(binary.type, binary.at);
        if (container == null) {
            return node;
        }
        document.pay(container.count());
        if (!container.object()) {
            List<Node> elements = new ArrayList<>(container.count());
            for (int i = 0; i < container.count(); i++) {
                elements.add(element(document, container, i));
            }
            return new Elements(elements);
        }
        Map<byte[], Node> members = new TreeMap<>(KEYS);
        for (int i = 0; i < container.count(); i++) {
            members.put(document.key(container, i), element(document, container, i));
        }
        return new Members(members);
    }

    private static Binary element(JsonDocument document, Container container, int index) {
        return new Binary(document, document.elementType(container, index), document.elementAt(container, index));
    }

    private static RuntimeException misfit() {
        return JsonDocument.malformed("a difference that does not fit the document before it");
    }

    /** Appends the document's text. */
    void writeText(ByteWriter out) {
        write(root, 0, out);
    }

    private static void write(Node node, int depth, ByteWriter out) {
        if (depth > JsonDocument.DEEPEST) {
            throw JsonDocument.malformed("more than " + JsonDocument.DEEPEST + " levels");
        }
        if (node instanceof Binary binary) {
            binary.document.writeValue(binary.type, binary.at, depth, out);
        } else if (node instanceof Elements elements) {
            String separator = "[";
            for (Node element : elements.inOrder) {
                out.writeAscii(separator);
                write(element, depth + 1, out);
                separator = ", ";
            }
            out.writeAscii(elements.inOrder.isEmpty() ? "[]" : "]");
        } else if (node instanceof Members members) {
            String separator = "{";
            for (Map.Entry<byte[], Node> member : members.byKey.entrySet()) {
                out.writeAscii(separator);
                JsonDocument.writeQuoted(member.getKey(), member.getKey().length, out);
                out.writeAscii(": ");
                write(member.getValue(), depth + 1, out);
                separator = ", ";
            }
            out.writeAscii(members.byKey.isEmpty() ? "{}" : "}");
        }
    }
}

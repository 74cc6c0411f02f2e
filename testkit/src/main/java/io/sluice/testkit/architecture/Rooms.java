package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;

/**
 * The packages of a module, from the bottom up: a package uses only those before it, so they have no cycle.
 *
 * @param root the package that contains them all
 * @param names the packages, without the root's name; the empty name is the root itself
 */
public record Rooms(String root, List<String> names) {
    /**
     * Returns the uses of packages by packages that are before them.
     *
     * @throws IllegalArgumentException if a package is not listed
     */
    public List<String> wrongArrows(JavaClasses classes) {
        List<String> wrong = new ArrayList<>();
        for (JavaClass one : classes) {
            int index = index(one);
            for (Dependency arrow : one.getDirectDependenciesFromSelf()) {
                if (index >= 0 && index(arrow.getTargetClass()) > index) {
                    wrong.add(arrow.getDescription());
                }
            }
        }
        return wrong;
    }

    /** Returns the index of the package of a class; -1 if the class is of another module. */
    private int index(JavaClass one) {
        String name = one.getPackageName();
        if (!name.equals(root) && !name.startsWith(root + ".")) {
            return -1;
        }
        String room = name.equals(root) ? "" : name.substring(root.length() + 1);
        int index = names.indexOf(room);
        if (index < 0) {
            throw new IllegalArgumentException("%s is not listed in the order of the packages: add it".formatted(name));
        }
        return index;
    }
}

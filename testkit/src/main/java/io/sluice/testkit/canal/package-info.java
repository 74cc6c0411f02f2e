/** Published clients of canal, driven in processes of their own. They are used unmodified; no class of theirs is seen here. */
@NullMarked
package io.sluice.testkit.canal;

import org.jspecify.annotations.NullMarked;

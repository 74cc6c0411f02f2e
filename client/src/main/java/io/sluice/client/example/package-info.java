/** Short programs that show how the client is used. */
@NullMarked
package io.sluice.client.example;

import org.jspecify.annotations.NullMarked;

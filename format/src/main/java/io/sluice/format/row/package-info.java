/**
 * The rows of a table in row images: its columns, where their values are in an image, and which images an event has. It does not know what
 * becomes of rows, nor any format: encoders keep what they prepare of a table with it.
 */
@NullMarked
package io.sluice.format.row;

import org.jspecify.annotations.NullMarked;

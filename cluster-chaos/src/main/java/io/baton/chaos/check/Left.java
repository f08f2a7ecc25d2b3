package io.baton.chaos.check;

/** How many entries stood in line when all clients had gone, and their sessions must have ended. */
record Left(String lock, long entries, long at) {}

/**
 * A row that fails so often, at last alone, is given up. The last time PostGIS is not asked whether it is valid: a hatching
 * of 10,000 slanting lines takes it longer than a statement may, and where it lies is known all the same.
 */
export const MAX_TRIES = 3;

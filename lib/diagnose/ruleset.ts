/**
 * Which rules diagnoses are made by. To be raised with a migration that adds a row to dlq.diagnosis_renewal, so that the
 * diagnoses of older rules are made anew; 0 are those before the verdicts.
 */
export const RULESET = 1;

import { z } from 'zod';

/** The condition `q`: at least one word, all of them looked for. */
export const wordsSchema = z
  .string()
  .max(500)
  .refine((q) => searchWords(q).length > 0, 'takes words, and "phrases in quotes"')
  .refine((q) => searchWords(q).length <= 20, 'takes at most 20 words and phrases');

/**
 * The words and phrases of `q`: separated by white space, kept together between double quotes. White space inside a phrase
 * and control characters mean one space each, so that no phrase reaches over a line. A quote without its end reaches to
 * the end of the text.
 */
export function searchWords(q: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const text = q.replace(/[\u0000-\u001f\u007f\s]/gu, ' ');
  const words = [...text.matchAll(/"([^"]*)"?|([^ "]+)/g)].map((match) => (match[1] ?? match[2] ?? '').trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

/**
 * Returns what a user reads if models or commands have written no summary in time: which ones, and what to do.
 * @param limit the time that they had, with its unit
 */
export const describeLateWriters = (names: readonly string[], limit: string): string =>
  `${names.join(' and ')} wrote no summary within ${limit}. Raise PRECIS_DEADLINE_MS (or "deadline-ms" in the configuration file), ` +
  'or choose a faster model.'

/** The words of its tab under Dashboard. */
export const reportTabWords = { label: 'Reports', also: 'statistics sources cohorts clicks conversion' }

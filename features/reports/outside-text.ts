/** Its actions in the activity. */
export const actsOnAccount = { 'report-saved': 'Report saved', 'report-deleted': 'Report deleted' }

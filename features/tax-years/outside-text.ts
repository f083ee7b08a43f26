/** The names of its kinds of objects, in the activity and among the events of outgoing webhooks. */
export const subjects = { 'tax-file': 'Tax files' }

/** Its events in the activity. */
export const acts = { 'tax-file': { downloaded: 'Tax file downloaded' } }

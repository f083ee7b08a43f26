/** The names of its kinds of objects, in the activity and among the events of outgoing webhooks. */
export const subjects = { case: 'Fraud review' }

/** Its events in the activity. */
export const acts = {
  case: {
    opened: 'Case opened',
    decided: 'Case decided',
    'partner-asked': 'Partner asked',
    'partner-answered': 'Partner answered',
  },
}

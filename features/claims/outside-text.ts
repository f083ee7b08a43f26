/** The names of its kinds of objects, in the activity and among the events of outgoing webhooks. */
export const subjects = { claim: 'Claims' }

/** Its events in the activity. */
export const acts = {
  claim: {
    made: 'Missing sale claimed',
    decided: 'Claim decided',
    'partner-asked': 'Partner asked',
    'partner-answered': 'Partner answered',
  },
}

/** The meaning of the variables of its editable emails. */
export const emailVariables = { claim: 'What the claim is about' }
